//! A JSON tree that keeps what `serde_json::Value` drops: the order of keys, duplicate keys, and how a number is
//! written.

mod parse;

use std::fmt::Write as _;

use serde_json::Value;

pub use parse::JsonError;

/// JSON text as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number as written: `1`, `1.0` and `10e-1` differ.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// Keys and values in the order of the text; keys may repeat.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// Serializes the tree, without white space. Numbers are written as they are in the tree.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_to(&mut text);
        text
    }

    /// The value as a server reads it: the last of duplicate keys wins. `None` if a number is out of the range of
    /// float64 (VALUE-005).
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Bool(bool) => Value::Bool(*bool),
            Self::Number(text) => serde_json::from_str::<Value>(text).ok().filter(Value::is_number)?,
            Self::String(text) => Value::String(text.clone()),
            Self::Array(elements) => Value::Array(elements.iter().map(Self::to_value).collect::<Option<_>>()?),
            Self::Object(entries) => {
                let mut object = serde_json::Map::new();
                for (key, value) in entries {
                    object.insert(key.clone(), value.to_value()?);
                }
                Value::Object(object)
            }
        })
    }

    fn write_to(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(true) => text.push_str("true"),
            Self::Bool(false) => text.push_str("false"),
            Self::Number(number) => text.push_str(number),
            Self::String(string) => write_string(string, text),
            Self::Array(elements) => write_list(['[', ']'], elements, text, Self::write_to),
            Self::Object(entries) => write_list(['{', '}'], entries, text, |(key, value), text| {
                write_string(key, text);
                text.push(':');
                value.write_to(text);
            }),
        }
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(bool) => Self::Bool(*bool),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(elements) => Self::Array(elements.iter().map(Self::from).collect()),
            Value::Object(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
            }
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

fn write_list<T>([begin, end]: [char; 2], items: &[T], text: &mut String, write: impl Fn(&T, &mut String)) {
    text.push(begin);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(item, text);
    }
    text.push(end);
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::order_and_duplicate_keys(r#"{"b":1,"a":2,"b":3}"#)]
    #[case::numbers_as_written("[1,1.0,10e-1,-0,-0.0,1E+2,18446744073709551616]")]
    #[case::words("[null,true,false]")]
    #[case::empty(r#"{"":[],"a":{}}"#)]
    fn parsing_and_writing_keeps_the_text(#[case] text: &str) {
        assert_eq!(Json::parse(text).unwrap().to_text(), text);
    }

    #[test]
    fn escapes_are_decoded_and_written_again() {
        let json = Json::parse(r#" [ "a\u00e9\n\"\\\/\ud83d\ude00" ] "#).unwrap();
        assert_eq!(json, Json::Array(vec![Json::String("aé\n\"\\/😀".to_owned())]));
        assert_eq!(Json::parse(&json.to_text()).unwrap(), json);
    }

    #[test]
    fn the_last_of_duplicate_keys_wins() {
        assert_eq!(Json::parse(r#"{"a":1,"a":2.5}"#).unwrap().to_value(), Some(json!({"a": 2.5})));
        assert_eq!(Json::parse("1e400").unwrap().to_value(), None);
    }
}
