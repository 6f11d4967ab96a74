//! JSON values as YAML text, in any of its styles.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use crate::choice::Choices;

/// Words that some version of YAML does not read as text, in lower case.
const WORDS: [&str; 12] = ["null", "true", "false", "yes", "no", "y", "n", "on", "off", "nan", "inf", "infinity"];

/// Draws the entries of an object as YAML, each on lines of its own, indented by a number of spaces. The text first
/// ends the line before it, and its own last line has no end. Every YAML parser reads these entries from it, whether it
/// follows version 1.1 or 1.2.
///
/// It varies how collections and scalars are written, indentation, comments and, for values that occur again, anchors.
/// Values that only one of the versions reads as what they are do not occur; keys are strings.
pub fn entries(c: &mut Choices, object: &Map<String, Value>, indent: usize) -> String {
    let step = *c.pick(&[2, 4, 1, 3]);
    let mut writer = Writer { text: String::new(), step, ends_in_block: true, anchors: Vec::new() };
    writer.members(c, object, indent);
    writer.text
}

struct Writer {
    text: String,
    /// By how many spaces more a level is indented.
    step: usize,
    /// Whether the last line is one of a block, as far as is known.
    ends_in_block: bool,
    /// What has an anchor: it is called `a` and the number of its place.
    anchors: Vec<Value>,
}

impl Writer {
    fn line(&mut self, c: &mut Choices, indent: usize) {
        // In a block a comment would be text.
        let ends_in_block = std::mem::take(&mut self.ends_in_block);
        if c.chance(1, 12) && !ends_in_block {
            self.text.push_str(c.pick::<&str>(&[" # note", "\n# a: 1", "\n\n", " # \"'{[", "\n    # - b"]));
        }
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn members(&mut self, c: &mut Choices, object: &Map<String, Value>, indent: usize) {
        for (key, value) in object {
            self.line(c, indent);
            let key = scalar(c, key);
            self.text.push_str(&key);
            self.text.push(':');
            self.value(c, value, indent, true);
        }
    }

    /// A value after a key or a dash, in lines that are indented by more than this.
    fn value(&mut self, c: &mut Choices, value: &Value, indent: usize, is_after_key: bool) {
        if let Some(number) = self.anchors.iter().position(|known| known == value)
            && c.chance(2, 3)
        {
            let _ = write!(self.text, " *a{number}");
            return;
        }
        let is_worth_it = matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_));
        if is_worth_it && c.chance(1, 12) {
            let _ = write!(self.text, " &a{}", self.anchors.len());
            self.anchors.push(value.clone());
        }
        match value {
            Value::Object(object) if !object.is_empty() && c.chance(3, 4) => {
                self.members(c, object, indent + self.step);
            }
            Value::Array(elements) if !elements.is_empty() && c.chance(3, 4) => {
                // Dashes may stand right below a key.
                let indent = indent + if is_after_key && c.chance(1, 3) { 0 } else { self.step };
                for element in elements {
                    self.line(c, indent);
                    self.text.push('-');
                    self.value(c, element, indent, false);
                }
            }
            Value::String(text) if can_be_a_block(text) && c.chance(1, 2) => self.block(text, indent + self.step),
            other => {
                self.text.push(' ');
                self.flow(c, other);
            }
        }
    }

    /// A literal block: its lines as they are.
    fn block(&mut self, text: &str, indent: usize) {
        let (lines, chomping) = text.strip_suffix('\n').map_or((text, "-"), |lines| (lines, ""));
        let _ = write!(self.text, " |{chomping}");
        for line in lines.split('\n') {
            self.text.push('\n');
            if !line.is_empty() {
                self.text.extend(std::iter::repeat_n(' ', indent));
                self.text.push_str(line);
            }
        }
        self.ends_in_block = true;
    }

    /// A value without line breaks.
    fn flow(&mut self, c: &mut Choices, value: &Value) {
        match value {
            Value::Null => self.text.push_str(c.pick::<&str>(&["null", "~", "Null"])),
            Value::Bool(true) => self.text.push_str(c.pick::<&str>(&["true", "True", "TRUE"])),
            Value::Bool(false) => self.text.push_str(c.pick::<&str>(&["false", "False", "FALSE"])),
            Value::Number(of) => self.text.push_str(&number(of)),
            Value::String(text) => self.text.push_str(&scalar(c, text)),
            Value::Array(elements) => {
                self.text.push('[');
                for (at, element) in elements.iter().enumerate() {
                    self.text.push_str(if at > 0 { ", " } else { "" });
                    self.flow(c, element);
                }
                self.text.push(']');
            }
            Value::Object(object) => {
                self.text.push('{');
                for (at, (key, value)) in object.iter().enumerate() {
                    self.text.push_str(if at > 0 { ", " } else { "" });
                    self.text.push_str(&scalar(c, key));
                    self.text.push_str(": ");
                    self.flow(c, value);
                }
                self.text.push('}');
            }
        }
    }
}

/// Whether a literal block can hold it: printable lines, the first of which is neither empty nor begins with a space,
/// and at most one line break at the end.
fn can_be_a_block(text: &str) -> bool {
    text.contains('\n')
        && text.chars().all(|character| character == '\n' || is_printable(character))
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text != "\n"
}

/// Whether it may stand as itself in any version of YAML, and is no line break in any.
fn is_printable(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// A number. With an exponent it has a fraction, and the exponent a sign: version 1.1 reads no other. Zero has no sign,
/// since it would be lost with an integer.
fn number(number: &Number) -> String {
    let text = number.to_string();
    if number.as_f64() == Some(0.0) {
        return "0".to_owned();
    }
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let fraction = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    format!("{digits}{fraction}e{sign}{exponent}")
}

/// A text without line breaks: plain, or in quotes.
fn scalar(c: &mut Choices, text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "-_./".contains(character))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    let fits_single = text.chars().all(is_printable);
    match c.weighted(&[3, u32::from(is_plain) * 4, u32::from(fits_single) * 2]) {
        1 => text.to_owned(),
        2 => format!("'{}'", text.replace('\'', "''")),
        _ => {
            let escapes_all = c.chance(1, 4);
            double_quoted(text, escapes_all)
        }
    }
}

fn double_quoted(text: &str, escapes_all: bool) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\0' => quoted.push_str("\\0"),
            ' '..='~' => quoted.push(character),
            other if is_printable(other) && !escapes_all => quoted.push(other),
            other if u32::from(other) > 0xffff => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(other));
            }
            other => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(other));
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{entries, number};
    use crate::{choice::Choices, value};

    #[rstest]
    #[case(json!(1), "1")]
    #[case(json!(-0.0), "0")]
    #[case(json!(1e21), "1.0e+21")]
    #[case(json!(1.5e-7), "1.5e-7")]
    fn numbers_are_numbers_in_any_version(#[case] value: Value, #[case] expected: &str) {
        assert_eq!(value.as_number().map(number).as_deref(), Some(expected));
    }

    #[test]
    fn in_the_simplest_style_all_below_the_first_level_is_json() {
        let value = json!({ "a": { "b": [1, "x"] }, "c": "on" });
        let mut choices = Choices::replay(&Choices::random(1).finish().tape);
        let text = entries(&mut choices, value.as_object().expect("an object"), 0);
        assert_eq!(text, "\n\"a\": {\"b\": [1, \"x\"]}\n\"c\": \"on\"");
    }

    #[test]
    fn anything_can_be_written() {
        for seed in 0..200 {
            let mut choices = Choices::random(seed);
            let value = json!({ "a": value::json(&mut choices, 4) });
            let text = entries(&mut choices, value.as_object().expect("an object"), 2);
            assert!(text.contains("\n  ") && !text.ends_with('\n'), "{text:?}");
        }
    }
}
