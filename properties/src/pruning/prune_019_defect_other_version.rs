//! PRUNE-019, where kube-apiserver violates it: only a version other than the storage version declares the field
//! as embedded.

use super::shared::{embedded, object_meta, preserving};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

/// No LIST: kube-apiserver returns 429 forever, so a client that obeys it never gets a verdict.
const ASSERTS: &[&str] = &["PRUNE-019"];

pub(super) const PROPERTY: Property = Property::new("prune-019-defect-other-version", plan)
    .title("invalid meta fields do not break reads at a version that declares them embedded")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::in_spec(&[Container::Object]);
    let versions = two_versions(place.schema(preserving()), place.schema(embedded(true)));
    let definition = plan.define_versions(versions);
    let mut object = json!({ "apiVersion": "v1", "kind": "X", "metadata": {}, "a": 1 });
    match choices.draw(2) {
        0 => object["apiVersion"] = json!(5),
        1 => object["kind"] = json!(5),
        _ => {
            let (key, wrong) = choices.pick(object_meta::WRONG);
            object["metadata"][*key] = wrong();
        }
    }
    let created = plan.create(definition, place.content(&object));
    let read = plan.get_at(created, "v2");
    plan.check("read", ASSERTS, read, at(format!("{}/a", place.pointer()), json!(1)));
}
