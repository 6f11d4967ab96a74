//! Network addresses: `ipv4`, `ipv6`, `cidr`, `mac`.

use std::net::Ipv6Addr;

/// Whether a string is four decimal numbers with dots, with leading zeros allowed, or an IPv6 form that ends in them
/// (VALUE-045).
pub(super) fn is_version_4(text: &str) -> bool {
    text.contains('.') && is_address(text)
}

/// Whether a string is an IPv6 address in a form of RFC 4291, without a zone.
pub(super) fn is_version_6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// Whether a string is an address of either version, with leading zeros allowed, and the length of its prefix.
pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else {
        return false;
    };
    let most = if numbers(address).is_some_and(str::is_empty) {
        32
    } else if is_old_version_6(address) {
        128
    } else {
        return false;
    };
    matches!(number(length, 10), Some((length, "")) if length <= most)
}

fn is_address(text: &str) -> bool {
    match text.find(['.', ':']) {
        Some(first) if text[first..].starts_with('.') => numbers(text).is_some_and(str::is_empty),
        Some(_) => is_old_version_6(text),
        None => false,
    }
}

/// Parses the four numbers of an IPv4 address. Returns the rest of the string.
fn numbers(text: &str) -> Option<&str> {
    let mut rest = text;
    for index in 0..4 {
        if index > 0 {
            rest = rest.strip_prefix('.')?;
        }
        let (value, after) = number(rest, 10)?;
        if value > 0xFF {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// Parses a number below 0xFFFFFF of any number of digits. Returns it and the rest of the string.
fn number(text: &str, radix: u32) -> Option<(u32, &str)> {
    const TOO_LARGE: u32 = 0xFF_FFFF;
    let end = text.find(|character: char| !character.is_digit(radix)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return None;
    }
    let value = digits
        .chars()
        .filter_map(|digit| digit.to_digit(radix))
        .try_fold(0, |value: u32, digit| Some(value * radix + digit).filter(|&value| value < TOO_LARGE))?;
    Some((value, rest))
}

/// Whether a string is an IPv6 address as Go up to 1.16 parsed it: leading zeros may make a group longer than four
/// digits. Upstream still parses prefixes this way.
fn is_old_version_6(text: &str) -> bool {
    let mut rest = text;
    let (mut groups, mut has_gap) = (0, false);
    if let Some(after) = rest.strip_prefix("::") {
        (rest, has_gap) = (after, true);
        if rest.is_empty() {
            return true;
        }
    }
    while groups < 8 {
        let Some((value, after)) = number(rest, 16) else {
            return false;
        };
        if value > 0xFFFF {
            return false;
        }
        if after.starts_with('.') {
            let has_room = groups <= 6 && (has_gap || groups == 6);
            if !has_room || numbers(rest).is_none_or(|after| !after.is_empty()) {
                return false;
            }
            (groups, rest) = (groups + 2, "");
            break;
        }
        (groups, rest) = (groups + 1, after);
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':').filter(|after| !after.is_empty()) else {
            return false;
        };
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if has_gap {
                return false;
            }
            (rest, has_gap) = (after, true);
            if rest.is_empty() {
                break;
            }
        }
    }
    // A gap (`::`) replaces at least one group.
    rest.is_empty() && (groups < 8) == has_gap
}

/// Whether a string is 6, 8 or 20 octets: joined with colons or dashes, in groups of four digits with dots, or without
/// separators.
pub(super) fn is_hardware(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (separator, digits) = match (bytes.get(2), bytes.get(4)) {
        (Some(separator @ (b':' | b'-')), _) => (Some(*separator), 2),
        (_, Some(b'.')) => (Some(b'.'), 4),
        _ => (None, 2),
    };
    let step = digits + usize::from(separator.is_some());
    let count = bytes.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let is_separator = |index: usize| index % step == digits;
    matches!(count, 12 | 16 | 40)
        && bytes.last().is_some_and(u8::is_ascii_hexdigit)
        && bytes.iter().enumerate().all(|(index, byte)| match separator {
            Some(separator) if is_separator(index) => *byte == separator,
            _ => byte.is_ascii_hexdigit(),
        })
}
