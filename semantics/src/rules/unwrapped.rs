//! What is left of values of a schema that were in an optional value which was unwrapped (CEL-007): until Kubernetes
//! 1.36, upstream makes them again of what is stored. So sets and map lists are plain lists, properties have the names of
//! the schema, and times, durations and bytes are texts.

use std::any::Any;
use std::sync::Arc;

use crdible_cel::{Evaluated, EvaluationError, Opaque, Value};
use serde_json::Value as Json;

use crate::json::equal_as_written;
use crate::{Schema, json};

/// From here on, no rule can name what is inside: the nesting of expressions is limited.
const DEEPEST: usize = 300;

/// What is stored, if that is another value than the rules of its node see.
pub(super) fn stored(json: &Json, schema: &Schema, bound: &Evaluated) -> Option<Value> {
    match (json, bound) {
        (_, Ok(Value::List(_) | Value::Map(_) | Value::Opaque(_))) => None,
        (Json::String(text), Ok(Value::String(seen))) if **seen == **text => None,
        (Json::Number(number), Ok(Value::Double(_))) if schema.type_name == "number" && number.as_i64().is_none() => {
            None
        }
        (Json::Number(_), Ok(Value::Int(_))) | (Json::Bool(_), Ok(Value::Bool(_))) | (Json::Null, Ok(Value::Null)) => {
            None
        }
        _ => Some(plain(json, 0)),
    }
}

/// A value without a schema.
pub(super) fn plain(json: &Json, depth: usize) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Int(integer),
            None => Value::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(_) | Json::Object(_) if depth > DEEPEST => Value::Opaque(Arc::new(Undeclared(json::copied(json)))),
        Json::Array(elements) => Value::list(elements.iter().map(|element| plain(element, depth + 1)).collect()),
        Json::Object(entries) => {
            let entry = |(name, json): (&String, &Json)| (Value::from(name.as_str()), plain(json, depth + 1));
            Value::map(entries.iter().map(entry).collect())
        }
    }
}

/// A part of a list or of an object: as it is stored, if that is known, and else what is left of it.
pub(super) fn part(stored: Option<&Value>, seen: &Evaluated) -> Value {
    match (stored, seen) {
        (Some(stored), _) => stored.clone(),
        (None, Ok(seen)) => seen.unwrapped(),
        (None, Err(_)) => Value::Null,
    }
}

/// A value without a type, which rules only compare as part of a whole. It may be nested to any depth.
#[derive(Debug)]
pub(super) struct Undeclared(pub(super) Json);

impl Drop for Undeclared {
    fn drop(&mut self) {
        json::dismantle(self.0.take());
    }
}

impl Opaque for Undeclared {
    fn type_name(&self) -> &'static str {
        "unknown"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        let Value::Opaque(other) = other else { return Ok(false) };
        let other = (&**other as &dyn Any).downcast_ref::<Self>();
        Ok(other.is_some_and(|other| equal_as_written(&self.0, &other.0)))
    }

    fn print(&self) -> String {
        self.0.to_string()
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        Some(Ok(plain(&self.0, 0)))
    }
}
