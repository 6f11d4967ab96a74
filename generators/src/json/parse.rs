//! Parsing of JSON text.

use std::error::Error;
use std::fmt;

use super::Json;

/// The deepest nesting that is parsed: far more than generators make, and safe on a small stack. Deeper bodies for the
/// server (REST-007) are sent as raw bytes.
const MAX_DEPTH: usize = 1_000;

/// The reason why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The position of the error, in bytes from 0.
    pub offset: usize,
    /// The error.
    pub problem: &'static str,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid JSON at byte {}: {}", self.offset, self.problem)
    }
}

impl Error for JsonError {}

impl Json {
    /// Parses a text. Accepts everything that RFC 8259 allows, up to a nesting of 1,000 levels; numbers are kept as
    /// written.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let mut reader = Reader { text, offset: 0 };
        let json = reader.value(0)?;
        reader.skip_blanks();
        if reader.offset < text.len() {
            return Err(reader.error("text after the value"));
        }
        Ok(json)
    }
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => {
                let entry = |reader: &mut Self| reader.entry(depth + 1);
                Ok(Json::Object(self.list(b'}', "expected a comma between entries", entry)?))
            }
            Some(b'[') => {
                let element = |reader: &mut Self| reader.value(depth + 1);
                Ok(Json::Array(self.list(b']', "expected a comma between elements", element)?))
            }
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("expected a value")),
        }
    }

    /// What is between a bracket and the closing one, with commas between the items.
    fn list<T>(
        &mut self,
        end: u8,
        no_comma: &'static str,
        item: impl Fn(&mut Self) -> Result<T, JsonError>,
    ) -> Result<Vec<T>, JsonError> {
        self.offset += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.takes(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            self.skip_blanks();
            if self.takes(end) {
                return Ok(items);
            }
            if !self.takes(b',') {
                return Err(self.error(no_comma));
            }
        }
    }

    fn entry(&mut self, depth: usize) -> Result<(String, Json), JsonError> {
        self.skip_blanks();
        if self.peek() != Some(b'"') {
            return Err(self.error("expected a key"));
        }
        let key = self.string()?;
        self.skip_blanks();
        if !self.takes(b':') {
            return Err(self.error("expected a colon after the key"));
        }
        Ok((key, self.value(depth)?))
    }

    /// Parses a string; `serde_json` decodes the escapes, with the usual rules for surrogates.
    fn string(&mut self) -> Result<String, JsonError> {
        let start = self.offset;
        let mut end = start + 1;
        loop {
            match self.text.as_bytes().get(end) {
                None => return Err(self.error("unterminated string")),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let quoted = self.text.get(start..=end).ok_or_else(|| self.error("unterminated string"))?;
        let string = serde_json::from_str(quoted).map_err(|_| self.error("invalid string"))?;
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
        if self.offset == start { Err(self.error("expected a digit")) } else { Ok(()) }
    }

    fn word(&mut self, word: &'static str, json: Json) -> Result<Json, JsonError> {
        if self.text[self.offset..].starts_with(word) {
            self.offset += word.len();
            return Ok(json);
        }
        Err(self.error("expected a value"))
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.offset += usize::from(is_next);
        is_next
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

    use super::*;

    #[rstest]
    #[case::leading_zero("01", 1)]
    #[case::plus("+1", 0)]
    #[case::no_fraction("5.", 2)]
    #[case::no_integer_part(".5", 0)]
    #[case::word("nul", 0)]
    #[case::comma("[1,]", 3)]
    #[case::two_values("1 2", 2)]
    #[case::unterminated_string("\"a", 0)]
    #[case::escape_at_the_end("\"\\", 0)]
    #[case::empty("", 0)]
    fn invalid_json_is_rejected_with_its_offset(#[case] text: &str, #[case] offset: usize) {
        assert_eq!(Json::parse(text).unwrap_err().offset, offset);
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_stack_overflow() {
        let deep = "[".repeat(MAX_DEPTH + 2);
        assert_eq!(Json::parse(&deep).unwrap_err().problem, "nested too deeply");
    }
}
