//! Texts as Go writes and reads them: numbers, quoted texts, values of any type, and durations.

pub use crdible_text::{go_duration, is_printable, quoted};
use serde_json::{Number, Value};

use crate::{MAX_DEPTH, json};

/// A float in its shortest exact form, with an exponent from a million up and below a ten-thousandth (TABLE-010).
pub fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(-4..=5) | Err(_) => format!("{value}"),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}

/// A number as it is decoded: an integer, or a float.
pub fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() => float(value),
        _ => number.to_string(),
    }
}

/// A value as Go prints it in a text, where it is neither JSON nor quoted.
pub fn printed(value: &Value) -> String {
    match value {
        deep if json::depth(deep) > MAX_DEPTH => "…".to_owned(),
        Value::Null => "<nil>".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(value) => number(value),
        Value::String(text) => text.clone(),
        Value::Array(elements) => format!("[{}]", elements.iter().map(printed).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", printed(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
    }
}

/// The type of a decoded value in Go.
pub fn type_name(value: &Value) -> &'static str {
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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(0.5, "0.5")]
    #[case(-2.25, "-2.25")]
    #[case(123_456.5, "123456.5")]
    #[case(1_234_567.5, "1.2345675e+06")]
    #[case(1e20, "1e+20")]
    #[case(-1.5e300, "-1.5e+300")]
    #[case(0.0001, "0.0001")]
    #[case(0.00001, "1e-05")]
    fn table_010_floats(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(float(value), expected);
    }

    #[rstest]
    #[case("plain é", r#""plain é""#)]
    #[case("a\"\\\u{1}\u{200b}\n\u{a0}", r#""a\"\\\x01\u200b\n\u00a0""#)]
    #[case("\u{e0001}\u{7f}", r#""\U000e0001\x7f""#)]
    fn texts_are_quoted(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(quoted(text), expected);
    }

    #[rstest]
    #[case(json!(null), "<nil>", "<nil>")]
    #[case(json!(1.5), "1.5", "float64")]
    #[case(json!({"b": [1, "<"], "a": null}), "map[a:<nil> b:[1 <]]", "map[string]interface {}")]
    fn values_are_printed(#[case] value: Value, #[case] expected: &str, #[case] expected_type: &str) {
        assert_eq!(printed(&value), expected);
        assert_eq!(type_name(&value), expected_type);
    }
}
