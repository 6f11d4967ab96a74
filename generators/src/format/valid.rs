//! Strings that match a format. Skips strings that are accepted by accident (VALUE-045), and those that kube-apiserver
//! rejects although it should not.

use crdible_semantics::Format;

use super::numbers::{decimal, hexadecimal, number, separated, with_isbn_10, with_isbn_13, with_luhn};
use crate::{choice::Choices, text};

/// Draws a string of the format.
pub fn valid(c: &mut Choices, format: Format) -> String {
    c.span("format", |c| match format {
        Format::BsonObjectId => hexadecimal(c, 24),
        Format::Byte => byte(c),
        Format::Cidr => cidr(c),
        Format::CreditCard => credit_card(c),
        Format::Date => date(c),
        Format::DateTime => date_time(c),
        Format::Duration => duration(c),
        Format::Email => email(c),
        Format::HexColor => {
            let count = *c.pick(&[3, 6]);
            format!("{}{}", *c.pick(&["#", ""]), hexadecimal(c, count))
        }
        Format::Hostname => hostname(c),
        Format::Ipv4 => ipv4(c, true),
        Format::Ipv6 => ipv6(c),
        Format::Isbn => {
            if c.chance(1, 2) {
                isbn_13(c)
            } else {
                isbn_10(c)
            }
        }
        Format::Isbn10 => isbn_10(c),
        Format::Isbn13 => isbn_13(c),
        Format::LongName => c.many("part", 1, 5, |c, _| name(c, 63)).join("."),
        Format::ShortName => name(c, 63),
        Format::Mac => mac(c),
        Format::Password => text::text(c, 0, 12),
        Format::RgbColor => {
            let blank = *c.pick(&["", " ", "\t", "  "]);
            let shares = [(); 3].map(|()| format!("{blank}{}{blank}", number(c, 0, 255, 1)));
            format!("rgb({})", shares.join(","))
        }
        Format::Ssn => {
            let parts = [decimal(c, 3), decimal(c, 2), decimal(c, 4)];
            let separators = [(); 2].map(|()| *c.pick(&["-", " "]));
            format!("{}{}{}{}{}", parts[0], separators[0], parts[1], separators[1], parts[2])
        }
        Format::Uri => uri(c),
        Format::Uuid => uuid(c, None),
        Format::Uuid3 => uuid(c, Some('3')),
        Format::Uuid4 => uuid(c, Some('4')),
        Format::Uuid5 => uuid(c, Some('5')),
    })
}

fn byte(c: &mut Choices) -> String {
    const ALPHABET: [char; 12] = ['A', 'Q', 'Z', 'a', 'g', 'z', '0', '4', '9', '+', '/', 'w'];
    let groups = c.many("group", 0, 8, |c, _| [(); 4].map(|()| *c.pick(&ALPHABET)).into_iter().collect::<String>());
    // At least one group; unused bits may be set.
    let last = *c.pick(&["YWJj", "YQ==", "YWI=", "YR==", "YWJ=", "++//"]);
    format!("{}{last}", groups.concat())
}

pub(super) fn ipv4(c: &mut Choices, may_have_zeros: bool) -> String {
    [(); 4]
        .map(|()| {
            let digits = if may_have_zeros && c.chance(1, 8) { 3 } else { 1 };
            number(c, 0, 255, digits)
        })
        .join(".")
}

fn ipv6(c: &mut Choices) -> String {
    let tail = if c.chance(1, 6) { Some(ipv4(c, false)) } else { None };
    let room = if tail.is_some() { 6 } else { 8 };
    let groups = |c: &mut Choices, least: usize, most: usize| {
        c.many("group", least, most, |c, _| {
            let digits = 1 + c.up_to(3);
            hexadecimal(c, digits)
        })
    };
    // `::` replaces at least one group.
    let (head, end) = if c.chance(3, 4) {
        let head = groups(c, 0, room - 1);
        let end = groups(c, 0, room - 1 - head.len());
        (format!("{}:", head.join(":")), end)
    } else {
        (String::new(), groups(c, room, room))
    };
    let end: Vec<String> = end.into_iter().chain(tail).collect();
    let gap = if head.is_empty() { "" } else { ":" };
    format!("{head}{gap}{}", end.join(":"))
}

fn cidr(c: &mut Choices) -> String {
    if c.chance(1, 2) {
        let address = ipv6(c);
        return format!("{address}/{}", number(c, 0, 128, 1));
    }
    let address = ipv4(c, true);
    let digits = if c.chance(1, 8) { 3 } else { 1 };
    format!("{address}/{}", number(c, 0, 32, digits))
}

fn mac(c: &mut Choices) -> String {
    let octets = *c.pick(&[6, 8, 20]);
    let (size, separator) = *c.pick(&[(2, ":"), (2, "-"), (4, "."), (2, "")]);
    let groups: Vec<String> = (0..octets * 2 / size).map(|_| hexadecimal(c, size)).collect();
    groups.join(separator)
}

fn credit_card(c: &mut Choices) -> String {
    let (start, digits) = *c.pick(&[
        ("4", 16),
        ("4", 13),
        ("51", 16),
        ("55", 16),
        ("34", 15),
        ("37", 15),
        ("6011", 16),
        ("65", 16),
        ("300", 14),
        ("305", 14),
        ("36", 14),
        ("38", 14),
        ("2131", 15),
        ("1800", 15),
        ("35", 16),
    ]);
    let number = with_luhn(&format!("{start}{}", decimal(c, digits - 1 - start.len())));
    separated(c, &number, &["-", " ", ".", "\t"])
}

fn isbn_10(c: &mut Choices) -> String {
    let number = with_isbn_10(&decimal(c, 9));
    separated(c, &number, &["-", " "])
}

fn isbn_13(c: &mut Choices) -> String {
    let start = *c.pick(&["978", "979"]);
    let number = with_isbn_13(&format!("{start}{}", decimal(c, 9)));
    separated(c, &number, &["-", " "])
}

fn uuid(c: &mut Choices, version: Option<char>) -> String {
    let mut groups = [8, 4, 4, 4, 12].map(|count| hexadecimal(c, count));
    if let Some(version) = version {
        groups[2].replace_range(..1, version.encode_utf8(&mut [0; 4]));
        if version != '3' {
            let variant = *c.pick(&["8", "9", "a", "b", "A", "B"]);
            groups[3].replace_range(..1, variant);
        }
    }
    let dashes = [(); 4].map(|()| if c.chance(1, 6) { "" } else { "-" });
    groups.iter().zip(dashes.iter().chain([&""])).flat_map(|(group, dash)| [group.as_str(), dash]).collect()
}

/// A DNS label: lower-case letters and digits, with dashes inside.
fn name(c: &mut Choices, most: usize) -> String {
    const ENDS: [char; 5] = ['a', 'b', 'z', '0', '9'];
    let inside: String =
        c.many_average("character", 0, most - 2, 3, |c, _| *c.pick(&['a', 'z', '0', '-'])).into_iter().collect();
    if inside.is_empty() { ENDS[c.up_to(4)].to_string() } else { format!("{}{inside}{}", c.pick(&ENDS), c.pick(&ENDS)) }
}

fn hostname(c: &mut Choices) -> String {
    const LETTERS: [&str; 6] = ["a", "Z", "é", "日", "z", "ж"];
    let letters =
        |c: &mut Choices, least: usize, most: usize| c.many("letter", least, most, |c, _| *c.pick(&LETTERS)).concat();
    if c.chance(1, 3) {
        // One label. kube-apiserver rejects a dash anywhere except after the first character.
        let start = *c.pick(&["a", "1", "Z", "日"]);
        let dash = if c.chance(1, 2) { "-" } else { "" };
        return format!("{start}{dash}{}", letters(c, 1, 12));
    }
    let labels = c.many("label", 1, 4, |c, _| name(c, 20)).join(".");
    format!("{labels}.{}", letters(c, 2, 8))
}

fn email(c: &mut Choices) -> String {
    const ATOMS: [&str; 8] = ["a", "b1", "+x", "é", "!#$%&'*", "Z-z", "/=?^_`{|}~", "0"];
    const LABELS: [&str; 8] = ["b", "example", "ü", "a-b", "1", "c_d", "X", "co"];
    let parts = |c: &mut Choices, options: &'static [&str]| c.many("part", 1, 4, |c, _| *c.pick(options)).join(".");
    let local = if c.chance(1, 6) {
        String::from(*c.pick(&["\"a b\"", "\"\\\"\"", "\"@\"", "\".\""]))
    } else {
        parts(c, &ATOMS)
    };
    let domain = if c.chance(1, 6) { String::from(*c.pick(&["[127.0.0.1]", "[::1]"])) } else { parts(c, &LABELS) };
    let address = format!("{local}@{domain}");
    match c.weighted(&[4, 1, 1, 1, 1, 1]) {
        0 => address,
        1 => format!("Name <{address}>"),
        2 => format!("<{address}>"),
        3 => format!("{address} (a comment)"),
        4 => format!("  {address}\t"),
        _ => format!("\"A. B.\" C <{address}>"),
    }
}

pub(super) fn date(c: &mut Choices) -> String {
    let (year, month) = (number(c, 0, 9_999, 4), number(c, 1, 12, 2));
    if c.chance(1, 8) {
        return (*c.pick(&["2024-02-29", "2000-02-29", "0000-02-29", "2023-02-28", "2021-12-31", "2021-04-30"]))
            .to_owned();
    }
    format!("{year}-{month}-{}", number(c, 1, 28, 2))
}

fn date_time(c: &mut Choices) -> String {
    let date = date(c);
    let time = format!("{}:{}:{}", number(c, 0, 23, 2), number(c, 0, 59, 2), number(c, 0, 59, 2));
    let fraction = if c.chance(1, 3) {
        let count = *c.pick(&[1, 3, 6, 9, 12]);
        format!(".{}", decimal(c, count))
    } else {
        String::new()
    };
    let offset = match c.weighted(&[3, 1, 2]) {
        0 => "Z".to_owned(),
        1 => "z".to_owned(),
        _ => format!("{}{}:{}", c.pick(&["+", "-"]), number(c, 0, 23, 2), number(c, 0, 59, 2)),
    };
    format!("{date}{}{time}{fraction}{offset}", c.pick(&["T", "t"]))
}

fn duration(c: &mut Choices) -> String {
    if c.chance(1, 3) {
        const UNITS: [&str; 22] = [
            "s",
            "sec",
            "SECONDS",
            "ms",
            "millis",
            "us",
            "µs",
            "micros",
            "ns",
            "nanoseconds",
            "m",
            "min",
            "Minutes",
            "h",
            "hr",
            "hours",
            "d",
            "days",
            "w",
            "wk",
            "weeks",
            "Week",
        ];
        let groups = c.many("group", 1, 3, |c, _| {
            let amount = number(c, 0, 1_000, 1);
            format!("{amount}{}{}", c.pick(&[" ", "", "  "]), c.pick(&UNITS))
        });
        return groups.join(" ");
    }
    let sign = *c.pick(&["", "", "-", "+"]);
    if c.chance(1, 12) {
        return format!("{sign}0");
    }
    let parts = c.many("part", 1, 3, |c, _| {
        let amount = number(c, 0, 1_000, 1);
        let amount = match c.weighted(&[4, 1, 1]) {
            0 => amount,
            1 => format!("{amount}.5"),
            _ => format!(".{amount}"),
        };
        format!("{amount}{}", c.pick(&["s", "m", "h", "ms", "us", "µs", "ns"]))
    });
    format!("{sign}{}", parts.concat())
}

fn uri(c: &mut Choices) -> String {
    let path = || ["", "/", "/a b", "/%20", "/ü/ä", "/a//b", "/..", "/:"];
    let query = *c.pick(&["", "?", "?a=b&c=%zz", "?x=1?y"]);
    match c.weighted(&[2, 3, 2]) {
        0 => format!("/{}{query}", *c.pick(&["", "a b", "a/b", "/host/p", "ü", "%41", "[", "a:b"])),
        1 => {
            let scheme = *c.pick(&["http", "https", "ftp", "x+y-z.1", "HTTP"]);
            let user = *c.pick(&["", "", "u@", "u:p@", "a%20b@"]);
            let host = *c.pick(&["a.b", "localhost", "1.2.3.4", "[::1]", "[fe80::1]", "a_b", "ü.de", "A"]);
            let port = *c.pick(&["", ":80", ":", ":99999"]);
            let path = *c.pick(&path());
            format!("{scheme}://{user}{host}{port}{path}{query}")
        }
        _ => (*c.pick(&["mailto:a@b.c", "urn:isbn:123", "a:b", "http:", "tel:+1-2", "data:,a b", "x:?#"])).to_owned(),
    }
}
