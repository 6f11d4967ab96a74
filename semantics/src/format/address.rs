//! Addresses of networks: `ipv4`, `ipv6`, `cidr`, `mac`.

use std::net::Ipv6Addr;

/// Four numbers with dots, leading zeros allowed; also whatever form of version 6 ends in them (VALUE-045).
pub(super) fn is_version_4(text: &str) -> bool {
    text.contains('.') && is_address(text)
}

/// All text forms of RFC 4291, without a zone.
pub(super) fn is_version_6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// An address of either version, leading zeros allowed, and the length of its prefix.
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

/// Reads the four numbers of version 4 and gives what is behind them.
fn numbers(text: &str) -> Option<&str> {
    let mut rest = text;
    for index in 0..4 {
        if index > 0 {
            rest = rest.strip_prefix('.')?;
        }
        let (value, behind) = number(rest, 10)?;
        if value > 0xFF {
            return None;
        }
        rest = behind;
    }
    Some(rest)
}

/// Reads a number of any count of digits below 0xFFFFFF and gives what is behind it.
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

/// Version 6 as Go read it until 1.16, which is how upstream still reads prefixes: a group may have leading zeros beyond four
/// digits.
fn is_old_version_6(text: &str) -> bool {
    let mut rest = text;
    let (mut groups, mut has_gap) = (0, false);
    if let Some(behind) = rest.strip_prefix("::") {
        (rest, has_gap) = (behind, true);
        if rest.is_empty() {
            return true;
        }
    }
    while groups < 8 {
        let Some((value, behind)) = number(rest, 16) else {
            return false;
        };
        if value > 0xFFFF {
            return false;
        }
        if behind.starts_with('.') {
            let has_room = groups <= 6 && (has_gap || groups == 6);
            if !has_room || numbers(rest).is_none_or(|behind| !behind.is_empty()) {
                return false;
            }
            (groups, rest) = (groups + 2, "");
            break;
        }
        (groups, rest) = (groups + 1, behind);
        if rest.is_empty() {
            break;
        }
        let Some(behind) = rest.strip_prefix(':').filter(|behind| !behind.is_empty()) else {
            return false;
        };
        rest = behind;
        if let Some(behind) = rest.strip_prefix(':') {
            if has_gap {
                return false;
            }
            (rest, has_gap) = (behind, true);
            if rest.is_empty() {
                break;
            }
        }
    }
    // A gap stands for one group at least.
    rest.is_empty() && (groups < 8) == has_gap
}

/// 6, 8 or 20 octets with colons, with dashes, in fours with dots, or without anything between them.
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
