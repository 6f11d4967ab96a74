//! The types that expressions can name without a declaration.

use std::sync::Arc;

use crate::types::Type;
use crate::value::Value;

/// The type of the name of a type: `int` is a `type(int)`.
pub(crate) fn named(name: &str) -> Option<Type> {
    let of = match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "int" => Type::Int,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "null_type" => Type::Null,
        "string" => Type::String,
        "type" => Type::Type(None),
        "uint" => Type::Uint,
        "optional_type" | "net.IP" | "net.CIDR" => Type::Opaque(name.into()),
        _ => message(name)?,
    };
    Some(of.of())
}

/// A name that is a constant.
pub(crate) fn constant(name: &str) -> Option<Value> {
    (name == "google.protobuf.NullValue.NULL_VALUE").then_some(Value::Int(0))
}

/// Whether the name of a type can be evaluated.
pub(crate) fn has_value(name: &str) -> bool {
    !name.starts_with("google.protobuf.") || matches!(name, "google.protobuf.Duration" | "google.protobuf.Timestamp")
}

/// The type that stands for a message of protobuf.
fn message(name: &str) -> Option<Type> {
    let wrapper = |scalar| Type::Wrapper(Arc::new(scalar));
    Some(match name.strip_prefix("google.protobuf.")? {
        "BoolValue" => wrapper(Type::Bool),
        "BytesValue" => wrapper(Type::Bytes),
        "DoubleValue" | "FloatValue" => wrapper(Type::Double),
        "Int32Value" | "Int64Value" => wrapper(Type::Int),
        "UInt32Value" | "UInt64Value" => wrapper(Type::Uint),
        "StringValue" => wrapper(Type::String),
        "Any" => Type::Any,
        "Duration" => Type::Duration,
        "Timestamp" => Type::Timestamp,
        "ListValue" => Type::list(Type::Dyn),
        "Struct" => Type::map(Type::String, Type::Dyn),
        "Value" => Type::Dyn,
        "Empty" => Type::object(name),
        _ => return None,
    })
}

/// The name of the message that a type stands for, if it stands for one.
pub(crate) fn message_name(of: &Type) -> Option<&'static str> {
    Some(match of {
        Type::Wrapper(scalar) => match **scalar {
            Type::Bool => "google.protobuf.BoolValue",
            Type::Bytes => "google.protobuf.BytesValue",
            Type::Double => "google.protobuf.DoubleValue",
            Type::Int => "google.protobuf.Int64Value",
            Type::Uint => "google.protobuf.UInt64Value",
            _ => "google.protobuf.StringValue",
        },
        Type::Any => "google.protobuf.Any",
        Type::Duration => "google.protobuf.Duration",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Dyn => "google.protobuf.Value",
        Type::Null => "google.protobuf.NullValue",
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(types) if **types == (Type::String, Type::Dyn) => "google.protobuf.Struct",
        _ => return None,
    })
}

/// The fields of a message of protobuf; `None` if it is not known.
pub(crate) fn fields(message: &str) -> Option<Vec<(&'static str, Type)>> {
    let value = |of| vec![("value", of)];
    let of_time = || vec![("seconds", Type::Int), ("nanos", Type::Int)];
    Some(match message.strip_prefix("google.protobuf.")? {
        "BoolValue" => value(Type::Bool),
        "BytesValue" => value(Type::Bytes),
        "DoubleValue" | "FloatValue" => value(Type::Double),
        "Int32Value" | "Int64Value" => value(Type::Int),
        "UInt32Value" | "UInt64Value" => value(Type::Uint),
        "StringValue" => value(Type::String),
        "Any" => vec![("type_url", Type::String), ("value", Type::Bytes)],
        "Duration" | "Timestamp" => of_time(),
        "ListValue" => vec![("values", Type::list(Type::Dyn))],
        "Struct" => vec![("fields", Type::map(Type::String, Type::Dyn))],
        "Value" => vec![
            ("null_value", Type::Int),
            ("number_value", Type::Double),
            ("string_value", Type::String),
            ("bool_value", Type::Bool),
            ("struct_value", Type::map(Type::String, Type::Dyn)),
            ("list_value", Type::list(Type::Dyn)),
        ],
        "Empty" => Vec::new(),
        _ => return None,
    })
}
