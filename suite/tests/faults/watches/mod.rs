//! Faults in watches.

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::{Value, json};

use crate::hooked::{Hooked, has, is_object, merge, read};

pub(crate) mod endings;
pub(crate) mod initial;
pub(crate) mod replayed;
pub(crate) mod selected;

/// What a finding in a watch from a list on names.
const REPLAY: &[&str] = &["INV-035", "INV-055", "INV-074", "REST-046", "REST-060", "REST-061", "REST-063", "REST-067"];

/// The object of an event, as it is now; null if there is none.
async fn present(server: &Hooked, watch: &HttpRequest, event: &Value) -> Result<Value, TransportError> {
    let name = event["object"]["metadata"]["name"].as_str().unwrap_or_default();
    let answered = server.server.send(read(&format!("{}/{name}", watch.uri().path()))).await?;
    let object: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
    Ok(if answered.status().is_success() { object } else { Value::Null })
}

/// Whether it is a patch of an object, and no dry run.
fn is_patch(request: &HttpRequest) -> bool {
    *request.method() == Method::PATCH && is_object(request) && !has(request, "dryRun")
}

/// Writes an object without changing anything that a client says of it.
async fn touch(server: &Hooked, path: &str) -> Result<(), TransportError> {
    let before = server.server.send(read(path)).await?;
    let before: Value = serde_json::from_slice(before.body()).unwrap_or_default();
    let touched = json!({ "metadata": { "annotations": { "touched": before["metadata"]["resourceVersion"] } } });
    server.server.send(merge(path, &touched)).await?;
    Ok(())
}
