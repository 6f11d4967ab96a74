//! The JSON of a body: plain, or exactly as written.

use crdible_generators::json::Json;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Value, json};

/// JSON to send. Most bodies are plain values; where key order, doubled keys or the way a number is written matter, the
/// text is kept as a tree of our own.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A value; its text is whatever `serde_json` writes.
    Plain(Value),
    /// A tree that keeps key order, doubled keys and the text of numbers.
    Exact(Json),
}

impl Content {
    /// The text to send.
    pub fn to_text(&self) -> String {
        match self {
            Self::Plain(value) => value.to_string(),
            Self::Exact(json) => json.to_text(),
        }
    }

    /// The value that a decoder reads from it: the last of doubled keys counts. `None` if a number in it does not fit a
    /// double (`1e400`).
    pub fn to_value(&self) -> Option<Value> {
        match self {
            Self::Plain(value) => Some(value.clone()),
            Self::Exact(json) => json.to_value(),
        }
    }
}

impl From<Value> for Content {
    fn from(value: Value) -> Self {
        Self::Plain(value)
    }
}

impl From<Json> for Content {
    fn from(json: Json) -> Self {
        Self::Exact(json)
    }
}

/// The key under which the exact form is written; a plain object with just this key is written exactly, too.
const EXACT: &str = "$exact";

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(value) if !looks_exact(value) => value.serialize(serializer),
            _ => json!({ EXACT: self.to_text() }).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if !looks_exact(&value) {
            return Ok(Self::Plain(value));
        }
        let text = value[EXACT].as_str().ok_or_else(|| D::Error::custom("`$exact` must hold a JSON text"))?;
        Json::parse(text).map(Self::Exact).map_err(|error| D::Error::custom(format!("`$exact`: {error}")))
    }
}

fn looks_exact(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.len() == 1 && object.contains_key(EXACT))
}
