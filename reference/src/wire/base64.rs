//! Base64 as Go reads it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Decodes base64 like Go, which ignores line breaks.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n')).collect();
    STANDARD.decode(text).ok()
}
