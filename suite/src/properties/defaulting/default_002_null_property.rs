//! DEFAULT-002: a null is replaced by the default where the node is not nullable, and stays where it is.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{
    planted::{Gap, Planted},
    shared::{OBJECTS, examples, object_of, root_of},
};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-002-null-property",
    title: "a null where a default is declared becomes the default, unless the node is nullable",
    asserts: &["DEFAULT-002", "DEFAULT-002/e1"],
    needs: &[Capability::Serving, Capability::Defaulting],
    edges: &[Edge { name: "nodes-without-type", plan: nodes_without_type }],
    plan,
};

/// Nulls at properties, elements and map values that have a default; the complete objects hold nulls at nullable nodes.
fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let planted = Planted::draw(choices);
    let definition = plan.definition(&planted.schema);
    choices.many("object", 1, OBJECTS, |choices, _| {
        let object = planted.object(choices, Gap::Null);
        let created = plan.try_create(definition, object.body);
        plan.check("null-replaced", &["DEFAULT-002"], created, Expectation::Content(object.complete));
        plan.count_case();
    });
    plan.finish()
}

fn nodes_without_type() -> Scenario {
    let spec = object_of(&json!({
        "any": { "x-kubernetes-preserve-unknown-fields": true, "default": { "a": null } },
        "port": { "x-kubernetes-int-or-string": true, "default": "http" },
        "anyOrNull": { "x-kubernetes-preserve-unknown-fields": true, "nullable": true, "default": 1 },
        "portOrNull": { "x-kubernetes-int-or-string": true, "nullable": true, "default": 80 },
        "textOrNull": { "type": "string", "nullable": true, "default": "x" },
    }));
    let nulls =
        json!({ "spec": { "any": null, "port": null, "anyOrNull": null, "portOrNull": null, "textOrNull": null } });
    let replaced = json!({ "spec": { "any": { "a": null }, "port": "http", "anyOrNull": null, "portOrNull": null, "textOrNull": null } });
    let absent = json!({ "spec": { "any": { "a": null }, "port": "http", "anyOrNull": 1, "portOrNull": 80, "textOrNull": "x" } });
    examples(
        root_of(&spec),
        &["DEFAULT-002", "DEFAULT-002/e1"],
        vec![
            ("nulls", nulls, Expectation::Content(replaced)),
            ("absent", json!({ "spec": {} }), Expectation::Content(absent)),
        ],
    )
}
