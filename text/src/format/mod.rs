//! The formats of strings that a server enforces (VALUE-014, VALUE-015), one file per family.
//!
//! Upstream's quirks (VALUE-045) are reproduced. Its defects (`Defect:` of VALUE-015) are not: the requirement holds.

mod address;
mod card;
mod color;
mod email;
mod hexadecimal;
mod hostname;
mod time;

use crate::{name, url};

/// A format that is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `bsonobjectid`: 24 hexadecimal digits.
    BsonObjectId,
    /// `byte`: base64.
    Byte,
    /// `cidr`: an IP address and the length of its prefix.
    Cidr,
    /// `creditcard`: a card number of one of six companies, with its check digit.
    CreditCard,
    /// `date`: a calendar day.
    Date,
    /// `date-time`: a point in time with its offset.
    DateTime,
    /// `duration`: a Go duration, or numbers with units in words.
    Duration,
    /// `email`: a mail address, optionally with a name.
    Email,
    /// `hexcolor`: a colour in hexadecimal.
    HexColor,
    /// `hostname`: a host name.
    Hostname,
    /// `ipv4`: an IPv4 address.
    Ipv4,
    /// `ipv6`: an IPv6 address.
    Ipv6,
    /// `isbn`: a book number of either length.
    Isbn,
    /// `isbn10`: a book number of 10 digits.
    Isbn10,
    /// `isbn13`: a book number of 13 digits.
    Isbn13,
    /// `k8s-long-name`: a DNS-1123 subdomain. Since 1.34.
    LongName,
    /// `mac`: a hardware address.
    Mac,
    /// `password`: any string.
    Password,
    /// `rgbcolor`: a colour in decimal.
    RgbColor,
    /// `k8s-short-name`: a DNS-1123 label. Since 1.34.
    ShortName,
    /// `ssn`: a social security number.
    Ssn,
    /// `uri`: a URI, or an absolute path.
    Uri,
    /// `uuid`: a UUID of any version.
    Uuid,
    /// `uuid3`: a UUID of version 3.
    Uuid3,
    /// `uuid4`: a UUID of version 4.
    Uuid4,
    /// `uuid5`: a UUID of version 5.
    Uuid5,
}

/// A format's usual name, the format, and what it accepts.
type Row = (&'static str, Format, fn(&str) -> bool);

/// All formats, sorted by their names without dashes.
const FORMATS: [Row; 26] = [
    ("bsonobjectid", Format::BsonObjectId, hexadecimal::is_object_id),
    ("byte", Format::Byte, hexadecimal::is_base64),
    ("cidr", Format::Cidr, address::is_cidr),
    ("creditcard", Format::CreditCard, card::is_credit_card),
    ("date", Format::Date, time::is_date),
    ("date-time", Format::DateTime, time::is_date_time),
    ("duration", Format::Duration, time::is_duration),
    ("email", Format::Email, email::is_email),
    ("hexcolor", Format::HexColor, color::is_hexadecimal),
    ("hostname", Format::Hostname, hostname::is_hostname),
    ("ipv4", Format::Ipv4, address::is_version_4),
    ("ipv6", Format::Ipv6, address::is_version_6),
    ("isbn", Format::Isbn, |text| card::is_isbn_10(text) || card::is_isbn_13(text)),
    ("isbn10", Format::Isbn10, card::is_isbn_10),
    ("isbn13", Format::Isbn13, card::is_isbn_13),
    ("k8s-long-name", Format::LongName, |text| name::dns1123_subdomain_faults(text).is_empty()),
    ("k8s-short-name", Format::ShortName, |text| name::dns1123_label_faults(text).is_empty()),
    ("mac", Format::Mac, address::is_hardware),
    ("password", Format::Password, |_| true),
    ("rgbcolor", Format::RgbColor, color::is_decimal),
    ("ssn", Format::Ssn, card::is_social_security),
    ("uri", Format::Uri, url::is_request_uri),
    ("uuid", Format::Uuid, |text| hexadecimal::is_uuid(text, None)),
    ("uuid3", Format::Uuid3, |text| hexadecimal::is_uuid(text, Some(b'3'))),
    ("uuid4", Format::Uuid4, |text| hexadecimal::is_uuid(text, Some(b'4'))),
    ("uuid5", Format::Uuid5, |text| hexadecimal::is_uuid(text, Some(b'5'))),
];

impl Format {
    /// All formats, sorted by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        FORMATS.iter().map(|(_, format, _)| *format)
    }

    /// The format with this name. Dashes are ignored, case is not (VALUE-014). Returns
    /// `None` for a name that is not enforced (VALUE-016).
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str| without_dashes(known).eq(without_dashes(name));
        FORMATS.iter().find(|(known, ..)| is_named(known)).map(|(_, format, _)| *format)
    }

    /// The usual name: `date-time`, `k8s-short-name`.
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|(_, format, _)| *format == self).map_or("", |(name, ..)| name)
    }

    /// Whether a string has the format (VALUE-015). Takes time proportional to the string.
    pub fn accepts(self, text: &str) -> bool {
        FORMATS.iter().any(|(_, format, accepts)| *format == self && accepts(text))
    }
}

fn without_dashes(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|&byte| byte != b'-')
}
