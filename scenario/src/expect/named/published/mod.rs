//! Checks of documents of `OpenAPI`: which there are, and what they say of a definition.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

mod admits;
mod documents;
mod routes;
mod schema;

use serde_json::{Map, Value, json};

use super::{
    super::{Mismatch, equal},
    Given,
};
use crate::transcript::Answer;

pub(super) use admits::admits;
pub(super) use documents::{hash_of, immutable, index, not_modified, nothing, other_etag, resolves, same_etag};
pub(super) use routes::routes;
pub(super) use schema::schema;

/// 200 with a document.
fn document(answer: &Answer) -> Result<&Value, Mismatch> {
    if answer.status == 200 && answer.body.is_object() {
        return Ok(&answer.body);
    }
    let actual = json!({ "status": answer.status });
    let summary = format!("{}, expected a document", answer.status);
    Err(Mismatch::new(json!(200), actual, "", "no-document", summary))
}

/// The models of a document of either version.
fn models(document: &Value) -> Option<&Map<String, Value>> {
    ["/components/schemas", "/definitions"].iter().find_map(|at| document.pointer(at)?.as_object())
}

/// The model of this name.
fn model<'a>(answer: &'a Answer, name: &str) -> Result<&'a Value, Mismatch> {
    let found = models(document(answer)?).and_then(|models| models.get(name));
    found.ok_or_else(|| {
        let known: Vec<&String> = models(&answer.body).into_iter().flat_map(Map::keys).collect();
        let summary = format!("there is no model of the name {name}");
        Mismatch::new(json!(name), json!(known), "", "no-model", summary)
    })
}

pub(super) fn current(
    given: &Given<'_>,
    versions: &[String],
    fields: Option<&Map<String, Value>>,
) -> Result<(), Mismatch> {
    let document = document(given.answer)?;
    let is_stale = |version: &str| {
        let stale = given.answer.publication.iter().flat_map(|publication| &publication.stale);
        let Some(model) = models(document).and_then(|models| models.get(&format!("$group.{version}.$kind"))) else {
            return true;
        };
        let fields = fields.and_then(|fields| fields.get(version));
        let shown = model.get("x-kubernetes-selectable-fields").unwrap_or(&Value::Null);
        { stale }.any(|stale| stale == version) || fields.is_some_and(|fields| fields != shown)
    };
    match versions.iter().find(|version| is_stale(version)) {
        Some(version) => {
            let summary = format!("the model of {version} is of an earlier schema");
            Err(Mismatch::new(json!("the last schema"), json!("an earlier one"), "", "stale", summary))
        }
        None => Ok(()),
    }
}

pub(super) fn no_model(given: &Given<'_>, name: &str) -> Result<(), Mismatch> {
    document(given.answer)?;
    match model(given.answer, name) {
        Ok(model) => {
            let summary = format!("the document still has the model {name}");
            Err(Mismatch::new(Value::Null, model.clone(), "", "left", summary))
        }
        Err(_) => Ok(()),
    }
}

pub(super) fn value(given: &Given<'_>, name: &str, pointer: &str, expected: &Value) -> Result<(), Mismatch> {
    let actual = model(given.answer, name)?.pointer(pointer).unwrap_or(&Value::Null);
    if equal(expected, actual) {
        return Ok(());
    }
    let keyword = pointer.rsplit('/').next().unwrap_or(pointer);
    let summary = format!("{keyword} of the model {name} is another");
    let place = format!("openAPIV3Schema.{keyword}");
    Err(Mismatch::new(expected.clone(), actual.clone(), &place, "changed", summary))
}
