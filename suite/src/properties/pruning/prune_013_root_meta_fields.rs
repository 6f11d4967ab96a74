//! PRUNE-013: the root's `apiVersion`, `kind` and `metadata` are never pruned.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{object_meta, parse};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-013"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-013-root-meta-fields",
    title: "type and metadata of an object stay whole, whatever of them the schema declares",
    asserts: ASSERTS,
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[],
    plan,
};

const OBJECTS: usize = 4;

/// What a schema can say of the meta fields.
const DECLARATIONS: [fn(&mut Value); 5] = [
    |_| {},
    |properties| properties["metadata"] = json!({ "type": "object" }),
    |properties| properties["metadata"] = json!({ "type": "object", "properties": { "name": { "type": "string" } } }),
    |properties| properties["kind"] = json!({ "type": "string" }),
    |properties| properties["apiVersion"] = json!({ "type": "string" }),
];

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let mut properties = json!({ "spec": { "type": "object" } });
    choices.many("declaration", 0, 3, |choices, _| (choices.pick(&DECLARATIONS))(&mut properties));
    let definition = plan.definition(&parse(&json!({ "type": "object", "properties": properties })));
    choices.many("object", 1, OBJECTS, |choices, _| {
        let metadata = object_meta::kept(choices);
        let created = plan.try_create(definition, json!({ "metadata": metadata, "spec": {}, "u": 1 }));
        plan.check("content", ASSERTS, created, Expectation::Content(json!({ "spec": {} })));
        let fields = metadata.into_iter().map(|(key, value)| (format!("/metadata/{key}"), value));
        let types = [("/apiVersion".to_owned(), json!("$group/v1")), ("/kind".to_owned(), json!("$kind"))];
        for (pointer, value) in types.into_iter().chain(fields) {
            plan.check("kept", ASSERTS, created, Expectation::At { pointer, value: Some(value) });
        }
        plan.count_case();
    });
    plan.finish()
}
