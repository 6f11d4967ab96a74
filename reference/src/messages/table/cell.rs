//! Converts the value of a column's path into a cell (TABLE-009..012).

use std::time::SystemTime;

use crdible_semantics::go_json::html_safe;
use serde_json::Value;

use super::age;
use crate::messages::jsonpath::Item;
use crdible_semantics::go_text;

/// The type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellType {
    Text,
    Integer,
    Number,
    Boolean,
    Age,
}

impl CellType {
    /// The type with this name in a definition.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::Text,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "date" => Self::Age,
            _ => return None,
        })
    }

    /// The cell for a value; null if the value does not have the type.
    pub(super) fn cell(self, item: Item<'_>, now: SystemTime) -> Value {
        match (self, item) {
            (Self::Text, item) => Value::String(text(item)),
            (Self::Integer, Item::Json(Value::Number(number))) => {
                number.as_i64().or_else(|| number.as_f64().map(whole)).map_or(Value::Null, Value::from)
            }
            (Self::Integer, Item::Float(float)) => whole(*float).into(),
            (Self::Number, Item::Json(Value::Number(number))) => number.as_f64().map_or(Value::Null, Value::from),
            (Self::Number, Item::Float(float)) => (*float).into(),
            (Self::Boolean, Item::Json(Value::Bool(flag)) | Item::Bool(flag)) => (*flag).into(),
            (Self::Age, Item::Json(Value::String(text))) => age::cell(text, now).into(),
            (Self::Age, Item::Text(text)) => age::cell(text, now).into(),
            _ => Value::Null,
        }
    }
}

/// Truncates a float. A value outside of the range becomes the minimum, as on the platforms that upstream usually runs
/// on.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked before")]
fn whole(float: f64) -> i64 {
    const TWO_TO_THE_63: f64 = 9_223_372_036_854_775_808.0;
    if (-TWO_TO_THE_63..TWO_TO_THE_63).contains(&float) { float as i64 } else { i64::MIN }
}

fn text(item: Item<'_>) -> String {
    match item {
        Item::Json(Value::Null) => "<no value>".into(),
        Item::Json(Value::String(text)) => text.clone(),
        Item::Json(Value::Bool(flag)) | Item::Bool(flag) => flag.to_string(),
        Item::Json(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
            (None, Some(float)) => go_text::float(float),
            _ => number.to_string(),
        },
        Item::Json(value @ (Value::Array(_) | Value::Object(_))) => html_safe(value),
        Item::Text(text) => text.to_owned(),
        Item::Integer(integer) => integer.to_string(),
        Item::Float(float) => go_text::float(*float),
        Item::Byte(byte) => byte.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::table_010_text("string", json!("a<b"), json!("a<b"))]
    #[case::table_010_null("string", json!(null), json!("<no value>"))]
    #[case::table_010_integer("string", json!(1_234_567), json!("1234567"))]
    #[case::table_010_float("string", json!(1_234_567.5), json!("1.2345675e+06"))]
    #[case::table_010_list("string", json!([1, "<"]), json!(r#"[1,"\u003c"]"#))]
    #[case::table_011_integer("integer", json!(-7), json!(-7))]
    #[case::table_011_truncated("integer", json!(-7.9), json!(-7))]
    #[case::table_011_too_large("integer", json!(1e19), json!(i64::MIN))]
    #[case::table_011_text("integer", json!("3"), json!(null))]
    #[case::table_011_null("integer", json!(null), json!(null))]
    #[case::table_011_flag("integer", json!(true), json!(null))]
    #[case::table_011_number("number", json!(3), json!(3.0))]
    #[case::table_011_precision("number", json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992.0))]
    #[case::table_011_boolean("boolean", json!(false), json!(false))]
    #[case::table_011_not_a_boolean("boolean", json!(0), json!(null))]
    #[case::table_012_date("date", json!("1970-01-01T00:00:00Z"), json!("10s"))]
    #[case::table_012_not_a_text("date", json!(5), json!(null))]
    fn cells(#[case] name: &str, #[case] value: Value, #[case] expected: Value) {
        let cell_type = CellType::named(name).expect("a type");
        assert_eq!(cell_type.cell(Item::Json(&value), UNIX_EPOCH + Duration::from_secs(10)), expected);
    }
}
