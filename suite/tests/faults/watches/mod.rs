//! Faults in watches.

use crdible::connection::{HttpRequest, TransportError};
use serde_json::{Value, json};

use crate::{json::text, layer::Layered, sent::merge};

pub(crate) mod endings;
pub(crate) mod initial;
pub(crate) mod replayed;
pub(crate) mod selected;

/// What a finding in a watch from a list on names.
const REPLAY: &[&str] = &["INV-035", "INV-055", "INV-074", "REST-046", "REST-060", "REST-061", "REST-063", "REST-067"];

/// The object of an event, as it is now; null if there is none.
async fn present(server: &Layered, watch: &HttpRequest, event: &Value) -> Result<Value, TransportError> {
    server.get(&format!("{}/{}", watch.uri().path(), text(event, "/object/metadata/name"))).await
}

/// Writes an object without changing anything that a client says of it.
async fn touch(server: &Layered, path: &str) -> Result<(), TransportError> {
    let before = server.get(path).await?;
    let touched = json!({ "metadata": { "annotations": { "touched": before["metadata"]["resourceVersion"] } } });
    server.pass(merge(path, &touched)).await?;
    Ok(())
}
