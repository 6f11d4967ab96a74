//! PRUNE-001: keys that the schema does not declare vanish, and nothing else does.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
};
use serde_json::json;

use super::shared::{Example, Outcome, Planted, examples, spec_of, with_odd_names};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "prune-001-unknown-keys",
    title: "an object with undeclared keys is stored like the same object without them",
    asserts: &["PRUNE-001", "PRUNE-001/e1", "PRUNE-015", "INV-002"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "exact-keys", plan: exact_keys }, Edge { name: "root", plan: root }],
    plan,
};

/// Objects under one schema: a schema is what costs time on a real server.
const OBJECTS: usize = 6;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = SchemaShape::swarm(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    choices.many("object", 1, OBJECTS, |choices, _| {
        let Planted { clean, dirty, .. } = Planted::draw(choices, &schema);
        let without = plan.try_create(definition, clean);
        plan.assume(without, Expectation::Accepted);
        let with = plan.try_create(definition, dirty);
        plan.check("same-content", &["PRUNE-001", "INV-002"], with, Expectation::SameContent { r#as: without });
        plan.count_case();
    });
    plan.finish()
}

fn exact_keys() -> Scenario {
    let asserts = &["PRUNE-001", "PRUNE-001/e1"];
    let one = || json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let example = |name, node, sent, outcome| Example { name, asserts, node, sent, outcome };
    examples(vec![
        example(
            "case-and-blanks",
            one(),
            json!({ "a": 1, "A": 2, "a ": 3, " a": 4 }),
            Outcome::Kept(json!({ "a": 1 })),
        ),
        example("longer-and-shorter", one(), json!({ "a": 1, "aa": 2, "": 3 }), Outcome::Kept(json!({ "a": 1 }))),
        example("undeclared-null", one(), json!({ "a": 1, "b": null }), Outcome::Kept(json!({ "a": 1 }))),
        example("undeclared-null-is-reported", one(), json!({ "a": 1, "b": null }), Outcome::Unknown(&[".b"])),
        example(
            "nothing-declared",
            json!({ "type": "object" }),
            json!({ "a": { "b": 1 }, "c": 2 }),
            Outcome::Kept(json!({})),
        ),
        Example {
            name: "keys-of-resources",
            asserts: &["PRUNE-015"],
            node: one(),
            sent: json!({ "a": 1, "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "x" } }),
            outcome: Outcome::Kept(json!({ "a": 1 })),
        },
    ])
}

fn root() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.definition(&spec_of(&json!({})));
    let sent =
        json!({ "metadata": { "labels": { "l": "x" } }, "spec": {}, "Spec": {}, "status": { "a": 1 }, "a": null });
    let created = plan.try_create(definition, sent);
    plan.check("content", &["PRUNE-001", "PRUNE-001/e1"], created, Expectation::Content(json!({ "spec": {} })));
    let labels = Expectation::At { pointer: "/metadata/labels".into(), value: Some(json!({ "l": "x" })) };
    plan.check("meta-fields-stay", &["PRUNE-001/e1"], created, labels);
    plan.finish()
}
