//! Faults in what becomes of definitions over time.

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::{Value, json};

use crate::{
    json::{elements, items, text},
    layer::Layered,
    sent::{is_about_definitions, merge},
    server::{Answer, Asked},
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
    elements(&mut answer.body, "/status/conditions")
}

/// Those of a type.
fn conditions_of<'a>(answer: &'a mut Answer, kind: &str) -> impl Iterator<Item = &'a mut Value> {
    conditions(answer).filter(move |condition| condition["type"] == *kind)
}

/// The definition of objects at this path, with its objects; null if there is none.
async fn definition_of(server: &Layered, path: &str) -> Result<Value, TransportError> {
    let mut segments = path.split('/').skip(2);
    let (group, plural) = (segments.next().unwrap_or_default(), segments.nth(1).unwrap_or_default());
    server.get(&format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}")).await
}

/// The path of the objects of a definition at `v1`.
fn collection_of(definition: &Value) -> String {
    format!("/apis/{}/v1/{}", text(definition, "/spec/group"), text(definition, "/spec/names/plural"))
}

/// The objects of a definition at `v1`.
async fn objects_of(server: &Layered, definition: &Value) -> Result<Vec<Value>, TransportError> {
    Ok(items(&server.get(&collection_of(definition)).await?).cloned().collect())
}

/// Whether a definition is established.
fn is_established(definition: &Value) -> bool {
    let conditions = definition.pointer("/status/conditions").and_then(Value::as_array);
    let is_so = |condition: &Value| condition["type"] == "Established" && condition["status"] == "True";
    conditions.is_some_and(|conditions| conditions.iter().any(is_so))
}

/// Writes all objects of all other definitions.
async fn touch_others(server: &Layered, definition: &Value) -> Result<(), TransportError> {
    let all = server.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").await?;
    let mark = text(definition, "/metadata/resourceVersion");
    for other in items(&all).filter(|other| other["metadata"]["name"] != definition["metadata"]["name"]) {
        touch_all(server, other, mark).await?;
    }
    Ok(())
}

/// Writes all objects of a definition without changing anything that a client says of them.
async fn touch_all(server: &Layered, definition: &Value, mark: &str) -> Result<(), TransportError> {
    for item in objects_of(server, definition).await? {
        let path = format!("{}/{}", collection_of(definition), text(&item, "/metadata/name"));
        server.pass(merge(&path, &json!({ "metadata": { "annotations": { "touched": mark } } }))).await?;
    }
    Ok(())
}
