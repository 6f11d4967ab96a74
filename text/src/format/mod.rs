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

/// All formats, sorted by their names without dashes. None up to `Uuid5`, the last variant, can be forgotten here; if
/// another becomes the last one, the length must name that.
const FORMATS: [Format; Format::Uuid5 as usize + 1] = [
    Format::BsonObjectId,
    Format::Byte,
    Format::Cidr,
    Format::CreditCard,
    Format::Date,
    Format::DateTime,
    Format::Duration,
    Format::Email,
    Format::HexColor,
    Format::Hostname,
    Format::Ipv4,
    Format::Ipv6,
    Format::Isbn,
    Format::Isbn10,
    Format::Isbn13,
    Format::LongName,
    Format::ShortName,
    Format::Mac,
    Format::Password,
    Format::RgbColor,
    Format::Ssn,
    Format::Uri,
    Format::Uuid,
    Format::Uuid3,
    Format::Uuid4,
    Format::Uuid5,
];

impl Format {
    /// The usual name, and what is accepted. A new variant does not compile without a line here; it needs one in
    /// [`FORMATS`], too.
    fn row(self) -> (&'static str, fn(&str) -> bool) {
        match self {
            Self::BsonObjectId => ("bsonobjectid", hexadecimal::is_object_id),
            Self::Byte => ("byte", hexadecimal::is_base64),
            Self::Cidr => ("cidr", address::is_cidr),
            Self::CreditCard => ("creditcard", card::is_credit_card),
            Self::Date => ("date", time::is_date),
            Self::DateTime => ("date-time", time::is_date_time),
            Self::Duration => ("duration", time::is_duration),
            Self::Email => ("email", email::is_email),
            Self::HexColor => ("hexcolor", color::is_hexadecimal),
            Self::Hostname => ("hostname", hostname::is_hostname),
            Self::Ipv4 => ("ipv4", address::is_version_4),
            Self::Ipv6 => ("ipv6", address::is_version_6),
            Self::Isbn => ("isbn", |text| card::is_isbn_10(text) || card::is_isbn_13(text)),
            Self::Isbn10 => ("isbn10", card::is_isbn_10),
            Self::Isbn13 => ("isbn13", card::is_isbn_13),
            Self::LongName => ("k8s-long-name", |text| name::dns1123_subdomain_faults(text).is_empty()),
            Self::ShortName => ("k8s-short-name", |text| name::dns1123_label_faults(text).is_empty()),
            Self::Mac => ("mac", address::is_hardware),
            Self::Password => ("password", |_| true),
            Self::RgbColor => ("rgbcolor", color::is_decimal),
            Self::Ssn => ("ssn", card::is_social_security),
            Self::Uri => ("uri", url::is_request_uri),
            Self::Uuid => ("uuid", |text| hexadecimal::is_uuid(text, None)),
            Self::Uuid3 => ("uuid3", |text| hexadecimal::is_uuid(text, Some(b'3'))),
            Self::Uuid4 => ("uuid4", |text| hexadecimal::is_uuid(text, Some(b'4'))),
            Self::Uuid5 => ("uuid5", |text| hexadecimal::is_uuid(text, Some(b'5'))),
        }
    }

    /// All formats, sorted by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        FORMATS.into_iter()
    }

    /// The format with this name. Dashes are ignored, case is not (VALUE-014). Returns
    /// `None` for a name that is not enforced (VALUE-016).
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| without_dashes(format.name()).eq(without_dashes(name)))
    }

    /// The usual name: `date-time`, `k8s-short-name`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Whether a string has the format (VALUE-015). Takes time proportional to the string.
    pub fn accepts(self, text: &str) -> bool {
        (self.row().1)(text)
    }
}

fn without_dashes(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|&byte| byte != b'-')
}
