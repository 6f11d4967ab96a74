//! Objects of protobuf, as values of the language.

use std::sync::Arc;

use crate::value::{Evaluated, EvaluationError, Span, Timestamp, Value, entries};

/// An object of protobuf with these fields.
///
/// Errors: upstream has no value for it, or a number does not fit.
pub(crate) fn message(name: &str, fields: &[(Arc<str>, Value)]) -> Evaluated {
    let field = |wanted: &str| fields.iter().rev().find(|(name, _)| **name == *wanted).map(|(_, value)| value.clone());
    let value = field("value");
    let integer = |wanted: &str| match field(wanted) {
        Some(Value::Int(value)) => value,
        _ => 0,
    };
    let does_not_fit = || {
        let sign = if name.ends_with("UInt32Value") { "unsigned " } else { "" };
        let of = format!("value value type: {sign}integer overflow");
        EvaluationError::new(format!("field type conversion error for {name}.{of}"))
    };
    let moment = || (integer("seconds"), integer("nanos"));
    Ok(match name.strip_prefix("google.protobuf.").unwrap_or_default() {
        "BoolValue" => value.unwrap_or(Value::Bool(false)),
        "BytesValue" => value.unwrap_or_else(|| Value::Bytes(Arc::from([]))),
        "DoubleValue" => value.unwrap_or(Value::Double(0.0)),
        #[expect(clippy::cast_possible_truncation, reason = "a float has fewer digits")]
        "FloatValue" => match value {
            Some(Value::Double(value)) => Value::Double(f64::from(value as f32)),
            other => other.unwrap_or(Value::Double(0.0)),
        },
        "Int64Value" => value.unwrap_or(Value::Int(0)),
        "UInt64Value" => value.unwrap_or(Value::Uint(0)),
        "Int32Value" => match value.unwrap_or(Value::Int(0)) {
            Value::Int(value) if i32::try_from(value).is_err() => return Err(does_not_fit()),
            other => other,
        },
        "UInt32Value" => match value.unwrap_or(Value::Uint(0)) {
            Value::Uint(value) if u32::try_from(value).is_err() => return Err(does_not_fit()),
            other => other,
        },
        "StringValue" => value.unwrap_or_else(|| Value::from("")),
        "Duration" => {
            let (seconds, nanoseconds) = moment();
            let whole = seconds.checked_mul(1_000_000_000).and_then(|whole| whole.checked_add(nanoseconds));
            Value::Duration(Span::of_nanoseconds(whole.ok_or_else(does_not_fit)?))
        }
        "Timestamp" => {
            let (seconds, nanoseconds) = moment();
            let nanoseconds = u32::try_from(nanoseconds).map_err(|_| does_not_fit())?;
            Value::Timestamp(Timestamp::new(seconds, nanoseconds, 0).ok_or_else(does_not_fit)?)
        }
        "ListValue" => field("values").unwrap_or_else(|| Value::list(Vec::new())),
        "Struct" => match field("fields") {
            // Of JSON: there are doubles only.
            Some(Value::Map(map)) => Value::map(entries(&*map)?),
            _ => Value::map(Vec::new()),
        },
        "Value" => match fields.last() {
            None => Value::Null,
            Some((kind, _)) if **kind == *"null_value" => Value::Null,
            Some((_, value)) => value.clone(),
        },
        "Any" => return Err(EvaluationError::new("unsupported conversion to ref.Val: (*dynamicpb.Message)")),
        _ => return Err(EvaluationError::new(format!("unknown type '{name}'"))),
    })
}
