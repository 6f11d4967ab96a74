//! PRUNE-030: a null that is dropped is no unknown field.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use serde_json::json;

use super::shared::{Example, Outcome, examples};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-030"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-030-dropped-nulls",
    title: "nulls at declared properties pass under Strict and give no warning",
    asserts: &["PRUNE-030", "PRUNE-030/e1"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "declared-and-undeclared", plan: declared_and_undeclared }],
    plan,
};

const OBJECTS: usize = 6;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = SchemaShape::swarm(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    choices.many("object", 1, OBJECTS, |choices, _| {
        let mut fields = value::valid(choices, &schema);
        edit::plant_nulls(choices, &schema, &mut fields);
        let strict = plan.try_create_validating(definition, "Strict", fields.clone());
        plan.check("not-refused", ASSERTS, strict, Expectation::Accepted);
        let warned = plan.try_create_validating(definition, "Warn", fields);
        plan.check("not-warned", ASSERTS, warned, Expectation::UnknownFieldWarnings(vec![]));
        plan.count_case();
    });
    plan.finish()
}

fn declared_and_undeclared() -> Scenario {
    let node = || json!({ "type": "object", "properties": { "a": { "type": "integer" }, "o": { "type": "object" } } });
    examples(vec![
        Example {
            name: "declared",
            asserts: ASSERTS,
            node: node(),
            sent: json!({ "a": null, "o": null }),
            outcome: Outcome::Silent(json!({})),
        },
        Example {
            name: "undeclared",
            asserts: &["PRUNE-030/e1"],
            node: node(),
            sent: json!({ "a": null, "o": { "b": null }, "u": null }),
            outcome: Outcome::Unknown(&[".o.b", ".u"]),
        },
    ])
}
