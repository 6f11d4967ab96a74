//! Addresses, as Go's `net/netip` reads them.

use std::net::{IpAddr, Ipv6Addr};

use crate::quoted;

/// Why Go's `netip.ParseAddr` rejects a string, in its words; `None` if it accepts it.
pub fn fault_of_address(text: &str) -> Option<String> {
    let fault = match text.bytes().find(|byte| b".:%".contains(byte)) {
        _ if text.parse::<IpAddr>().is_ok() => None,
        Some(b'.') => fault_of_v4(text),
        Some(b':') => fault_of_v6(text),
        Some(_) => Some(("missing IPv6 address", None)),
        None => Some(("unable to parse IP", None)),
    };
    let (why, at) = fault?;
    let at = at.map(|at| format!(" (at {})", quoted(at))).unwrap_or_default();
    Some(format!("ParseAddr({}): {why}{at}", quoted(text)))
}

/// What is wrong, and where, if something is.
type Fault<'t> = Option<(&'static str, Option<&'t str>)>;

fn fault_of_v4(text: &str) -> Fault<'_> {
    let (mut value, mut digits, mut fields) = (0, 0, 0);
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Some(("IPv4 field has octet with leading zero", None));
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Some(("IPv4 field has value >255", None));
                }
            }
            b'.' => {
                if digits == 0 || position + 1 == text.len() {
                    return Some(("IPv4 field must have at least one digit", Some(&text[position..])));
                }
                if fields == 3 {
                    return Some(("IPv4 address too long", None));
                }
                fields += 1;
                (value, digits) = (0, 0);
            }
            _ => return Some(("unexpected character", Some(&text[position..]))),
        }
    }
    if fields < 3 { Some(("IPv4 address too short", None)) } else { None }
}

fn fault_of_v6(text: &str) -> Fault<'_> {
    let (address, zone) = text.split_once('%').map_or((text, None), |(address, zone)| (address, Some(zone)));
    if zone == Some("") {
        return Some(("zone must be a non-empty string", None));
    }
    if zone.is_some() && address.parse::<Ipv6Addr>().is_ok() {
        return None;
    }
    let mut rest = address;
    let mut has_ellipsis = false;
    if let Some(after) = rest.strip_prefix("::") {
        (has_ellipsis, rest) = (true, after);
    }
    // How many of 16 bytes were read.
    let mut read = 0;
    while read < 16 {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        match digits {
            0 => return Some(("each colon-separated field must have at least one digit", Some(rest))),
            1..=4 => {}
            _ => return Some(("each group must have 4 or less digits", Some(rest))),
        }
        let after = &rest[digits..];
        if after.starts_with('.') {
            if !has_ellipsis && read != 12 {
                return Some(("embedded IPv4 address must replace the final 2 fields of the address", Some(rest)));
            }
            if read + 4 > 16 {
                return Some(("too many hex fields to fit an embedded IPv4 at the end of the address", Some(rest)));
            }
            if let Some(wrong) = fault_of_v4(rest) {
                return Some(wrong);
            }
            (rest, read) = ("", read + 4);
            break;
        }
        (rest, read) = (after, read + 2);
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else { return Some(("unexpected character, want colon", Some(rest))) };
        if after.is_empty() {
            return Some(("colon must be followed by more characters", Some(rest)));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if has_ellipsis {
                return Some(("multiple :: in address", Some(rest)));
            }
            (has_ellipsis, rest) = (true, after);
            if rest.is_empty() {
                break;
            }
        }
    }
    match (rest.is_empty(), read < 16, has_ellipsis) {
        (false, ..) => Some(("trailing garbage after address", Some(rest))),
        (true, true, false) => Some(("address string too short", None)),
        (true, false, true) => Some(("the :: must expand to at least one field of zeros", None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::fault_of_address;

    /// As Go answers.
    #[rstest]
    #[case("a", "unable to parse IP")]
    #[case("a%b", "missing IPv6 address")]
    #[case("1.2.3", "IPv4 address too short")]
    #[case("1.2.3.4.5", "IPv4 address too long")]
    #[case("1.2.3.256", "IPv4 field has value >255")]
    #[case("1.2.3.04", "IPv4 field has octet with leading zero")]
    #[case("1.2..4", "IPv4 field must have at least one digit (at \".4\")")]
    #[case("1.2.3.x", "unexpected character (at \"x\")")]
    #[case(":", "each colon-separated field must have at least one digit (at \":\")")]
    #[case("1:2", "address string too short")]
    #[case("12345::", "each group must have 4 or less digits (at \"12345::\")")]
    #[case("1::2::3", "multiple :: in address (at \":3\")")]
    #[case("1:", "colon must be followed by more characters (at \":\")")]
    #[case("1:x", "each colon-separated field must have at least one digit (at \"x\")")]
    #[case("1x:", "unexpected character, want colon (at \"x:\")")]
    #[case("1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")")]
    #[case("1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros")]
    #[case("::%", "zone must be a non-empty string")]
    #[case("1:1.2.3.4", "embedded IPv4 address must replace the final 2 fields of the address (at \"1.2.3.4\")")]
    fn faults_have_the_words_of_go(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(fault_of_address(text), Some(format!("ParseAddr(\"{text}\"): {expected}")));
    }

    #[rstest]
    fn addresses_have_none(
        #[values("1.2.3.4", "::", "1::", "::1.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:8")] text: &str,
    ) {
        assert_eq!(fault_of_address(text), None);
    }
}
