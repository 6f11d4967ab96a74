//! PRUNE-019, where kube-apiserver violates it: stored embedded metadata that is not an object.

use super::shared::{embedded, preserving};
use crate::prelude::*;

/// No LIST: kube-apiserver returns 429 forever, so a client that obeys it never gets a verdict.
const ASSERTS: &[&str] = &["PRUNE-019"];

pub(super) const PROPERTY: Property = Property::new("prune-019-defect-no-object", plan)
    .title("a stored object whose embedded metadata is not an object can still be read")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::in_spec(&[Container::Object]);
    let definition = plan.define_schema(place.schema(preserving()));
    let metadata = choices.pick(&[json!("text"), json!(5), json!(true), json!(["a"])]).clone();
    let object = json!({ "apiVersion": "v1", "kind": "X", "a": 1, "metadata": metadata });
    let created = plan.create(definition, place.content(&object));
    plan.install_schema(definition, place.schema(embedded(true)));
    let read = plan.get(created);
    plan.check("read", ASSERTS, read, at(format!("{}/a", place.pointer()), json!(1)));
}
