//! The YAML writer, whose output equals upstream's byte for byte.

use serde_json::Value;

use super::order;
use super::style::{self, Style, is_break, is_printable};
use crate::wire::json;
use crdible_semantics::go_text;

/// Lines are broken at the first space after this column.
const BEST_WIDTH: usize = 80;
const INDENT: usize = 2;

/// Encodes a value as YAML.
pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut emitter = Emitter { out: String::with_capacity(512), column: 0, whitespace: true, indention: true };
    emitter.node(value, None, false);
    emitter.line(0);
    emitter.out.into_bytes()
}

struct Emitter {
    out: String,
    /// The number of characters in the current line.
    column: usize,
    /// Whether the last character was a space or starts a line.
    whitespace: bool,
    /// Whether the current line contains only indentation and indicators.
    indention: bool,
}

impl Emitter {
    /// Writes a value in a block with this indentation; `None` for the root.
    fn node(&mut self, value: &Value, indent: Option<usize>, in_mapping: bool) {
        match value {
            Value::Array(items) if items.is_empty() => self.mark("[]", true, false),
            Value::Object(members) if members.is_empty() => self.mark("{}", true, false),
            Value::Array(items) => {
                // A list that is the value of a key is not indented.
                let same_column = in_mapping && !self.indention;
                let indent = if same_column { indent.unwrap_or_default() } else { deeper(indent) };
                for item in items {
                    self.line(indent);
                    self.mark("-", true, true);
                    self.node(item, Some(indent), false);
                }
            }
            Value::Object(members) => {
                let indent = deeper(indent);
                let members = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
                for (key, value) in order::sort(members) {
                    self.line(indent);
                    if style::is_simple_key(key) {
                        self.text(key, indent, true);
                        self.mark(":", false, false);
                    } else {
                        self.mark("?", true, true);
                        self.text(key, indent, false);
                        self.line(indent);
                        self.mark(":", true, true);
                    }
                    self.node(value, Some(indent), true);
                }
            }
            Value::String(text) => self.text(text, indent.unwrap_or_default(), false),
            Value::Null => self.word("null"),
            Value::Bool(flag) => self.word(if *flag { "true" } else { "false" }),
            Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) => self.word(&float_text(float)),
                None => self.word(&number.to_string()),
            },
        }
    }

    fn word(&mut self, word: &str) {
        self.space_before();
        self.put_str(word);
        self.whitespace = false;
        self.indention = false;
    }

    /// Writes a text in a block with this indentation; its continuation lines are indented once more.
    fn text(&mut self, text: &str, indent: usize, is_simple_key: bool) {
        let indent = indent + INDENT;
        match style::of(text, is_simple_key) {
            Style::Plain => {
                self.space_before();
                self.folded(text, (!is_simple_key).then_some(indent), false);
                (self.whitespace, self.indention) = (false, false);
            }
            Style::SingleQuoted => {
                self.mark("'", true, false);
                self.folded(text, (!is_simple_key).then_some(indent), true);
                self.mark("'", false, false);
            }
            Style::DoubleQuoted => self.double_quoted(text, (!is_simple_key).then_some(indent)),
            Style::Literal => self.literal(text, indent),
        }
    }

    /// Writes a text that may be folded at spaces, with single quotes or plain.
    fn folded(&mut self, text: &str, indent: Option<usize>, quoted: bool) {
        let (mut after_space, mut after_break) = (false, false);
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            if letter == ' ' {
                let within = !quoted || (at > 0 && next.is_some());
                match indent {
                    Some(indent) if !after_space && self.column > BEST_WIDTH && next != Some(' ') && within => {
                        self.line(indent);
                    }
                    _ => self.put(' '),
                }
                after_space = true;
            } else if is_break(letter) {
                self.put_break(letter, !after_break);
                after_break = true;
            } else {
                if after_break {
                    self.line(indent.unwrap_or_default());
                }
                if quoted && letter == '\'' {
                    self.put('\'');
                }
                self.put(letter);
                self.indention = false;
                (after_space, after_break) = (false, false);
            }
        }
    }

    fn double_quoted(&mut self, text: &str, indent: Option<usize>) {
        self.mark("\"", true, false);
        let mut after_space = false;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            match indent {
                _ if !is_printable(letter) || is_break(letter) || matches!(letter, '"' | '\\') => {
                    self.put_str(&escape(letter));
                }
                Some(indent)
                    if letter == ' ' && !after_space && self.column > BEST_WIDTH && at > 0 && next.is_some() =>
                {
                    self.line(indent);
                    if next == Some(' ') {
                        self.put('\\');
                    }
                }
                _ => self.put(letter),
            }
            after_space = letter == ' ';
        }
        self.mark("\"", false, false);
    }

    /// Writes a literal block.
    fn literal(&mut self, text: &str, indent: usize) {
        self.mark("|", true, false);
        if text.starts_with(|first| first == ' ' || is_break(first)) {
            self.mark(&INDENT.to_string(), false, false);
        }
        let mut last = text.chars().rev();
        match (last.next().is_some_and(is_break), last.next()) {
            (false, _) => self.mark("-", false, false),
            (true, None) => self.mark("+", false, false),
            (true, Some(before)) if is_break(before) => self.mark("+", false, false),
            (true, Some(_)) => {}
        }
        self.put('\n');
        (self.indention, self.whitespace) = (true, true);
        let mut after_break = true;
        for letter in text.chars() {
            if is_break(letter) {
                self.put_break(letter, false);
                after_break = true;
            } else {
                if after_break {
                    self.line(indent);
                }
                self.put(letter);
                self.indention = false;
                after_break = false;
            }
        }
    }

    /// Starts a line with this indentation, unless the current line contains nothing else.
    fn line(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        self.whitespace = true;
        self.indention = true;
    }

    /// Writes an indicator.
    fn mark(&mut self, mark: &str, wants_space: bool, indents: bool) {
        if wants_space {
            self.space_before();
        }
        self.put_str(mark);
        self.whitespace = false;
        self.indention &= indents;
    }

    fn space_before(&mut self) {
        if !self.whitespace {
            self.put(' ');
        }
    }

    /// Writes a line break of a text; in plain and single-quoted text, the first of several is doubled.
    fn put_break(&mut self, letter: char, is_first_of_folded: bool) {
        if is_first_of_folded && letter == '\n' {
            self.put('\n');
        }
        self.put(letter);
        self.column = 0;
        self.indention = true;
    }

    fn put_str(&mut self, text: &str) {
        text.chars().for_each(|letter| self.put(letter));
    }

    fn put(&mut self, letter: char) {
        self.out.push(letter);
        self.column = if letter == '\n' { 0 } else { self.column + 1 };
    }
}

fn deeper(indent: Option<usize>) -> usize {
    indent.map_or(0, |indent| indent + INDENT)
}

/// Upstream converts floats by JSON, where a float whose text is a 64-bit integer becomes one.
fn float_text(float: f64) -> String {
    let text = String::from_utf8_lossy(&json::write(&Value::from(float))).into_owned();
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() { text } else { go_text::float(float) }
}

fn escape(letter: char) -> String {
    let code = u32::from(letter);
    match letter {
        '\0' => "\\0".into(),
        '\u{7}' => "\\a".into(),
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{b}' => "\\v".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        '\u{1b}' => "\\e".into(),
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\u{85}' => "\\N".into(),
        '\u{2028}' => "\\L".into(),
        '\u{2029}' => "\\P".into(),
        _ if code <= 0xff => format!("\\x{code:02X}"),
        _ if code <= 0xffff => format!("\\u{code:04X}"),
        _ => format!("\\U{code:08X}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::wire::yaml;

    // The expected texts are those of sigs.k8s.io/yaml 1.6.0.
    #[rstest]
    #[case::nested(
        json!({"b": {"c": [1, {"x": true, "y": null}, [], {}, [2, [3]]]}, "a": "x"}),
        "a: x\nb:\n  c:\n  - 1\n  - x: true\n    \"y\": null\n  - []\n  - {}\n  - - 2\n    - - 3\n"
    )]
    #[case::empty(json!({}), "{}\n")]
    #[case::texts(
        json!({"a": "", "b": "yes", "c": "a: b", "d": "it's: x", "e": "\u{1f600}\t"}),
        "a: \"\"\nb: \"yes\"\nc: 'a: b'\nd: 'it''s: x'\ne: \"\\U0001F600\\t\"\n"
    )]
    #[case::numbers(
        json!([1.5, 1e20, 1e18, 1e-7, 1_234_567.5, 1e19]),
        "- 1.5\n- 1e+20\n- 1000000000000000000\n- 1e-07\n- 1.2345675e+06\n- 10000000000000000000\n"
    )]
    #[case::literals(
        json!({"a": "x\ny", "b": "x\n", "c": "\n x\n\n", "d": ["x\ny\n"]}),
        "a: |-\n  x\n  y\nb: |\n  x\nc: |2+\n\n   x\n\nd:\n- |\n  x\n  y\n"
    )]
    fn rest_011_values_are_written(#[case] value: Value, #[case] expected: &str) {
        assert_eq!(String::from_utf8_lossy(&write(&value)), expected);
    }

    #[test]
    fn rest_011_long_texts_are_folded() {
        let text = ["word"; 30].join(" ");
        let line = ["word"; 16].join(" ");
        let rest = ["word"; 14].join(" ");
        assert_eq!(String::from_utf8_lossy(&write(&json!({"a": text}))), format!("a: {line}\n  {rest}\n"));
    }

    #[test]
    fn rest_011_long_keys_have_an_indicator() {
        let key = "k".repeat(129);
        let text = write(&json!({key.as_str(): {"a": [1]}}));
        assert_eq!(String::from_utf8_lossy(&text), format!("? {key}\n: a:\n  - 1\n"));
    }

    fn value() -> impl Strategy<Value = Value> {
        let text = r#"([ab:#\-?'"\\,\[\]{}&*!|>%@ \n\t0-9é~.]|\n\n|  |yes|null| #|: |\u{1f600}|\r|[a-z]{60} ){0,8}"#;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(text, inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// A written value is parsed back unchanged. Excluded are characters that only YAML 1.1 treats as line breaks:
        /// go-yaml indents after them.
        #[test]
        fn rest_011_round_trip(value in value()) {
            let text = write(&value);
            let read = yaml::parse(&text).map(|parsed| parsed.value);
            prop_assert_eq!(read, Ok(value), "{}", String::from_utf8_lossy(&text));
        }
    }
}
