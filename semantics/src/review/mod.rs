//! Conversion reviews: what a server asks of a webhook, and what it demands of the answer (sections 9.2 and 9.3).

use serde_json::Value;

mod answer;
mod metadata;
mod request;

pub(crate) use answer::{
    check_count, check_identity, check_result, check_review, check_type, converted_objects, take_converted,
};
pub(crate) use metadata::{check_map, restore, take_map};
pub(crate) use request::{known_version, needs_webhook, write};

/// The kind of reviews.
const KIND: &str = "ConversionReview";
/// Their group.
const GROUP: &str = "apiextensions.k8s.io";

/// What a webhook is asked: one call.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The version of the review: `v1` or `v1beta1`.
    pub review: &'a str,
    /// What identifies the call.
    pub uid: &'a str,
    /// The `apiVersion` that the objects shall have.
    pub desired: &'a str,
    /// The objects.
    pub objects: &'a [Value],
}

/// Why the answer of a webhook is no conversion. Its text is the end of the message that clients get (CONV-021).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unconverted {
    /// The call failed: `conversion webhook for … failed: <cause>`.
    #[error("{0}")]
    Failed(String),
    /// An object is not what was asked for: `conversion webhook for … returned <what>`.
    #[error("returned {0}")]
    Returned(String),
    /// An object cannot be read at all. The message names no webhook (CONV-014).
    #[error("{0}")]
    Unreadable(String),
}

impl Unconverted {
    /// The message about the conversion of an object of this `apiVersion` and kind.
    pub fn message(&self, api_version: &str, kind: &str) -> String {
        let webhook = format!("conversion webhook for {api_version}, Kind={kind}");
        match self {
            Self::Failed(cause) => format!("{webhook} failed: {cause}"),
            Self::Returned(what) => format!("{webhook} returned {what}"),
            Self::Unreadable(cause) => cause.clone(),
        }
    }
}

/// The type of a value as upstream names it in messages.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// A text field of an object; empty if it is something else.
fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A text field of `metadata`; empty if it is something else.
fn meta_text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get("metadata").map_or("", |metadata| text(metadata, field))
}
