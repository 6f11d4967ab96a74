//! How Go's `encoding/json` words a value of another type than the expected one.

use serde_json::Value;

/// The type that every body of a request is decoded into first.
const TYPE_META: &str =
    r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;

/// The type of a value in such an error.
fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value that cannot become one of this type.
pub(crate) fn no_value_of(expected: &str, value: &Value) -> String {
    format!("json: cannot unmarshal {} into Go value of type {expected}", found(value))
}

/// The value of a field that cannot become one of this type. The field begins with the name of its type; in a type
/// without a name it begins with a dot.
pub(crate) fn no_field_of(expected: &str, field: &str, value: &Value) -> String {
    let found = match value {
        // A number that is no integer, or too large.
        Value::Number(number) if expected == "int64" => format!("number {number}"),
        value => found(value).to_owned(),
    };
    format!("json: cannot unmarshal {found} into Go struct field {field} of type {expected}")
}

/// A body that is no object.
pub(crate) fn no_object(value: &Value) -> String {
    no_value_of(TYPE_META, value)
}
