//! Keeps secrets out of everything that is written.
//!
//! Two strengths. [`Redactor::text`] and [`Redactor::value`] take out the secrets that are known, in whatever encoding,
//! and private keys: they serve bodies and scenarios, whose generated URLs must stay as they are or the counterexample is
//! another one. [`Redactor::prose`] also takes out what looks like a credential in a URL or on a command line: it serves
//! addresses, commands and messages.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

mod encodings;
mod shapes;

/// What stands where a secret stood.
pub const PLACEHOLDER: &str = "[redacted]";

/// Secrets shorter than this are left alone: three characters occur everywhere, and taking them out would destroy the
/// text and protect nothing.
pub const MINIMUM_LENGTH: usize = 4;

/// JSON that nests deeper than this is written as text: a reader's own bound on nesting is 128, and a journal that cannot
/// be read is worse than a scenario that must be parsed twice.
const DEEPEST: usize = 90;

/// Header fields whose values are credentials.
const SECRET_HEADERS: [&str; 5] =
    ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-remote-extra-authorization"];

/// Takes known secrets out of texts and JSON values.
#[derive(Clone, Default)]
pub struct Redactor {
    /// As they are, at least [`MINIMUM_LENGTH`] characters each.
    secrets: Vec<String>,
    /// Every encoding of every secret, the longest first, so that no part of a longer one is left.
    needles: Vec<String>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Whoever prints a writer for debugging must not print the secrets.
        formatter.debug_struct("Redactor").field("secrets", &self.secrets.len()).finish_non_exhaustive()
    }
}

impl Redactor {
    /// A redactor of these tokens, passwords and keys, in plain text, base64, percent-encoding and as JSON text.
    /// Surrounding white space does not belong to a secret. Those of fewer than [`MINIMUM_LENGTH`] characters are ignored.
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

    /// As [`Self::text`], and without user-info and credentials in URLs.
    pub fn prose(&self, text: &str) -> String {
        self.text(&shapes::without_url_credentials(text))
    }

    /// A command line as one string that a shell reads back, without the values of options that hold credentials.
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

    /// The value of a header line: credentials are dropped whole.
    pub fn header(&self, name: &str, value: &str) -> String {
        if SECRET_HEADERS.iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
            return PLACEHOLDER.to_owned();
        }
        self.text(value)
    }

    /// Base64 of bytes that are no text; dropped whole if there is a secret in them.
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
                    // Two keys may become one; none of them is lost.
                    while result.contains_key(&name) {
                        name.push('+');
                    }
                    result.insert(name, self.value_at(field, depth + 1));
                }
                Value::Object(result)
            }
        }
    }

    /// A secret in an encoding that is no single needle (only some characters percent-encoded), or one that the
    /// replacing itself put together.
    fn still_holds_a_secret(&self, text: &str) -> bool {
        // The placeholder tells nothing, even about a secret that is a part of it.
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
