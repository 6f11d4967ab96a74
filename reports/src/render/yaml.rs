//! JSON values as readable YAML in block style.
//!
//! A string that a reader of YAML 1.1 (Kubernetes' tools) or 1.2 would parse as another type is quoted.

pub(super) mod lines;

use std::fmt::Write as _;

use serde_json::Value;

/// The longest key that may precede a colon; longer ones need the explicit form.
const LONGEST_IMPLICIT_KEY: usize = 1000;

/// Words that some version of YAML parses as a boolean, null or number, in lower case.
const RESERVED: [&str; 12] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"];

/// The value as a YAML document of whole lines, with object keys in the order of the value.
pub fn yaml(value: &Value) -> String {
    let mut text = String::new();
    match inline(value) {
        Some(scalar) => {
            text.push_str(&scalar);
            text.push('\n');
        }
        None => block(value, 0, false, &mut text),
    }
    text
}

/// Writes a collection that is not empty. Its first line may have been begun, by the dash of a list.
fn block(value: &Value, indent: usize, is_begun: bool, text: &mut String) {
    let begin = |position: usize, text: &mut String| {
        if position > 0 || !is_begun {
            pad(indent, text);
        }
    };
    match value {
        Value::Object(fields) => {
            for (position, (key, field)) in fields.iter().enumerate() {
                begin(position, text);
                entry(key, field, indent, text);
            }
        }
        Value::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                begin(position, text);
                text.push_str("- ");
                match inline(item) {
                    Some(scalar) => {
                        let _ = writeln!(text, "{scalar}");
                    }
                    None => block(item, indent + 2, true, text),
                }
            }
        }
        _ => {}
    }
}

fn entry(key: &str, field: &Value, indent: usize, text: &mut String) {
    let key = string(key);
    if key.len() > LONGEST_IMPLICIT_KEY {
        let _ = writeln!(text, "? {key}");
        pad(indent, text);
        text.push(':');
    } else {
        let _ = write!(text, "{key}:");
    }
    if let Some(scalar) = inline(field) {
        let _ = writeln!(text, " {scalar}");
    } else {
        text.push('\n');
        // As kubectl writes: a list is not indented below its key.
        let below = if field.is_array() { indent } else { indent + 2 };
        block(field, below, false, text);
    }
}

/// Scalars and empty collections, which fit on one line.
fn inline(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Number(number) => Some(self::number(&number.to_string())),
        Value::String(text) => Some(string(text)),
        Value::Array(items) if items.is_empty() => Some("[]".to_owned()),
        Value::Object(fields) if fields.is_empty() => Some("{}".to_owned()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// YAML 1.1 parses `1e300` as a string: it requires a point in the mantissa and a sign in the exponent.
fn number(text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return text.to_owned();
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

fn string(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Whether every reader parses the bare text as a string. Numbers, dates, merge keys and special values begin with a
/// digit, a sign, a dot, `<`, `=` or `~`, so only the words are left when the first character is a letter.
fn is_plain(text: &str) -> bool {
    let begins_well = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '/');
    let ends_well = !text.ends_with([' ', ':']);
    begins_well
        && ends_well
        && !text.contains(": ")
        && text.chars().all(|character| character.is_ascii_alphanumeric() || " _./-:,()+$@;".contains(character))
        && !RESERVED.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            // Not printable in YAML, or a line end, or invisible to the reader.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' => {
                let _ = write!(result, "\\x{:02x}", u32::from(character));
            }
            '\u{61c}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fff0}'..='\u{ffff}' => {
                let _ = write!(result, "\\u{:04x}", u32::from(character));
            }
            printable => result.push(printable),
        }
    }
    result.push('"');
    result
}

fn pad(indent: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests;
