//! Formats of strings that a server enforces (VALUE-014, VALUE-015). One file per family.
//!
//! What is a quirk of upstream (VALUE-045) is kept, what is a defect (`Defect:` of VALUE-015) is not: the promise stands.

mod address;
mod card;
mod color;
mod email;
mod hexadecimal;
mod hostname;
mod name;
mod time;
pub(crate) mod uri;

/// A format that is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `bsonobjectid`: 24 hexadecimal digits.
    BsonObjectId,
    /// `byte`: base64.
    Byte,
    /// `cidr`: an address and the length of a prefix.
    Cidr,
    /// `creditcard`: a number of one of six companies, with its check digit.
    CreditCard,
    /// `date`: a calendar day.
    Date,
    /// `date-time`: a point in time with its offset.
    DateTime,
    /// `duration`: a length of time.
    Duration,
    /// `email`: a mail address, perhaps with a name.
    Email,
    /// `hexcolor`: a colour in hexadecimal digits.
    HexColor,
    /// `hostname`: a host's name.
    Hostname,
    /// `ipv4`: an address of version 4.
    Ipv4,
    /// `ipv6`: an address of version 6.
    Ipv6,
    /// `isbn`: a book's number, old or new.
    Isbn,
    /// `isbn10`: a book's old number.
    Isbn10,
    /// `isbn13`: a book's new number.
    Isbn13,
    /// `k8s-long-name`: a name of parts with dots between them. Since 1.34.
    LongName,
    /// `mac`: a hardware address.
    Mac,
    /// `password`: any text.
    Password,
    /// `rgbcolor`: a colour in decimal numbers.
    RgbColor,
    /// `k8s-short-name`: a name without dots. Since 1.34.
    ShortName,
    /// `ssn`: a number of social security.
    Ssn,
    /// `uri`: a URI, or a rooted path.
    Uri,
    /// `uuid` of any version.
    Uuid,
    /// `uuid3`.
    Uuid3,
    /// `uuid4`.
    Uuid4,
    /// `uuid5`.
    Uuid5,
}

/// All formats with their names, the dashes taken out.
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
    /// All formats, by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        NAMES.iter().map(|(_, format)| *format)
    }

    /// The format of a name; dashes in it do not count, case does (VALUE-014). `None` for a name that nothing enforces (VALUE-016).
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str| known.bytes().eq(name.bytes().filter(|&byte| byte != b'-'));
        NAMES.iter().find(|(known, _)| is_named(known)).map(|(_, format)| *format)
    }

    /// The name that people use: `date-time`, `k8s-short-name`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DateTime => "date-time",
            Self::LongName => "k8s-long-name",
            Self::ShortName => "k8s-short-name",
            _ => NAMES.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name),
        }
    }

    /// Whether a text has the format (VALUE-015), in time proportional to the text.
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
            Self::LongName => name::is_long(text),
            Self::Mac => address::is_hardware(text),
            Self::Password => true,
            Self::RgbColor => color::is_decimal(text),
            Self::ShortName => name::is_short(text),
            Self::Ssn => card::is_social_security(text),
            Self::Uri => uri::is_uri(text),
            Self::Uuid => hexadecimal::is_uuid(text, None),
            Self::Uuid3 => hexadecimal::is_uuid(text, Some(b'3')),
            Self::Uuid4 => hexadecimal::is_uuid(text, Some(b'4')),
            Self::Uuid5 => hexadecimal::is_uuid(text, Some(b'5')),
        }
    }
}
