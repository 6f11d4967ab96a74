//! Digests of journals and documents, by which an accidental change shows. They prove nothing about who wrote a file:
//! it can be changed on purpose, with a new digest.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The field of a footer and of a document that holds the digest.
pub const FIELD: &str = "digest";

/// A footer or a document as it is written, with its digest behind it.
#[derive(Debug, Serialize)]
pub struct Sealed<'a, T> {
    /// What is written.
    #[serde(flatten)]
    pub content: &'a T,
    /// Of a footer that of all lines before it, of a document its own.
    pub digest: String,
}

/// The digest of all bytes that were hashed: `sha256:` and 64 hexadecimal digits.
pub fn named(hash: Sha256) -> String {
    let mut name = "sha256:".to_owned();
    for byte in hash.finalize() {
        // Writing into memory does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// The digest of a document: of its text without the field `digest`, without white space and with sorted keys. So it
/// stays the same if the document is only laid out in another way.
pub fn of_document(document: &Value) -> String {
    let mut text = String::new();
    match document {
        Value::Object(_) => canonical(document, &|key| key != FIELD, &mut text),
        _ => canonical(document, &|_| true, &mut text),
    }
    named(Sha256::new_with_prefix(text.as_bytes()))
}

/// Appends the value; `keeps` decides on the keys of its outermost object.
fn canonical(value: &Value, keeps: &dyn Fn(&str) -> bool, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().filter(|key| keeps(key)).collect();
            keys.sort_unstable();
            text.push('{');
            for (at, key) in keys.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                canonical(&fields[key.as_str()], &|_| true, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                canonical(item, &|_| true, text);
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::of_document;

    #[test]
    fn layout_order_and_the_digest_itself_do_not_count_and_everything_else_does() {
        let document = json!({"b": [1, {"z": "\n", "digest": 2}], "a": 1.5});
        let other: Value =
            serde_json::from_str("{ \"a\":1.5, \"digest\": \"sha256:0\",\n\"b\":[1,{\"digest\":2,\"z\":\"\\n\"}]}")
                .unwrap();
        assert_eq!(of_document(&document), of_document(&other));
        // Of {"a":1.5,"b":[1,{"digest":2,"z":"\n"}]}, by `sha256sum`.
        assert_eq!(of_document(&document), "sha256:19376655eafcb4d62f3a31f082f5065432c4b0f7f0a6ad374ac7d6ab7ac89766");
        for changed in [
            json!({"b": [1, {"z": "\n"}], "a": 1.5}),
            json!({"b": [1, {"z": " ", "digest": 2}], "a": 1.5}),
            json!({"b": [{"z": "\n", "digest": 2}, 1], "a": 1.5}),
        ] {
            assert_ne!(of_document(&document), of_document(&changed));
        }
    }
}
