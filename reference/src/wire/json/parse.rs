//! The parser of request bodies.
//!
//! `serde_json` cannot do three things that upstream does: report repeated keys with their paths, read integers beyond
//! int64 as floats, and read invalid UTF-8 and lone surrogates as U+FFFD instead of failing.

use std::fmt::{self, Write as _};

use serde_json::{Map, Number, Value};
use thiserror::Error;

use super::text;

/// The maximum nesting of a body (REST-007).
pub(crate) const MAX_NESTING: usize = 10_000;

/// The maximum number of repeated keys that are reported, as upstream.
const MAX_DUPLICATES: usize = 100;

/// A parsed body.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The value. Of repeated keys, the last one counts (REST-053).
    pub(crate) value: Value,
    /// Repeated keys, each once, in text order.
    pub(crate) duplicates: Vec<Repeated>,
}

/// A key that appears more than once in an object (REST-051).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// In JSON: its path (`spec.list[0].a`).
    Field(String),
    /// In YAML: the line of its value, and the key, in quotes if it is a string.
    Key { line: usize, key: String },
}

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(path) => write!(f, "duplicate field \"{path}\""),
            Self::Key { line, key } => write!(f, "line {line}: key {key} already set in map"),
        }
    }
}

/// Why a body is not valid JSON.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum JsonError {
    #[error("unexpected end of JSON input")]
    End,
    #[error("invalid character at offset {offset}: expected {expected}")]
    Unexpected { offset: usize, expected: &'static str },
    #[error("number at offset {offset} does not fit a float64")]
    Number { offset: usize },
    #[error("exceeded max depth of {MAX_NESTING}")]
    TooDeep,
}

/// An upper bound of the nesting of a text, computed without recursion.
pub(crate) fn nesting(body: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(inside) = bytes.next() {
                    match inside {
                        b'\\' => {
                            bytes.next();
                        }
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

/// Parses one JSON value; only whitespace may follow it (REST-010).
pub(crate) fn parse(body: &[u8]) -> Result<Parsed, JsonError> {
    if nesting(body) > MAX_NESTING {
        return Err(JsonError::TooDeep);
    }
    read(body)
}

/// Parses JSON that this server wrote, with any nesting. Returns null if it is invalid.
pub(crate) fn read_own(text: &[u8]) -> Value {
    read(text).map_or(Value::Null, |parsed| parsed.value)
}

fn read(body: &[u8]) -> Result<Parsed, JsonError> {
    let mut reader = Reader { body, at: 0, duplicates: Vec::new() };
    reader.skip_whitespace();
    let value = reader.value(&Position::Root)?;
    reader.skip_whitespace();
    if reader.at < body.len() {
        return Err(reader.unexpected("the end of the text"));
    }
    Ok(Parsed { value, duplicates: reader.duplicates })
}

/// The position of the reader. It lives on the stack, and becomes a path only for a repeated key.
enum Position<'a> {
    Root,
    Key(&'a Self, &'a str),
    Index(&'a Self, usize),
}

impl Position<'_> {
    fn write(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Key(parent, key) => {
                parent.write(out);
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Self::Index(parent, index) => {
                parent.write(out);
                // Writing to a String cannot fail.
                let _ = write!(out, "[{index}]");
            }
        }
    }
}

struct Reader<'b> {
    body: &'b [u8],
    at: usize,
    duplicates: Vec<Repeated>,
}

impl Reader<'_> {
    fn value(&mut self, position: &Position<'_>) -> Result<Value, JsonError> {
        match self.peek()? {
            b'{' => self.object(position),
            b'[' => self.array(position),
            b'"' => {
                self.at += 1;
                Ok(Value::String(self.string()?))
            }
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn object(&mut self, position: &Position<'_>) -> Result<Value, JsonError> {
        self.at += 1;
        let mut map = Map::new();
        self.skip_whitespace();
        if self.peek()? == b'}' {
            self.at += 1;
            return Ok(Value::Object(map));
        }
        loop {
            self.skip_whitespace();
            self.expect(b'"', "a key in quotes")?;
            let key = self.string()?;
            self.skip_whitespace();
            self.expect(b':', "':'")?;
            self.skip_whitespace();
            if map.contains_key(&key) {
                self.duplicate(&Position::Key(position, &key));
            }
            let value = self.value(&Position::Key(position, &key))?;
            map.insert(key, value);
            self.skip_whitespace();
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Ok(Value::Object(map));
                }
                _ => return Err(self.unexpected("',' or '}'")),
            }
        }
    }

    fn array(&mut self, position: &Position<'_>) -> Result<Value, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_whitespace();
        if self.peek()? == b']' {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_whitespace();
            items.push(self.value(&Position::Index(position, items.len()))?);
            self.skip_whitespace();
            match self.peek()? {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                _ => return Err(self.unexpected("',' or ']'")),
            }
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let (string, length) = text::read(&self.body[self.at..]).map_err(|error| match error {
            text::TextError::End => JsonError::End,
            text::TextError::Bad { offset, expected } => JsonError::Unexpected { offset: self.at + offset, expected },
        })?;
        self.at += length;
        Ok(string)
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<Value, JsonError> {
        if self.body[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.unexpected("true, false or null"))
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        let mut integral = true;
        if self.body[self.at] == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.unexpected("a digit")),
        }
        if self.next_is(b'.') {
            integral = false;
            self.at += 1;
            self.one_digit_at_least()?;
        }
        if self.next_is(b'e') || self.next_is(b'E') {
            integral = false;
            self.at += 1;
            if self.next_is(b'+') || self.next_is(b'-') {
                self.at += 1;
            }
            self.one_digit_at_least()?;
        }
        let token = std::str::from_utf8(&self.body[start..self.at]).unwrap_or_default();
        if integral && let Ok(integer) = token.parse::<i64>() {
            return Ok(Value::from(integer));
        }
        let float = token.parse::<f64>().ok().and_then(Number::from_f64);
        float.map(Value::Number).ok_or(JsonError::Number { offset: start })
    }

    fn one_digit_at_least(&mut self) -> Result<(), JsonError> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.unexpected("a digit"));
        }
        self.digits();
        Ok(())
    }

    fn digits(&mut self) {
        while self.body.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    fn next_is(&self, byte: u8) -> bool {
        self.body.get(self.at) == Some(&byte)
    }

    fn duplicate(&mut self, position: &Position<'_>) {
        let mut path = String::new();
        position.write(&mut path);
        let repeated = Repeated::Field(path);
        if self.duplicates.len() < MAX_DUPLICATES && !self.duplicates.contains(&repeated) {
            self.duplicates.push(repeated);
        }
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.body.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Result<u8, JsonError> {
        self.body.get(self.at).copied().ok_or(JsonError::End)
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), JsonError> {
        if self.peek()? != byte {
            return Err(self.unexpected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> JsonError {
        JsonError::Unexpected { offset: self.at, expected }
    }
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::value_005_int64_max("9223372036854775807", json!(i64::MAX))]
    #[case::value_005_beyond_int64("9223372036854775808", json!(9_223_372_036_854_775_808.0_f64))]
    #[case::value_005_minus_zero("-0", json!(0))]
    #[case::value_005_float("1.0", json!(1.0))]
    #[case::value_005_exponent("1e3", json!(1000.0))]
    #[case::rest_053_last_wins(r#"{"a":1,"a":2}"#, json!({"a": 2}))]
    #[case::whitespace(" [ 1 , { } , [ ] ] \n", json!([1, {}, []]))]
    #[case::escapes(r#""\u0041\n\ud83d\ude00\/""#, json!("A\n😀/"))]
    #[case::lone_surrogate(r#""\ud800x""#, json!("\u{fffd}x"))]
    fn valid_json_is_parsed(#[case] text: &str, #[case] expected: Value) {
        assert_eq!(parse(text.as_bytes()).unwrap().value, expected);
    }

    #[rstest]
    #[case("")]
    #[case("01")]
    #[case("+1")]
    #[case(".5")]
    #[case("5.")]
    #[case("NaN")]
    #[case("0x10")]
    #[case("1e400")]
    #[case("{} {}")]
    #[case("{\"a\"}")]
    #[case("[1,]")]
    #[case("\"\n\"")]
    #[case("\"\\x\"")]
    #[case("tru")]
    fn invalid_json_is_refused(#[case] text: &str) {
        parse(text.as_bytes()).unwrap_err();
    }

    #[test]
    fn each_byte_of_invalid_utf8_becomes_a_replacement_character() {
        assert_eq!(parse(b"\"a\xff\xfeb\"").unwrap().value, json!("a\u{fffd}\u{fffd}b"));
    }

    #[test]
    fn rest_051_repeated_keys_are_reported_once_with_their_paths() {
        let parsed = parse(br#"{"spec":{"x":1,"x":2,"x":3,"l":[{"y":1,"y":1}]},"spec":{}}"#).unwrap();
        assert_eq!(parsed.duplicates, ["spec.x", "spec.l[0].y", "spec"].map(|path| Repeated::Field(path.into())));
    }

    #[test]
    fn rest_007_nesting_is_bounded() {
        assert_eq!(parse("[".repeat(MAX_NESTING + 1).as_bytes()).unwrap_err(), JsonError::TooDeep);
        assert_eq!(nesting(br#"{"a":"[[[\"[[","b":[[1]]}"#), 3);
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_serde_json_where_that_succeeds(text in r#"[\[\]{}:,"a0-9\\u.eE+ -]{0,24}"#) {
            if let Ok(expected) = serde_json::from_str::<Value>(&text) {
                let read = parse(text.as_bytes()).unwrap().value;
                proptest::prop_assert_eq!(read.to_string().replace("-0.0", "0").replace(".0", ""), expected.to_string().replace("-0.0", "0").replace(".0", ""));
            }
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
            let _ = parse(&bytes);
        }
    }
}
