//! Removes secrets from everything that is written.
//!
//! There are two levels. [`Redactor::text`] and [`Redactor::value`] remove known secrets, in any encoding, and private
//! keys: they are for bodies and scenarios, whose generated URLs must not change, or the counterexample would be a
//! different one. [`Redactor::prose`] also removes what looks like a credential in a URL or on a command line: it is
//! for addresses, commands and messages.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

mod encodings;
mod shapes;

/// The replacement of a secret.
pub const PLACEHOLDER: &str = "[redacted]";

/// Secrets shorter than this are ignored: three characters occur everywhere, and removing them would destroy the text
/// and protect nothing.
pub const MINIMUM_LENGTH: usize = 4;

/// JSON nested deeper than this is written as text: a reader's own limit is 128, and an unreadable journal is worse
/// than a scenario that must be parsed twice.
const DEEPEST: usize = 90;

/// Header fields whose values are credentials.
const SECRET_HEADERS: [&str; 5] =
    ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-remote-extra-authorization"];

/// Removes known secrets from texts and JSON values.
#[derive(Clone, Default)]
pub struct Redactor {
    /// The secrets, at least [`MINIMUM_LENGTH`] characters each.
    secrets: Vec<String>,
    /// Every encoding of every secret, the longest first, so that no part of a longer one is left.
    needles: Vec<String>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Debug output of a writer must not contain the secrets.
        formatter.debug_struct("Redactor").field("secrets", &self.secrets.len()).finish_non_exhaustive()
    }
}

impl Redactor {
    /// A redactor of these tokens, passwords and keys, in plain text, base64, percent-encoding and as JSON text.
    /// Surrounding white space is not part of a secret. Those of fewer than [`MINIMUM_LENGTH`] characters are ignored.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let secrets: Vec<String> = secrets
            .into_iter()
            .map(|secret| secret.trim().to_owned())
            .filter(|secret| secret.chars().count() >= MINIMUM_LENGTH)
            .collect();
        let mut needles: Vec<String> = secrets.iter().flat_map(|secret| encodings::of(secret)).collect();
        needles.sort_unstable_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        needles.dedup();
        Self { secrets, needles }
    }

    /// The text without the known secrets and without private keys.
    pub fn text(&self, text: &str) -> String {
        let mut result = shapes::without_private_keys(text).into_owned();
        for needle in &self.needles {
            if result.contains(needle.as_str()) {
                result = result.replace(needle.as_str(), PLACEHOLDER);
            }
        }
        if self.still_holds_a_secret(&result) { PLACEHOLDER.to_owned() } else { result }
    }

    /// Like [`Self::text`], and without user-info and credentials in URLs.
    pub fn prose(&self, text: &str) -> String {
        self.text(&shapes::without_url_credentials(text))
    }

    /// A command line as one string that a shell can parse, without the values of options for credentials.
    pub fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        let mut words = Vec::new();
        let mut hide_next = false;
        for argument in arguments {
            let (shown, hides) =
                if hide_next { (Cow::Borrowed(PLACEHOLDER), false) } else { shapes::without_option_value(argument) };
            hide_next = hides;
            words.push(crate::shell::quoted(&self.prose(&shown)));
        }
        words.join(" ")
    }

    /// The value of a header line: credentials are removed entirely.
    pub fn header(&self, name: &str, value: &str) -> String {
        if SECRET_HEADERS.iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
            return PLACEHOLDER.to_owned();
        }
        self.text(value)
    }

    /// Base64 of bytes that are not text; removed entirely if it contains a secret.
    pub fn base64(&self, encoded: &str) -> String {
        let holds_secret = STANDARD.decode(encoded).is_ok_and(|bytes| {
            self.needles.iter().any(|needle| contains_bytes(&bytes, needle.as_bytes()))
                || contains_bytes(&bytes, b"PRIVATE KEY-----")
        });
        if holds_secret { String::new() } else { self.text(encoded) }
    }

    /// The value with every string in it redacted, keys included. A number that holds a secret becomes a string.
    pub fn value(&self, value: &Value) -> Value {
        self.value_at(value, 0)
    }

    fn value_at(&self, value: &Value, depth: usize) -> Value {
        match value {
            Value::Null | Value::Bool(_) => value.clone(),
            Value::Number(number) => {
                let text = number.to_string();
                if self.secrets.iter().any(|secret| text.contains(secret.as_str())) {
                    Value::String(PLACEHOLDER.to_owned())
                } else {
                    value.clone()
                }
            }
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(_) | Value::Object(_) if depth >= DEEPEST => Value::String(self.text(&value.to_string())),
            Value::Array(items) => items.iter().map(|item| self.value_at(item, depth + 1)).collect(),
            Value::Object(fields) => {
                let mut result = Map::new();
                for (key, field) in fields {
                    let mut name = self.text(key);
                    // Two keys may become equal; neither is lost.
                    while result.contains_key(&name) {
                        name.push('+');
                    }
                    result.insert(name, self.value_at(field, depth + 1));
                }
                Value::Object(result)
            }
        }
    }

    /// A secret in an encoding that is not searched for (only some characters percent-encoded), or one that the
    /// replacement itself created.
    fn still_holds_a_secret(&self, text: &str) -> bool {
        // The placeholder is harmless, even if a secret is a part of it.
        let holds = |text: &str| {
            self.secrets.iter().any(|secret| !PLACEHOLDER.contains(secret.as_str()) && text.contains(secret.as_str()))
        };
        holds(text) || (text.contains('%') && holds(&encodings::percent_decoded(text)))
    }
}

fn contains_bytes(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests;
