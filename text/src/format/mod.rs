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

/// All formats, by their names without dashes, sorted.
const NAMES: [(&str, Format); 26] = [
    ("bsonobjectid", Format::BsonObjectId),
    ("byte", Format::Byte),
    ("cidr", Format::Cidr),
    ("creditcard", Format::CreditCard),
    ("date", Format::Date),
    ("datetime", Format::DateTime),
    ("duration", Format::Duration),
    ("email", Format::Email),
    ("hexcolor", Format::HexColor),
    ("hostname", Format::Hostname),
    ("ipv4", Format::Ipv4),
    ("ipv6", Format::Ipv6),
    ("isbn", Format::Isbn),
    ("isbn10", Format::Isbn10),
    ("isbn13", Format::Isbn13),
    ("k8slongname", Format::LongName),
    ("k8sshortname", Format::ShortName),
    ("mac", Format::Mac),
    ("password", Format::Password),
    ("rgbcolor", Format::RgbColor),
    ("ssn", Format::Ssn),
    ("uri", Format::Uri),
    ("uuid", Format::Uuid),
    ("uuid3", Format::Uuid3),
    ("uuid4", Format::Uuid4),
    ("uuid5", Format::Uuid5),
];

impl Format {
    /// All formats, sorted by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        NAMES.iter().map(|(_, format)| *format)
    }

    /// The format with this name. Dashes are ignored, case is not (VALUE-014). Returns
    /// `None` for a name that is not enforced (VALUE-016).
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str| known.bytes().eq(name.bytes().filter(|&byte| byte != b'-'));
        NAMES.iter().find(|(known, _)| is_named(known)).map(|(_, format)| *format)
    }

    /// The usual name: `date-time`, `k8s-short-name`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DateTime => "date-time",
            Self::LongName => "k8s-long-name",
            Self::ShortName => "k8s-short-name",
            _ => NAMES.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name),
        }
    }

    /// Whether a string has the format (VALUE-015). Takes time proportional to the string.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::BsonObjectId => hexadecimal::is_object_id(text),
            Self::Byte => hexadecimal::is_base64(text),
            Self::Cidr => address::is_cidr(text),
            Self::CreditCard => card::is_credit_card(text),
            Self::Date => time::is_date(text),
            Self::DateTime => time::is_date_time(text),
            Self::Duration => time::is_duration(text),
            Self::Email => email::is_email(text),
            Self::HexColor => color::is_hexadecimal(text),
            Self::Hostname => hostname::is_hostname(text),
            Self::Ipv4 => address::is_version_4(text),
            Self::Ipv6 => address::is_version_6(text),
            Self::Isbn => card::is_isbn_10(text) || card::is_isbn_13(text),
            Self::Isbn10 => card::is_isbn_10(text),
            Self::Isbn13 => card::is_isbn_13(text),
            Self::LongName => name::dns1123_subdomain_faults(text).is_empty(),
            Self::Mac => address::is_hardware(text),
            Self::Password => true,
            Self::RgbColor => color::is_decimal(text),
            Self::ShortName => name::dns1123_label_faults(text).is_empty(),
            Self::Ssn => card::is_social_security(text),
            Self::Uri => url::is_request_uri(text),
            Self::Uuid => hexadecimal::is_uuid(text, None),
            Self::Uuid3 => hexadecimal::is_uuid(text, Some(b'3')),
            Self::Uuid4 => hexadecimal::is_uuid(text, Some(b'4')),
            Self::Uuid5 => hexadecimal::is_uuid(text, Some(b'5')),
        }
    }
}
