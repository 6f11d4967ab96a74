//! Strings that just miss a format.

use crdible_semantics::Format;

use super::valid::valid;
use crate::{choice::Choices, text::changed};

/// The number of changes to try.
const ATTEMPTS: usize = 16;

/// Draws a string that a server rejects: one from a list of invalid ones, or a valid one with one change. `None` for
/// `password`, which accepts every string.
///
/// Skips strings that kube-apiserver accepts although it should not (the `Defect` of VALUE-015).
pub fn broken(c: &mut Choices, format: Format) -> Option<String> {
    let invalid = invalid(format);
    if invalid.is_empty() {
        return None;
    }
    c.span("broken format", |c| {
        if c.chance(1, 2) {
            let text = valid(c, format);
            let is_broken = |text: &String| !format.accepts(text) && !is_defect(format, text);
            if let Some(text) = (0..ATTEMPTS).find_map(|_| Some(changed(c, &text)).filter(is_broken)) {
                return Some(text);
            }
        }
        Some((*c.pick(invalid)).to_owned())
    })
}

/// Whether kube-apiserver may accept an invalid string.
fn is_defect(format: Format, text: &str) -> bool {
    match format {
        Format::DateTime => {
            let end = text.len().checked_sub("+00:00".len()).filter(|&end| text.is_char_boundary(end));
            let before_offset = end.map(|end| format!("{}Z", &text[..end]));
            text.matches(['t', 'T']).count() > 1 || before_offset.is_some_and(|text| format.accepts(&text))
        }
        // Symbols count as letters, and a dash may be at the end.
        Format::Hostname => {
            let is_plain = |character: char| character.is_alphanumeric() || " _.-!@#%&*()\n".contains(character);
            text.ends_with('-') || !text.chars().all(is_plain)
        }
        _ => false,
    }
}

/// Invalid strings, the empty one first; none for a format that accepts everything.
fn invalid(format: Format) -> &'static [&'static str] {
    match format {
        Format::BsonObjectId => {
            &["", "0123456789abcdef0123456", "0123456789abcdef012345678", "0123456789abcdef0123456g"]
        }
        Format::Byte => &["", "YWI", "YWI-", "YW_j", "YW Jj", "YQ==YQ==", "YWJj\n", "Y==="],
        Format::Cidr => &[
            "",
            "1.2.3.4",
            "1.2.3.4/33",
            "::/129",
            "1.2.3.4/+8",
            "1.2.3.4/255.0.0.0",
            "fe80::%e/64",
            "1.2.3/8",
            "1.2.3.4/-1",
        ],
        Format::CreditCard => &["", "2223000048400011", "0000000000000000", "4012888888881882", "401288888888188", "x"],
        Format::Date => &[
            "",
            "2023-02-29",
            "1900-02-29",
            "2020-1-01",
            "2020/01/01",
            "2020-01-01T00:00:00Z",
            " 2020-01-01",
            "2020-13-01",
            "2020-00-01",
            "2020-04-31",
            "20200101",
        ],
        Format::DateTime => &[
            "",
            "2020-01-01",
            "2020-01-01T00:00:00",
            "2020-01-01 00:00:00Z",
            "2020-01-01T00:00Z",
            "2020-01-01T00:00:00+0000",
            "2020-01-01T00:00:00+01",
            "2020-01-01T00:00:00.Z",
            "2023-02-29T00:00:00Z",
            "2020-01-01T24:00:00Z",
            "2020-01-01T23:60:00Z",
            "2016-12-31T23:59:60Z",
            "2020-01-01T00:00:00Zx",
        ],
        Format::Duration => &["", "5", "h", "1 month", "1 year", "1 hrs", "1 wks", "9223372036854775808 d", "-", "1.5"],
        Format::Email => &[
            "",
            "a",
            "@b",
            "a@",
            "a b@c",
            "a@b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@b, c@d",
            "a@b\n",
            "a@[1.2.3]",
            "\"\"@a",
        ],
        Format::HexColor => &["", "#", "#ffff", "#ffffffff", " #fff", "#ggg", "fffff"],
        Format::Hostname => {
            &["", "a.b", "1.2.3.4", "example.c1", "a.bc.", "a..bc", "-a", "a--b", "a_b", "a b", "a.-b.cd", "a.b-.cd"]
        }
        Format::Ipv4 => &[
            "",
            "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1",
            " 1.2.3.4",
            "1.2.3.4 ",
            "0x1.2.3.4",
            "1.2.3.4/8",
            "::1",
            "1.2.3.",
            "16909060",
        ],
        Format::Ipv6 => &[
            "",
            "1.2.3.4",
            "fe80::1%eth0",
            "[::1]",
            "::1/64",
            "12345::",
            "1::2::3",
            "::ffff:01.2.3.4",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8::",
            "::g",
            ":",
        ],
        Format::Isbn => &["", "0321751044", "978-0321751042", "080442957x", "032175104"],
        Format::Isbn10 => &["", "978-0321751041", "0321751044", "080442957x", "X804429570", "03217510433"],
        Format::Isbn13 => &["", "0321751043", "978-0321751042", "978032175104X", "97803217510411"],
        Format::LongName => &["", "A", "a..b", ".a", "a.", "a.-b", "a-.b", "a_b", "a b", "é"],
        Format::ShortName => &["", "A", "a.b", "-a", "a-", "a_b", "a b", "é"],
        Format::Mac => &[
            "",
            "01:23:45:67:89",
            "01:23:45:67:89:a",
            "01:23-45:67:89:ab",
            "1:23:45:67:89:ab",
            "0123.4567.89a",
            "01:23:45:67:89:ag",
            "01:23:45:67:89:ab:",
        ],
        Format::Password => &[],
        Format::RgbColor => &[
            "",
            "RGB(0,0,0)",
            "rgba(0,0,0,0)",
            "rgb(0,0)",
            "rgb(0,0,0,0)",
            "rgb(256,0,0)",
            "rgb(01,0,0)",
            "rgb(1%,0,0)",
            "rgb(1.0,0,0)",
            "rgb (0,0,0)",
            "rgb(-1,0,0)",
        ],
        Format::Ssn => &["", "111111111", "111-11-11111", "111.11.1111", "11-111-1111", "111-11-111a"],
        Format::Uri => &[
            "",
            "foo",
            "./x",
            "#f",
            "?q",
            ":x",
            "1http://a",
            "http://a b/",
            " /",
            "/\n",
            "/%",
            "/%4",
            "http://a:x/",
            "http://[::1/",
            "é:/",
        ],
        Format::Uuid | Format::Uuid3 | Format::Uuid4 | Format::Uuid5 => &[
            "",
            "{01234567-89ab-4def-8123-456789abcdef}",
            "urn:uuid:01234567-89ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-8123-456789abcde",
            "0123456-789ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-8123-456789abcdef\n",
            "01234567-89ab-1def-8123-456789abcdeg",
        ],
    }
}
