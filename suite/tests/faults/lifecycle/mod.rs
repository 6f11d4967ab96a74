//! Faults in what becomes of definitions over time.

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::{Value, json};

use crate::{
    hooked::{Hooked, items, merge, read},
    server::{Answer, Asked, is_about_definitions},
};

pub(crate) mod deletion;
pub(crate) mod names;
pub(crate) mod states;

/// Whether a request is about one definition itself.
fn is_definition(request: &HttpRequest) -> bool {
    is_about_definitions(request) && request.uri().path().split('/').count() == 6
}

/// Whether an answer is to the DELETE of one definition, and shows it.
fn is_deletion(asked: &Asked, answer: &Answer) -> bool {
    asked.method == Method::DELETE && answer.body["kind"] == "CustomResourceDefinition"
}

/// The conditions that an answer shows, of one definition.
fn conditions(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut).into_iter().flatten()
}

/// The definition of objects at this path, with its objects; null if there is none.
async fn definition_of(server: &Hooked, path: &str) -> Result<Value, TransportError> {
    let mut segments = path.split('/').skip(2);
    let (group, plural) = (segments.next().unwrap_or_default(), segments.nth(1).unwrap_or_default());
    let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}");
    let answered = server.server.send(read(&path)).await?;
    Ok(serde_json::from_slice(answered.body()).unwrap_or_default())
}

/// The path of the objects of a definition at `v1`.
fn collection_of(definition: &Value) -> String {
    let [group, plural] = ["/spec/group", "/spec/names/plural"]
        .map(|pointer| definition.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
    format!("/apis/{group}/v1/{plural}")
}

/// The objects of a definition at `v1`.
async fn objects_of(server: &Hooked, definition: &Value) -> Result<Vec<Value>, TransportError> {
    let listed = server.server.send(read(&collection_of(definition))).await?;
    let list: Value = serde_json::from_slice(listed.body()).unwrap_or_default();
    Ok(items(&list).cloned().collect())
}

/// Writes all objects of a definition without changing anything that a client says of them.
async fn touch_all(server: &Hooked, definition: &Value, mark: &str) -> Result<(), TransportError> {
    for item in objects_of(server, definition).await? {
        let name = item["metadata"]["name"].as_str().unwrap_or_default();
        let touched = json!({ "metadata": { "annotations": { "touched": mark } } });
        server.server.send(merge(&format!("{}/{name}", collection_of(definition)), &touched)).await?;
    }
    Ok(())
}
