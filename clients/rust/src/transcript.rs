//! Writes down what the client saw.

use std::time::Duration;

use kube::Error;
use serde::Serialize;
use serde_json::Value;

use crate::Failure;

/// Begins a step.
pub(crate) fn step(title: &str) {
    println!("== {title}");
}

/// Writes a value down, keys in order and without managed fields, which have a step of their own.
pub(crate) fn tell(what: &impl Serialize) -> Result<(), Failure> {
    let mut told = serde_json::to_value(what)?;
    if let Some(metadata) = told.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    println!("{}", serde_json::to_string_pretty(&told)?);
    Ok(())
}

/// Writes down how a call was refused, which must be with this code.
pub(crate) fn refused<T>(code: u16, answer: Result<T, Error>) -> Result<(), Failure> {
    match answer {
        Ok(_) => Err(format!("not refused with {code}").into()),
        Err(Error::Api(status)) if status.code == code => {
            let mut told = serde_json::to_value(&status)?;
            // Causes have no order, nor has the message that strings them together.
            if let Some(causes) = told.pointer_mut("/details/causes").and_then(Value::as_array_mut)
                && !causes.is_empty()
            {
                causes.sort_by_key(ToString::to_string);
                told["message"] = Value::Null;
            }
            println!("{}", serde_json::to_string_pretty(&told)?);
            Ok(())
        }
        Err(other) => Err(other.into()),
    }
}

/// Waits, but not for ever.
pub(crate) async fn within<T>(what: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(tokio::time::timeout(Duration::from_secs(30), what).await?)
}
