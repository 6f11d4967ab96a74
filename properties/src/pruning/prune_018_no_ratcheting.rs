//! PRUNE-018, third edge: ratcheting forgives nothing that an object lacks since its field became embedded.

use super::shared::{PLACES, embedded, preserving};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-018/e3"];

pub(super) const PROPERTY: Property = Property::new("prune-018-no-ratcheting", plan)
    .title("after a field became embedded, every update is rejected until that field is valid")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let definition = plan.define_schema(place.schema(preserving()));
    let lacks =
        choices.cases("object", |choices, _| *choices.pick(&[&["apiVersion", "kind"][..], &["kind"], &["apiVersion"]]));
    let stored: Vec<usize> = lacks.iter().map(|lacks| plan.create(definition, place.content(object(lacks)))).collect();
    plan.install_schema(definition, place.schema(embedded(true)));
    for (lacks, created) in lacks.into_iter().zip(stored) {
        let labelled = plan.put_back(created, vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))]);
        let missing = lacks.iter().map(|key| (format!(".{key}"), "Required"));
        plan.check_causes("refused", ASSERTS, labelled, place.causes(missing));
        let repaired = place.content(object(&[]));
        let put = plan.put_back(created, vec![Edit::Set("/spec".into(), repaired["spec"].clone())]);
        plan.check("repaired", ASSERTS, put, Expectation::Content(repaired));
        plan.count_case();
    }
}

fn object(lacks: &[&str]) -> Value {
    let mut object = json!({ "apiVersion": "v1", "kind": "X", "a": 1 });
    object.as_object_mut().into_iter().for_each(|object| object.retain(|key, _| !lacks.contains(&key.as_str())));
    object
}
