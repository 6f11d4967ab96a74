//! VALUE-014..016: formats. The strings are those of VALUE-015 and similar ones.

use crdible_text::{Format, Pattern};
use rstest::rstest;

#[rstest]
#[case::bson_object_id("bsonobjectid", &["0123456789abcdefABCDEF01"], &["0123456789abcdef0123456", "0123456789abcdef0123456g"])]
#[case::byte("byte", &["YWJj", "YR==", "YWI=", "+/+/"], &["YWI", "YWI-", "YW Jj", "YR==YR==", "====", "=", "YWJj\n"])]
#[case::cidr(
    "cidr",
    &["1.2.3.4/24", "01.2.3.4/024", "::/0", "2001:DB8::1/128", "::ffff:1.2.3.4/96"],
    &[
        "1.2.3.4", "1.2.3.4/33", "1.2.3.4/+8", "1.2.3.4/255.0.0.0", "::/129", "fe80::%e/64", "1.2.3.4 /8",
        "::ffff:1.2.3/96", "1.2.3.4/",
    ]
)]
#[case::credit_card(
    "creditcard",
    &[
        "4012888888881881", "4222222222222", "5555-5555-5555-4444", "378282246310005", "6011111111111117",
        "30569309025904", "3530111333300000", "4x012888888881881",
    ],
    &["2223000048400011", "0000000000000000", "4012888888881882", "401288888888188"]
)]
#[case::date(
    "date",
    &["2020-01-01", "2024-02-29", "0000-02-29", "9999-12-31"],
    &[
        "2023-02-29", "2020-1-01", "20-01-01", "2020/01/01", "2020-01-01T00:00:00Z", " 2020-01-01", "2020-00-10",
        "2020-13-01", "1900-02-29", "-020-01-01",
    ]
)]
#[case::date_time(
    "date-time",
    &[
        "2020-01-01T00:00:00Z", "2024-02-29t23:59:59.5+01:00", "2020-01-01T00:00:00.123456789123z",
        "2020-01-01T00:00:00-23:59", "2020-01-01T00:00:00,5Z",
    ],
    &[
        "2020-01-01T00:00:00", "2020-01-01 00:00:00Z", "2020-01-01T00:00Z", "2020-01-01T00:00:00+0000",
        "2020-01-01T00:00:00+01", "2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+99:99", "2020-01-01T00:00:00+01:60",
        "2020-01-01T00:00:00.Z", "2023-02-29T00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:00:60Z",
        "2020-01-01T00:00:00Zx", "2020-01-01T00:00:00ZTx",
    ]
)]
#[case::duration(
    "duration",
    &[
        "1h30m", "-1h", "+1h", ".5h", "1.h", "0", "-0", "1 ns", "2NANOfoo", "3 µs", "3μs", "4milliseconds", "5 SECONDS",
        "6 min", "7 hours", "8 hr", "9d", "1 wk", "2 weeks", "abc 3 days", "P1D", "9223372036854775807ns",
        "-9223372036854775808ns",
    ],
    &["5", "h", "1 month", "1 year", "1 hrs", "1 wks", "9223372036854775808 d", ".h", "1.5", "9999999999999.h"]
)]
#[case::email(
    "email",
    &[
        "a@b", "a+b@c.d", "\"a b\"@c.d", "Name <a@b.c>", "<a@b.c>", "a@b (c (d))", " a@b ", "a@[127.0.0.1]", "a@[::1]",
        "é@ü", "group: a@b.c;", "\"x\" y <a@b>", "=?utf-8?q?a=20b?= <a@b>", "a =?x?q?a?= <a@b>",
    ],
    &[
        "a", "@b", "a@", "a b@c", "a@b@c", ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b, c@d", "a@b\n", "\"\"@a",
        "a@[1]", "g:;", "g: a@b, c@d;", "a@b (c", "<a@b", "Name", "=?x?q?a?= <a@b>", "a@b (=?x?b??=)",
    ]
)]
#[case::hex_color("hexcolor", &["#fff", "FFFFFF", "a1B2c3"], &["#ffff", "#ffffffff", " #fff", "#ggg", "##fff", "#"])]
#[case::hostname(
    "hostname",
    &["a.bc", "a-b", "ab-c", "1a", "日本", "a.b-c.com", "a--b.cd", "abc.日本"],
    &["a.b", "1.2.3.4", "example.c1", "a.bc.", "a..bc", "-a", "a-", "a--b", "a.-b.cd", "a_b", "a+b", "☃", "$", "a b"],
)]
#[case::ipv4(
    "ipv4",
    &["1.2.3.4", "01.002.3.04", "255.255.255.255", "::ffff:1.2.3.4"],
    &["1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", "0x1.2.3.4", "1.2.3.4/8", "::1", "1.2.3.-4"],
)]
#[case::ipv6(
    "ipv6",
    &["::1", "::", "2001:DB8::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::"],
    &[
        "1.2.3.4", "fe80::1%eth0", "[::1]", "::1/64", "12345::", "1::2::3", "::ffff:01.2.3.4", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8::",
    ]
)]
#[case::isbn(
    "isbn",
    &["0321751043", "978-0321751041", "0-8044-2957-X", "0 8044 2957 X"],
    &["0321751044", "978-0321751042", "080442957x", "X804429570"],
)]
#[case::isbn_10("isbn10", &["0321751043", "080442957X"], &["978-0321751041", "0321751044", "032175104"])]
#[case::isbn_13("isbn13", &["978-0321751041", "-9780321751041", "1234567890128"], &["0321751043", "9780321751042", "978032175104X"])]
#[case::long_name("k8s-long-name", &["a", "a.b-c.1"], &["A", "a..b", ".a", "a.", "a.-b", "a_b"])]
#[case::short_name("k8s-short-name", &["a", "1-a"], &["A", "a.b", "-a", "a-", "a_b"])]
#[case::mac(
    "mac",
    &[
        "01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "0123456789ab", "01:23:45:67:89:ab:cd:ef",
        "0123.4567.89ab.cdef", "0123456789abcdef", "00000000fe800000000000000200005e10000000",
    ],
    &[
        "01:23:45:67:89", "01:23:45:67:89:a", "01:23-45:67:89:ab", "1:23:45:67:89:ab", "0123.4567.89a",
        "01:23:45:67:89:ab:", "0123456789", "01 23 45 67 89 ab",
    ]
)]
#[case::password("password", &["x", "\n", "😀"], &[])]
#[case::rgb_color(
    "rgbcolor",
    &["rgb(0,0,0)", "rgb( 1 ,\t22, 255 )"],
    &[
        "RGB(0,0,0)", "rgba(0,0,0)", "rgb(0,0)", "rgb(0,0,0,0)", "rgb(256,0,0)", "rgb(01,0,0)", "rgb(1%,0,0)",
        "rgb(1.0,0,0)", "rgb (0,0,0)", "rgb(,0,0)", "rgb(+1,0,0)",
    ]
)]
#[case::ssn("ssn", &["111-11-1111", "111 11 1111", "111-11 1111"], &["111111111", "111-11-11111", "111.11.1111", "11-111-1111"])]
#[case::uri(
    "uri",
    &[
        "http://a.b/c?d=e#f", "mailto:a@b.c", "urn:isbn:123", "a:b", "http:", "/", "/a b", "//host/p", "/ü",
        "http://a:99999/", "/?%zz", "http://[::1]:80/", "http://[fe80::1%25e]/", "*", "http://", "http://h%C3%A9/",
    ],
    &[
        "foo", "./x", "#f", "?q", ":x", "1http://a", "http://a b/", " /", "/\n", "/%", "/%4", "http://a:x/",
        "http://[::1/", "http://[1.2.3.4]/", "http://a%41/", "http://a b@c/", "http://a[b/",
    ]
)]
#[case::uuid(
    "uuid",
    &["01234567-89ab-cdef-0123-456789ABCDEF", "0123456789abcdef0123456789abcdef", "0123456789ab-cdef0123-456789abcdef"],
    &[
        "{01234567-89ab-cdef-0123-456789abcdef}", "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
        "01234567-89ab-cdef-0123-456789abcde", "0123456-789ab-cdef-0123-456789abcdef",
        "01234567-89ab-cdef-0123-456789abcdef\n",
    ]
)]
#[case::uuid3("uuid3", &["01234567-89ab-3def-0123-456789abcdef"], &["01234567-89ab-4def-8123-456789abcdef"])]
#[case::uuid4(
    "uuid4",
    &["01234567-89ab-4def-B123-456789abcdef"],
    &["01234567-89ab-4def-7123-456789abcdef", "01234567-89ab-5def-8123-456789abcdef"],
)]
#[case::uuid5(
    "uuid5",
    &["01234567-89ab-5def-8123-456789abcdef"],
    &["01234567-89ab-5def-c123-456789abcdef", "01234567-89ab-3def-8123-456789abcdef"],
)]
fn value_015(#[case] name: &str, #[case] accepted: &[&str], #[case] rejected: &[&str]) {
    let format = Format::named(name);
    let accepts = |text: &str| format.is_some_and(|format| format.accepts(text));
    for text in accepted {
        assert!(accepts(text), "{name}: {text:?} is rejected");
    }
    for text in rejected {
        assert!(!accepts(text), "{name}: {text:?} is accepted");
    }
    assert_eq!(accepts(""), name == "password");
}

#[rstest]
#[case::hostname_label("hostname", &"a".repeat(63), &"a".repeat(64))]
#[case::hostname_label_in_bytes("hostname", &"日".repeat(21), &"日".repeat(22))]
#[case::hostname_last_label("hostname", &format!("1.{}", "a".repeat(63)), &format!("1.{}", "a".repeat(64)))]
#[case::hostname("hostname", &format!("{}aa", "a.".repeat(126)), &format!("{}aa", "a.".repeat(127)))]
#[case::short_name("k8s-short-name", &"a".repeat(63), &"a".repeat(64))]
#[case::long_name("k8s-long-name", &"a".repeat(253), &"a".repeat(254))]
fn value_015_lengths(#[case] name: &str, #[case] accepted: &str, #[case] rejected: &str) {
    let accepts = |text: &str| Format::named(name).is_some_and(|format| format.accepts(text));
    assert!(accepts(accepted) && !accepts(rejected));
}

#[test]
fn value_014_names() {
    assert_eq!(Format::named("d-a-t-e"), Some(Format::Date));
    assert_eq!(Format::named("datetime"), Some(Format::DateTime));
    assert_eq!(Format::named("--k8sshort-name"), Some(Format::ShortName));
    for unknown in ["Date", "", "-", "int32", "date_time", "date ", "uuid6"] {
        assert_eq!(Format::named(unknown), None);
    }
    for format in Format::all() {
        assert_eq!(Format::named(format.name()), Some(format));
    }
    assert_eq!(Format::all().len(), 26);
}

/// Whether the string matches the format.
fn accepts(name: &str, text: &str) -> bool {
    Format::named(name).expect("a known format").accepts(text)
}

/// Formats that upstream defines as expressions. The parsers here agree with them on every string that is one edit away
/// from a valid one.
#[rstest]
#[case::bson_object_id("bsonobjectid", "^[0-9a-fA-F]{24}$", &["0123456789abcdefABCDEF01"])]
#[case::byte("byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$", &["YWJj", "YR==", "YWI=", "YWJjYWI="])]
#[case::hex_color("hexcolor", "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", &["#fff", "a1B2c3"])]
#[case::rgb_color("rgbcolor", RGB, &["rgb(0,0,0)", "rgb( 25,\t199, 255 )"])]
#[case::ssn("ssn", r"^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$", &["111-11 1111"])]
#[case::short_name("k8s-short-name", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", &["a", "1-a0"])]
#[case::long_name("k8s-long-name", r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", &["a", "a.b-c.1"])]
#[case::uuid("uuid", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$", UUIDS)]
#[case::uuid3("uuid3", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$", UUIDS)]
#[case::uuid4("uuid4", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$", UUIDS)]
#[case::uuid5("uuid5", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$", UUIDS)]
fn value_015_agrees_with_the_expression(#[case] name: &str, #[case] expression: &str, #[case] valid: &[&str]) {
    let pattern = Pattern::parse(expression).expect("an expression");
    let mut accepted = 0;
    for text in valid.iter().flat_map(|text| one_edit_away(text)) {
        let expected = pattern.is_match(&text);
        accepted += usize::from(expected);
        assert_eq!(accepts(name, &text), expected, "{name}: {text:?}");
    }
    assert!(accepted > 0);
}

const RGB: &str = concat!(
    r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,",
    r"\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,",
    r"\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$",
);

const UUIDS: &[&str] = &[
    "01234567-89ab-3def-0123-456789ABCDEF",
    "01234567-89ab-4def-b123-456789ABCDEF",
    "0123456789ab5def-8123456789abcdef",
];

/// The string, and every result of inserting, replacing or removing one character.
fn one_edit_away(text: &str) -> Vec<String> {
    let characters = "0123456789abcdefgzAFGZ-_.:,/+=#() \t\n\u{b}\u{a0}é";
    let places: Vec<usize> = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect();
    let mut edited = vec![text.to_owned()];
    for place in &places {
        edited.extend(characters.chars().map(|new| format!("{}{new}{}", &text[..*place], &text[*place..])));
    }
    for ends in places.windows(2) {
        edited.push(format!("{}{}", &text[..ends[0]], &text[ends[1]..]));
        edited.extend(characters.chars().map(|new| format!("{}{new}{}", &text[..ends[0]], &text[ends[1]..])));
    }
    edited
}

const PARTS: [&str; 24] = [
    "", "1", ":", "::", ".", "-", "é", "%", "%25", "[", "]", "@", "\"", "\\", "(", "<", "t", "z", "+", " ", "rgb(",
    ",", "//", "a:",
];

/// No combination of special characters makes a format panic, or contradict a wider one.
#[test]
fn value_015_narrow_formats_imply_wide_ones() {
    let pairs = [
        ("uuid3", "uuid"),
        ("uuid4", "uuid"),
        ("uuid5", "uuid"),
        ("isbn10", "isbn"),
        ("isbn13", "isbn"),
        ("k8s-short-name", "k8s-long-name"),
    ];
    let ascii =
        ["bsonobjectid", "byte", "cidr", "date", "hexcolor", "ipv4", "ipv6", "k8s-long-name", "mac", "ssn", "uuid"];
    let mut accepted = std::collections::BTreeSet::new();
    for one in PARTS {
        for two in PARTS {
            for three in PARTS {
                let text = [one, two, three].concat();
                for text in [text.repeat(30), text] {
                    accepted.extend(Format::all().filter(|format| format.accepts(&text)));
                    for (narrow, wide) in pairs {
                        assert!(!accepts(narrow, &text) || accepts(wide, &text), "{narrow}: {text:?}");
                    }
                    assert!(text.is_ascii() || ascii.iter().all(|name| !accepts(name, &text)), "{text:?}");
                    let date = text.split(['t', 'T']).next().unwrap_or_default();
                    assert!(!accepts("date-time", &text) || accepts("date", date), "{text:?}");
                }
            }
        }
    }
    assert!(accepted.len() > 5, "only {accepted:?} accept anything");
}

/// Long strings overflow no stack and no number. All formats reject them, except `password` and the named ones.
#[test]
fn value_015_long_texts() {
    let exceptions = [
        ("", vec![]),
        ("1", vec!["byte"]),
        ("t", vec!["byte"]),
        ("z", vec!["byte"]),
        ("+", vec!["byte"]),
        ("//", vec!["byte", "uri"]),
        ("a:", vec!["uri"]),
    ];
    for part in PARTS {
        let text = part.repeat(200_000);
        let expected = exceptions.iter().find(|(exception, _)| *exception == part).map(|(_, names)| names.clone());
        let expected = expected.unwrap_or_default();
        let accepted: Vec<&str> = Format::all()
            .filter(|format| format.accepts(&text))
            .map(Format::name)
            .filter(|name| *name != "password")
            .collect();
        assert_eq!(accepted, expected, "{part:?}");
    }
}
