//! The parser of request bodies.
//!
//! `serde_json` cannot do three things that upstream does: report repeated keys with their paths, read integers beyond
//! int64 as floats, and read invalid UTF-8 and lone surrogates as U+FFFD instead of failing.

use std::fmt::{self, Write as _};

use crdible_semantics::go_text;
use serde_json::{Map, Number, Value};
use thiserror::Error;

use super::text;

/// The maximum nesting of a body (REST-007).
pub(crate) const MAX_NESTING: usize = 10_000;

/// The maximum number of repeated keys that are reported, as upstream.
const MAX_DUPLICATES: usize = 100;

/// The letters of the words of JSON, each with the place of another one in its stead.
const TRUE: &[(u8, &str)] = &[
    (b't', ""),
    (b'r', "in literal true (expecting 'r')"),
    (b'u', "in literal true (expecting 'u')"),
    (b'e', "in literal true (expecting 'e')"),
];
const FALSE: &[(u8, &str)] = &[
    (b'f', ""),
    (b'a', "in literal false (expecting 'a')"),
    (b'l', "in literal false (expecting 'l')"),
    (b's', "in literal false (expecting 's')"),
    (b'e', "in literal false (expecting 'e')"),
];
const NULL: &[(u8, &str)] = &[
    (b'n', ""),
    (b'u', "in literal null (expecting 'u')"),
    (b'l', "in literal null (expecting 'l')"),
    (b'l', "in literal null (expecting 'l')"),
];

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
    /// A byte that may not stand there, and where it stands, in upstream's words.
    #[error("invalid character {} {place}", shown(*.byte))]
    Unexpected { byte: u8, place: &'static str },
    /// The text is JSON, but no float64 holds this number.
    #[error("json: cannot unmarshal number {0} into Go value of type float64")]
    Number(String),
}

/// A byte as upstream shows it, which takes it for a code point.
fn shown(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        byte => {
            let quoted = go_text::quoted(char::from(byte).encode_utf8(&mut [0; 4]));
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}

/// The place of what would make a text nested too deeply.
const TOO_DEEP: &str = "exceeded max depth";

/// An upper bound of the nesting of a text, computed without recursion.
pub(crate) fn nesting(body: &[u8]) -> usize {
    let mut deepest = 0;
    each_depth(body, |_, depth| {
        deepest = deepest.max(depth);
        true
    });
    deepest
}

/// Where a text becomes nested too deeply, if it does.
fn too_deep(body: &[u8]) -> Option<usize> {
    let mut found = None;
    each_depth(body, |at, depth| {
        found = (depth > MAX_NESTING).then_some(at);
        found.is_none()
    });
    found
}

/// Shows each bracket that opens, with the depth behind it, until it is enough.
fn each_depth(body: &[u8], mut goes_on: impl FnMut(usize, usize) -> bool) {
    let mut depth = 0_usize;
    let mut bytes = body.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if !goes_on(at, depth) {
                    return;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some((_, inside)) = bytes.next() {
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
}

/// Parses one JSON value; only whitespace may follow it (REST-010).
pub(crate) fn parse(body: &[u8]) -> Result<Parsed, JsonError> {
    if let Some(at) = too_deep(body) {
        return Err(JsonError::Unexpected { byte: body[at], place: TOO_DEEP });
    }
    read(body)
}

/// Parses JSON that this server wrote, with any nesting. Returns null if it is invalid.
pub(crate) fn read_own(text: &[u8]) -> Value {
    read(text).map_or(Value::Null, |parsed| parsed.value)
}

fn read(body: &[u8]) -> Result<Parsed, JsonError> {
    let mut reader = Reader { body, at: 0, duplicates: Vec::new(), out_of_range: None };
    reader.skip_whitespace();
    let value = reader.value(&Position::Root)?;
    reader.skip_whitespace();
    if reader.at < body.len() {
        return Err(reader.unexpected("after top-level value"));
    }
    match reader.out_of_range {
        Some(number) => Err(JsonError::Number(number)),
        None => Ok(Parsed { value, duplicates: reader.duplicates }),
    }
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
    /// The first number that no float64 holds. The rest of the text counts first.
    out_of_range: Option<String>,
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
            b't' => self.word(TRUE, Value::Bool(true)),
            b'f' => self.word(FALSE, Value::Bool(false)),
            b'n' => self.word(NULL, Value::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.unexpected("looking for beginning of value")),
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
            self.expect(b'"', "looking for beginning of object key string")?;
            let key = self.string()?;
            self.skip_whitespace();
            self.expect(b':', "after object key")?;
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
                _ => return Err(self.unexpected("after object key:value pair")),
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
                _ => return Err(self.unexpected("after array element")),
            }
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let (string, length) = text::read(&self.body[self.at..]).map_err(|error| match error {
            text::TextError::End => JsonError::End,
            text::TextError::Bad { offset, place } => {
                let byte = self.body.get(self.at + offset).copied().unwrap_or(b' ');
                JsonError::Unexpected { byte, place }
            }
        })?;
        self.at += length;
        Ok(string)
    }

    fn word(&mut self, letters: &[(u8, &'static str)], value: Value) -> Result<Value, JsonError> {
        for (letter, place) in letters {
            if self.next() != *letter {
                return Err(self.unexpected(place));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        let mut integral = true;
        if self.body[self.at] == b'-' {
            self.at += 1;
        }
        match self.next() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.unexpected("in numeric literal")),
        }
        if self.next_is(b'.') {
            integral = false;
            self.at += 1;
            self.one_digit_at_least("after decimal point in numeric literal")?;
        }
        if self.next_is(b'e') || self.next_is(b'E') {
            integral = false;
            self.at += 1;
            if self.next_is(b'+') || self.next_is(b'-') {
                self.at += 1;
            }
            self.one_digit_at_least("in exponent of numeric literal")?;
        }
        let token = std::str::from_utf8(&self.body[start..self.at]).unwrap_or_default();
        if integral && let Ok(integer) = token.parse::<i64>() {
            return Ok(Value::from(integer));
        }
        let float = token.parse::<f64>().ok().and_then(Number::from_f64);
        Ok(float.map_or_else(
            || {
                self.out_of_range.get_or_insert_with(|| token.to_owned());
                Value::Null
            },
            Value::Number,
        ))
    }

    fn one_digit_at_least(&mut self, place: &'static str) -> Result<(), JsonError> {
        if !self.next().is_ascii_digit() {
            return Err(self.unexpected(place));
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

    /// The next byte. Upstream reads a blank behind the end of a text, which no word and no number may have inside.
    fn next(&self) -> u8 {
        self.body.get(self.at).copied().unwrap_or(b' ')
    }

    fn peek(&self) -> Result<u8, JsonError> {
        self.body.get(self.at).copied().ok_or(JsonError::End)
    }

    fn expect(&mut self, byte: u8, place: &'static str) -> Result<(), JsonError> {
        if self.peek()? != byte {
            return Err(self.unexpected(place));
        }
        self.at += 1;
        Ok(())
    }

    fn unexpected(&self, place: &'static str) -> JsonError {
        JsonError::Unexpected { byte: self.next(), place }
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

    // As Go's encoding/json says.
    #[rstest]
    #[case("", "unexpected end of JSON input")]
    #[case("01", "invalid character '1' after top-level value")]
    #[case("+1", "invalid character '+' looking for beginning of value")]
    #[case(".5", "invalid character '.' looking for beginning of value")]
    #[case("5.", "invalid character ' ' after decimal point in numeric literal")]
    #[case("[-", "invalid character ' ' in numeric literal")]
    #[case("nul", "invalid character ' ' in literal null (expecting 'l')")]
    #[case("[1", "unexpected end of JSON input")]
    #[case("\"a", "unexpected end of JSON input")]
    #[case("\"\\", "invalid character ' ' in string escape code")]
    #[case("\"\\u0", "invalid character ' ' in \\u hexadecimal character escape")]
    #[case("5.x", "invalid character 'x' after decimal point in numeric literal")]
    #[case("-x", "invalid character 'x' in numeric literal")]
    #[case("1ex", "invalid character 'x' in exponent of numeric literal")]
    #[case("NaN", "invalid character 'N' looking for beginning of value")]
    #[case("0x10", "invalid character 'x' after top-level value")]
    #[case("[1e400]", "json: cannot unmarshal number 1e400 into Go value of type float64")]
    #[case("[1e400, 1e500]", "json: cannot unmarshal number 1e400 into Go value of type float64")]
    #[case("{\"a\":1e400,}", "invalid character '}' looking for beginning of object key string")]
    #[case("{} {}", "invalid character '{' after top-level value")]
    #[case("{\"a\"}", "invalid character '}' after object key")]
    #[case("{\"a\":1 2", "invalid character '2' after object key:value pair")]
    #[case("{,", "invalid character ',' looking for beginning of object key string")]
    #[case("[1 2", "invalid character '2' after array element")]
    #[case("[1,]", "invalid character ']' looking for beginning of value")]
    #[case("\"\n\"", "invalid character '\\n' in string literal")]
    #[case("\"\\x\"", "invalid character 'x' in string escape code")]
    #[case("\"\\u00'0\"", "invalid character '\\'' in \\u hexadecimal character escape")]
    #[case("nil", "invalid character 'i' in literal null (expecting 'u')")]
    #[case("tru\"", "invalid character '\"' in literal true (expecting 'e')")]
    #[case("é", "invalid character 'Ã' looking for beginning of value")]
    fn invalid_json_is_refused(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), expected);
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
        assert_eq!(
            parse("[".repeat(MAX_NESTING + 1).as_bytes()).unwrap_err(),
            JsonError::Unexpected { byte: b'[', place: TOO_DEEP }
        );
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
