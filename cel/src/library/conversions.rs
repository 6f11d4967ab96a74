//! From one type to another.

use std::sync::Arc;

use super::{Overload, row};
use crate::value::{
    Evaluated, EvaluationError, Span, Timestamp, Value, make_text, print_double, read_double, read_int, read_timestamp,
    read_uint,
};

pub(super) const OVERLOADS: &[Overload] = &[
    row("type", "type", "(A) -> type(A)", type_of),
    row("bool", "bool_to_bool", "(bool) -> bool", to_bool),
    row("bool", "string_to_bool", "(string) -> bool", to_bool),
    row("bytes", "bytes_to_bytes", "(bytes) -> bytes", to_bytes),
    row("bytes", "string_to_bytes", "(string) -> bytes", to_bytes),
    row("double", "double_to_double", "(double) -> double", to_double),
    row("double", "int64_to_double", "(int) -> double", to_double),
    row("double", "string_to_double", "(string) -> double", to_double),
    row("double", "uint64_to_double", "(uint) -> double", to_double),
    row("duration", "duration_to_duration", "(duration) -> duration", to_duration),
    row("duration", "int64_to_duration", "(int) -> duration", to_duration).until(37),
    row("duration", "string_to_duration", "(string) -> duration", to_duration),
    row("dyn", "to_dyn", "(A) -> dyn", same),
    row("int", "int64_to_int64", "(int) -> int", to_int),
    row("int", "double_to_int64", "(double) -> int", to_int),
    row("int", "duration_to_int64", "(duration) -> int", to_int),
    row("int", "string_to_int64", "(string) -> int", to_int),
    row("int", "timestamp_to_int64", "(timestamp) -> int", to_int),
    row("int", "uint64_to_int64", "(uint) -> int", to_int),
    row("string", "string_to_string", "(string) -> string", to_string),
    row("string", "bool_to_string", "(bool) -> string", to_string),
    row("string", "bytes_to_string", "(bytes) -> string", to_string),
    row("string", "double_to_string", "(double) -> string", to_string),
    row("string", "duration_to_string", "(duration) -> string", to_string),
    row("string", "int64_to_string", "(int) -> string", to_string),
    row("string", "timestamp_to_string", "(timestamp) -> string", to_string),
    row("string", "uint64_to_string", "(uint) -> string", to_string),
    row("string", "ip_to_string", "(net.IP) -> string", to_string),
    row("string", "cidr_to_string", "(net.CIDR) -> string", to_string),
    row("timestamp", "timestamp_to_timestamp", "(timestamp) -> timestamp", to_timestamp),
    row("timestamp", "int64_to_timestamp", "(int) -> timestamp", to_timestamp),
    row("timestamp", "string_to_timestamp", "(string) -> timestamp", to_timestamp),
    row("uint", "uint64_to_uint64", "(uint) -> uint", to_uint),
    row("uint", "double_to_uint64", "(double) -> uint", to_uint),
    row("uint", "int64_to_uint64", "(int) -> uint", to_uint),
    row("uint", "string_to_uint64", "(string) -> uint", to_uint),
];

/// A constant as a duration or a timestamp.
pub(super) fn of_constant(function: &str, constant: &Value) -> Evaluated {
    let arguments = std::slice::from_ref(constant);
    if function == "duration" { to_duration(arguments) } else { to_timestamp(arguments) }
}

fn same(arguments: &[Value]) -> Evaluated {
    Ok(arguments[0].clone())
}

fn type_of(arguments: &[Value]) -> Evaluated {
    Ok(Value::Type(Arc::from(arguments[0].type_name())))
}

/// The error of a value that cannot be converted.
fn impossible(from: &Value, to: &str) -> Evaluated {
    Err(EvaluationError::new(format!("type conversion error from '{}' to '{to}'", from.type_name())))
}

fn overflow(of: &str) -> Evaluated {
    Err(EvaluationError::new(format!("{of} overflow")))
}

fn to_bool(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Bool(_) => Ok(value.clone()),
        value @ Value::String(text) => match &**text {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => impossible(value, "bool"),
        },
        other => impossible(other, "bool"),
    }
}

fn to_bytes(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Bytes(_) => Ok(value.clone()),
        Value::String(text) => {
            make_text(text.len())?;
            Ok(Value::Bytes(Arc::from(text.as_bytes())))
        }
        other => impossible(other, "bytes"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "as upstream does")]
fn to_double(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Double(_) => Ok(value.clone()),
        Value::Int(value) => Ok(Value::Double(*value as f64)),
        Value::Uint(value) => Ok(Value::Double(*value as f64)),
        value @ Value::String(text) => match read_double(text) {
            Some(read) => Ok(Value::Double(read)),
            None => impossible(value, "double"),
        },
        other => impossible(other, "double"),
    }
}

fn to_int(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Int(_) => Ok(value.clone()),
        Value::Uint(value) => i64::try_from(*value).map_or_else(|_| overflow("integer"), |value| Ok(Value::Int(value))),
        // The bounds themselves are doubles, and neither is converted.
        Value::Double(value) if *value > -(2f64.powi(63)) && *value < 2f64.powi(63) => {
            #[expect(clippy::cast_possible_truncation, reason = "in the range of integers")]
            let whole = *value as i64;
            Ok(Value::Int(whole))
        }
        Value::Double(_) => overflow("integer"),
        Value::Duration(span) => Ok(Value::Int(span.nanoseconds())),
        Value::Timestamp(moment) => Ok(Value::Int(moment.seconds())),
        value @ Value::String(text) => match read_int(text) {
            Some(read) => Ok(Value::Int(read)),
            None => impossible(value, "int"),
        },
        other => impossible(other, "int"),
    }
}

fn to_uint(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Uint(_) => Ok(value.clone()),
        Value::Int(value) => {
            u64::try_from(*value).map_or_else(|_| overflow("unsigned integer"), |value| Ok(Value::Uint(value)))
        }
        Value::Double(value) if *value >= 0.0 && *value < 2f64.powi(64) => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in the range of integers")]
            let whole = *value as u64;
            Ok(Value::Uint(whole))
        }
        Value::Double(_) => overflow("unsigned integer"),
        value @ Value::String(text) => match read_uint(text) {
            Some(read) => Ok(Value::Uint(read)),
            None => impossible(value, "uint"),
        },
        other => impossible(other, "uint"),
    }
}

fn to_string(arguments: &[Value]) -> Evaluated {
    Ok(Value::string(match &arguments[0] {
        value @ Value::String(_) => return Ok(value.clone()),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => print_double(*value),
        Value::Duration(span) => span.print(),
        Value::Timestamp(moment) => moment.to_string(),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => {
                make_text(text.len())?;
                text.to_owned()
            }
            Err(_) => return Err(EvaluationError::new("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Value::Opaque(opaque) => {
            let printed = opaque.print();
            make_text(printed.len())?;
            printed
        }
        other => return impossible(other, "string"),
    }))
}

fn to_duration(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Duration(_) => Ok(value.clone()),
        value @ Value::String(text) => match Span::read(text) {
            Some(span) => Ok(Value::Duration(span)),
            None => impossible(value, "google.protobuf.Duration"),
        },
        other => impossible(other, "google.protobuf.Duration"),
    }
}

fn to_timestamp(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        value @ Value::Timestamp(_) => Ok(value.clone()),
        Value::Int(seconds) => match Timestamp::new(*seconds, 0, 0) {
            Some(moment) => Ok(Value::Timestamp(moment)),
            None => overflow("timestamp"),
        },
        value @ Value::String(text) => match read_timestamp(text) {
            Some(moment) => Ok(Value::Timestamp(moment)),
            // Upstream reads those of other years too.
            None if Timestamp::read_in_any_year(text).is_some() => overflow("timestamp"),
            None => impossible(value, "google.protobuf.Timestamp"),
        },
        other => impossible(other, "google.protobuf.Timestamp"),
    }
}
