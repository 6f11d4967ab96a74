//! A JSON tree that keeps what `serde_json::Value` forgets: the order of keys, doubled keys, and how a number is written.

use std::fmt::Write as _;

use serde_json::Value;

/// How deep a text may nest before it is refused: far above what generators make, and safe on a small stack. What the server
/// does with deeper texts (REST-007) is tried with raw bytes.
const MAX_DEPTH: usize = 1_000;

/// A JSON text as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number as it is written: `1`, `1.0` and `10e-1` are three.
    Number(String),
    /// A text, without its escapes.
    String(String),
    /// A list.
    Array(Vec<Self>),
    /// Keys and values in the order of the text; a key may stand there twice.
    Object(Vec<(String, Self)>),
}

/// What is wrong with a text that is no JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no JSON at byte {offset}: {problem}")]
pub struct JsonError {
    /// Where in the text, in bytes from 0.
    pub offset: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

impl Json {
    /// The text, without blanks. Numbers are written as they stand in the tree.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_to(&mut text);
        text
    }

    /// Reads a text. Everything that RFC 8259 calls JSON is read; numbers are kept as they are written.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let mut reader = Reader { text, offset: 0 };
        let json = reader.value(0)?;
        reader.skip_blanks();
        if reader.offset < text.len() {
            return Err(reader.error("text behind the value"));
        }
        Ok(json)
    }

    /// The value as a server takes it: of a doubled key the last counts. `None` if a number is beyond float64 (VALUE-005).
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
            Self::Array(elements) => {
                text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    element.write_to(text);
                }
                text.push(']');
            }
            Self::Object(entries) => {
                text.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    write_string(key, text);
                    text.push(':');
                    value.write_to(text);
                }
                text.push('}');
            }
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

struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > MAX_DEPTH {
            return Err(self.error("nested too deep"));
        }
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("no value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.offset += 1;
        let mut entries = Vec::new();
        self.skip_blanks();
        if self.takes(b'}') {
            return Ok(Json::Object(entries));
        }
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'"') {
                return Err(self.error("no key"));
            }
            let key = self.string()?;
            self.skip_blanks();
            if !self.takes(b':') {
                return Err(self.error("no colon behind the key"));
            }
            entries.push((key, self.value(depth + 1)?));
            self.skip_blanks();
            if self.takes(b'}') {
                return Ok(Json::Object(entries));
            }
            if !self.takes(b',') {
                return Err(self.error("no comma between entries"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.offset += 1;
        let mut elements = Vec::new();
        self.skip_blanks();
        if self.takes(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.skip_blanks();
            if self.takes(b']') {
                return Ok(Json::Array(elements));
            }
            if !self.takes(b',') {
                return Err(self.error("no comma between elements"));
            }
        }
    }

    /// A string; `serde_json` undoes the escapes, since its rules for surrogates are the usual ones.
    fn string(&mut self) -> Result<String, JsonError> {
        let start = self.offset;
        let mut end = start + 1;
        loop {
            match self.text.as_bytes().get(end) {
                None => return Err(self.error("a string without an end")),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let quoted = self.text.get(start..=end).ok_or_else(|| self.error("a string without an end"))?;
        let string = serde_json::from_str(quoted).map_err(|_| self.error("a string that JSON does not allow"))?;
        self.offset = end + 1;
        Ok(string)
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.offset;
        let _ = self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if self.takes(b'e') || self.takes(b'E') {
            let _ = self.takes(b'+') || self.takes(b'-');
            self.digits()?;
        }
        Ok(Json::Number(self.text[start..self.offset].to_owned()))
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.offset;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.offset += 1;
        }
        if self.offset == start { Err(self.error("no digit")) } else { Ok(()) }
    }

    fn word(&mut self, word: &'static str, json: Json) -> Result<Json, JsonError> {
        if self.text[self.offset..].starts_with(word) {
            self.offset += word.len();
            return Ok(json);
        }
        Err(self.error("no value"))
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.offset += usize::from(is_there);
        is_there
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    fn error(&self, problem: &'static str) -> JsonError {
        JsonError { offset: self.offset, problem }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::order_and_doubled_keys(r#"{"b":1,"a":2,"b":3}"#)]
    #[case::numbers_as_written("[1,1.0,10e-1,-0,-0.0,1E+2,18446744073709551616]")]
    #[case::words("[null,true,false]")]
    #[case::empty(r#"{"":[],"a":{}}"#)]
    fn text_survives(#[case] text: &str) {
        assert_eq!(Json::parse(text).unwrap().to_text(), text);
    }

    #[test]
    fn escapes_are_undone_and_written_again() {
        let json = Json::parse(r#" [ "a\u00e9\n\"\\\/\ud83d\ude00" ] "#).unwrap();
        assert_eq!(json, Json::Array(vec![Json::String("aé\n\"\\/😀".to_owned())]));
        assert_eq!(Json::parse(&json.to_text()).unwrap(), json);
    }

    #[rstest]
    #[case::leading_zero("01", 1)]
    #[case::plus("+1", 0)]
    #[case::no_fraction("5.", 2)]
    #[case::no_integer_part(".5", 0)]
    #[case::word("nul", 0)]
    #[case::comma("[1,]", 3)]
    #[case::two_values("1 2", 2)]
    #[case::open_string("\"a", 0)]
    #[case::escape_at_the_end("\"\\", 0)]
    #[case::nothing("", 0)]
    fn what_is_no_json_is_refused_with_its_place(#[case] text: &str, #[case] offset: usize) {
        assert_eq!(Json::parse(text).unwrap_err().offset, offset);
    }

    #[test]
    fn too_deep_is_an_error_and_no_overflow() {
        let deep = "[".repeat(MAX_DEPTH + 2);
        assert_eq!(Json::parse(&deep).unwrap_err().problem, "nested too deep");
    }

    #[test]
    fn of_a_doubled_key_the_last_counts() {
        assert_eq!(Json::parse(r#"{"a":1,"a":2.5}"#).unwrap().to_value(), Some(json!({"a": 2.5})));
        assert_eq!(Json::parse("1e400").unwrap().to_value(), None);
    }
}
