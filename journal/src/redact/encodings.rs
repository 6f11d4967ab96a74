//! The encodings in which a secret can occur in a text.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// The secret itself and its encodings.
pub(super) fn of(secret: &str) -> Vec<String> {
    let mut forms = vec![secret.to_owned()];
    forms.extend(base64_forms(secret));
    for upper in [true, false] {
        let percent = percent_encoded(secret, upper);
        forms.push(percent.replace("%20", "+"));
        forms.push(percent);
    }
    let json = serde_json::Value::String(secret.to_owned()).to_string();
    forms.push(json[1..json.len() - 1].to_owned());
    // JSON may escape the slash, and Go's encoder escapes characters that are special in HTML.
    forms.push(json[1..json.len() - 1].replace('/', "\\/"));
    forms.push(json[1..json.len() - 1].replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"));
    forms
}

/// Base64 of the secret by itself, and the part that is the same wherever the secret occurs in a longer encoded text
/// (`user:secret` in Basic authentication): three alignments, without the characters that share bits with its
/// neighbours.
fn base64_forms(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for engine in [&STANDARD, &URL_SAFE] {
        forms.push(engine.encode(secret));
        for (offset, skip) in [(0, 0), (1, 2), (2, 3)] {
            let mut bytes = vec![0; offset];
            bytes.extend_from_slice(secret.as_bytes());
            let whole = bytes.len() * 8 / 6;
            let encoded = engine.encode(&bytes);
            // At least four characters, since a secret has at least four bytes.
            forms.push(encoded[skip..whole].to_owned());
        }
    }
    forms
}

fn percent_encoded(secret: &str, upper: bool) -> String {
    let mut encoded = String::new();
    for byte in secret.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = if upper { write!(encoded, "%{byte:02X}") } else { write!(encoded, "%{byte:02x}") };
        }
    }
    encoded
}

/// The text with every `%xx` decoded; invalid UTF-8 is replaced.
pub(super) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = hex.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
