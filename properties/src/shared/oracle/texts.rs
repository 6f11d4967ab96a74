//! The texts and numbers that selectors and tables make of values.

use serde_json::Value;

use super::{emptiness::is_nothing, numbers};

/// What a field selector compares (FSEL-005, FSEL-006): a string verbatim, `true` or `false`, an integer in decimal
/// however it was sent, and an empty text for nothing. None for anything else, whose text is not promised.
pub(in super::super::super) fn selected_text(value: Option<&Value>) -> Option<String> {
    match value.filter(|value| !is_nothing(Some(value))) {
        None => Some(String::new()),
        Some(Value::Array(_) | Value::Object(_)) => None,
        Some(value) => scalar(value),
    }
}

/// What a text column shows of a value that its path finds (TABLE-010): lists and objects are compact JSON with sorted
/// keys. None if the text is not promised: that of a null, of a fraction, and of what has one inside.
pub(in super::super::super) fn cell_text(value: &Value) -> Option<String> {
    match value {
        Value::Array(_) | Value::Object(_) => json(value),
        scalar => self::scalar(scalar),
    }
}

/// What a column of integers shows of a value (TABLE-011): numbers are truncated toward zero. None for other values,
/// for which it shows null, and beyond 64 bits, where nothing is promised.
pub(in super::super::super) fn cell_integer(value: &Value) -> Option<i64> {
    value.as_number().and_then(numbers::truncated)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Number(number) => numbers::kept(number).as_i64().map(|integer| integer.to_string()),
        _ => None,
    }
}

fn json(value: &Value) -> Option<String> {
    Some(match value {
        Value::Array(elements) => format!("[{}]", elements.iter().map(json).collect::<Option<Vec<_>>>()?.join(",")),
        Value::Object(fields) => {
            let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            let field = |(name, value): (&String, &Value)| Some(format!("{}:{}", quoted(name), json(value)?));
            format!("{{{}}}", sorted.into_iter().map(field).collect::<Option<Vec<_>>>()?.join(","))
        }
        Value::String(text) => quoted(text),
        // Only alone it is a quirk.
        Value::Null => "null".to_owned(),
        scalar => self::scalar(scalar)?,
    })
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{cell_integer, cell_text, selected_text};

    fn value(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    /// The examples of FSEL-005 and FSEL-006.
    #[rstest]
    #[case::text(r#""a,b""#, Some("a,b"))]
    #[case::text_that_looks_like_a_number(r#""01""#, Some("01"))]
    #[case::boolean("true", Some("true"))]
    #[case::integer("1", Some("1"))]
    #[case::integer_sent_as_a_float("3.0", Some("3"))]
    #[case::integer_sent_with_an_exponent("2e10", Some("20000000000"))]
    #[case::negative("-5.0", Some("-5"))]
    #[case::negative_zero("-0.0", Some("0"))]
    #[case::null("null", Some(""))]
    #[case::empty_text(r#""""#, Some(""))]
    #[case::fraction("0.5", None)]
    #[case::list("[]", None)]
    fn what_is_selected(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(selected_text(Some(&value(text))).as_deref(), expected);
    }

    #[test]
    fn what_is_absent_is_empty() {
        assert_eq!(selected_text(None).as_deref(), Some(""));
    }

    /// The sentence of TABLE-010; `3.0 is stored as 3` is one of its examples.
    #[rstest]
    #[case::text(r#""b c""#, Some("b c"))]
    #[case::integer("20000000000", Some("20000000000"))]
    #[case::integer_sent_as_a_float("3.0", Some("3"))]
    #[case::boolean("false", Some("false"))]
    #[case::list(r#"["a", 3]"#, Some(r#"["a",3]"#))]
    #[case::object(r#"{"b": {}, "a": [true]}"#, Some(r#"{"a":[true],"b":{}}"#))]
    #[case::null_inside(r"[null]", Some("[null]"))]
    #[case::null("null", None)]
    #[case::fraction("1234567.5", None)]
    #[case::fraction_inside("[0.5]", None)]
    fn what_a_text_cell_shows(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(cell_text(&value(text)).as_deref(), expected);
    }

    /// The sentence of TABLE-011 and its edge.
    #[rstest]
    #[case::integer(json!(7), Some(7))]
    #[case::largest(json!(i64::MAX), Some(i64::MAX))]
    #[case::fraction(json!(2.75), Some(2))]
    #[case::toward_zero(json!(-2.75), Some(-2))]
    #[case::beyond_64_bits(json!(1e19), None)]
    #[case::text(json!("3"), None)]
    #[case::null(json!(null), None)]
    #[case::object(json!({}), None)]
    fn what_an_integer_cell_shows(#[case] value: Value, #[case] expected: Option<i64>) {
        assert_eq!(cell_integer(&value), expected);
    }
}
