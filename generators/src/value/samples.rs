//! Texts of the enforced formats (VALUE-014), each run on the real server (VALUE-015).

/// Valid texts of a format, simplest first; `None` for a format that is not enforced.
pub(super) fn of_format(format: &str) -> Option<&'static [&'static str]> {
    // Dashes in a format's name do not count (VALUE-014).
    let name: String = format.chars().filter(|&character| character != '-').collect();
    Some(match name.as_str() {
        "bsonobjectid" => &["0123456789abcdef01234567"],
        "uri" => &["/", "http://a.b/c?d=e#f", "mailto:a@b.c", "urn:isbn:123"],
        "email" => &["a@b", "a+b@c.d"],
        "hostname" => &["a.bc", "a-b", "1a"],
        "ipv4" => &["1.2.3.4", "255.255.255.255"],
        "ipv6" => &["::1", "2001:db8::1"],
        "cidr" => &["1.2.3.0/24", "::/0"],
        "mac" => &["01:23:45:67:89:ab", "01-23-45-67-89-ab"],
        "uuid" | "uuid4" => &["01234567-89ab-4def-8123-456789abcdef"],
        "uuid3" => &["01234567-89ab-3def-8123-456789abcdef"],
        "uuid5" => &["01234567-89ab-5def-8123-456789abcdef"],
        "isbn" | "isbn10" => &["0321751043"],
        "isbn13" => &["978-0321751041"],
        "creditcard" => &["4012888888881881"],
        "ssn" => &["111-11-1111", "111 11 1111"],
        "hexcolor" => &["#fff", "FFFFFF"],
        "rgbcolor" => &["rgb(0,0,0)", "rgb(100,200,100)"],
        "byte" => &["YWJj", "YR=="],
        "date" => &["2020-01-01", "2024-02-29"],
        "duration" => &["1h", "3 days"],
        "datetime" => &["2020-01-01T00:00:00Z", "2024-02-29T23:59:59.5+01:00"],
        _ => return None,
    })
}
