//! PRUNE-018, third edge: an object that became embedded is not forgiven what it lacks.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Site, embedded, parse};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Edit, Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-018/e3"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-018-no-ratcheting",
    title: "an object stored before a field became embedded refuses any update until the field is repaired",
    asserts: ASSERTS,
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let definition = plan.definition(&site.schema(parse(&json!({ "x-kubernetes-preserve-unknown-fields": true }))));
    let lacks = choices
        .many("object", 1, 3, |choices, _| *choices.pick(&[&["apiVersion", "kind"][..], &["kind"], &["apiVersion"]]));
    let stored: Vec<usize> = lacks.iter().map(|lacks| plan.create(definition, site.content(&object(lacks)))).collect();
    plan.install(definition, &site.schema(embedded(true)));
    for (lacks, created) in lacks.into_iter().zip(stored) {
        let labelled = plan.put_back(created, vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))]);
        let causes = lacks
            .iter()
            .flat_map(|key| site.fields(&format!(".{key}")))
            .map(|field| Cause::new(field, "Required"))
            .collect();
        plan.check_causes("refused", ASSERTS, labelled, causes);
        let repaired = site.content(&object(&[]));
        let put = plan.put_back(created, vec![Edit::Set("/spec".into(), repaired["spec"].clone())]);
        plan.check("repaired", ASSERTS, put, Expectation::Content(repaired));
        plan.count_case();
    }
    plan.finish()
}

fn object(lacks: &[&str]) -> Value {
    let mut object = json!({ "apiVersion": "v1", "kind": "X", "a": 1 });
    object.as_object_mut().into_iter().for_each(|object| object.retain(|key, _| !lacks.contains(&key.as_str())));
    object
}
