//! Identifiers and data in digits: `bsonobjectid`, `uuid`, `byte`.

pub(super) fn is_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Five groups of hexadecimal digits; each dash between them may be missing. A version asks for its digit, and 4 and 5 for one
/// of four variants.
pub(super) fn is_uuid(text: &str, version: Option<u8>) -> bool {
    let mut rest = text.as_bytes();
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b"-").unwrap_or(rest);
        }
        let Some((group, behind)) = rest.split_at_checked(length) else {
            return false;
        };
        let first = group[0].to_ascii_lowercase();
        let fits = match (index, version) {
            (2, Some(version)) => first == version,
            (3, Some(b'4' | b'5')) => matches!(first, b'8' | b'9' | b'a' | b'b'),
            _ => true,
        };
        if !fits || !group.iter().all(u8::is_ascii_hexdigit) {
            return false;
        }
        rest = behind;
    }
    rest.is_empty()
}

/// Groups of four, one at least, the last one padded. Unused bits may be set.
pub(super) fn is_base64(text: &str) -> bool {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    !text.is_empty()
        && text.len().is_multiple_of(4)
        && data.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}
