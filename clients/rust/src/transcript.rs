//! Writes the transcript of what the client saw.

use std::time::Duration;

use kube::Error;
use serde::Serialize;
use serde_json::Value;

use crate::Failure;

/// Starts a step.
pub(crate) fn step(title: &str) {
    println!("== {title}");
}

/// Writes a value with sorted keys, and without managed fields, which have their own step.
pub(crate) fn write(what: &impl Serialize) -> Result<(), Failure> {
    let mut value = serde_json::to_value(what)?;
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    println!("{}", serde_json::to_string_pretty(&value)?);
    Ok(())
}

/// Writes the refusal of a call, which must have this code.
pub(crate) fn refused<T>(code: u16, answer: Result<T, Error>) -> Result<(), Failure> {
    match answer {
        Ok(_) => Err(format!("not refused with {code}").into()),
        Err(Error::Api(status)) if status.code == code => {
            let mut refusal = serde_json::to_value(&status)?;
            // Causes have no order, and neither has the message that joins them.
            if let Some(causes) = refusal.pointer_mut("/details/causes").and_then(Value::as_array_mut)
                && !causes.is_empty()
            {
                causes.sort_by_key(ToString::to_string);
                refusal["message"] = Value::Null;
            }
            println!("{}", serde_json::to_string_pretty(&refusal)?);
            Ok(())
        }
        Err(other) => Err(other.into()),
    }
}

/// Waits with a time limit.
pub(crate) async fn within<T>(what: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(tokio::time::timeout(Duration::from_secs(30), what).await?)
}
