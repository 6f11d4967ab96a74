//! PRUNE-001: keys that the schema does not declare are pruned, and nothing else is.

use super::shared::{Planted, with_odd_names};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("prune-001-unknown-keys", plan)
    .title("undeclared keys are removed before an object is stored, and everything else is kept")
    .asserts(&["PRUNE-001", "PRUNE-001/e1", "PRUNE-015", "INV-002"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "exact-keys", plan: exact_keys }, Edge { name: "root", plan: root }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { clean, dirty, .. } = Planted::draw(choices, &schema);
        let without = plan.try_create(definition, clean);
        plan.assume(without, Expectation::Accepted);
        let with = plan.try_create(definition, dirty);
        plan.check("same-content", &["PRUNE-001", "INV-002"], with, Expectation::same_content(without));
    });
}

fn exact_keys(plan: &mut Plan) {
    const KEYS: &[&str] = &["PRUNE-001", "PRUNE-001/e1"];
    plan.in_one_schema([
        Row::new(object_of(json!({ "a": { "type": "integer" } }))).with([
            Example::becomes("case-and-blanks", KEYS, json!({ "a": 1, "A": 2, "a ": 3, " a": 4 }), json!({ "a": 1 })),
            Example::becomes("longer-and-shorter", KEYS, json!({ "a": 1, "aa": 2, "": 3 }), json!({ "a": 1 })),
            Example::becomes("undeclared-null", KEYS, json!({ "a": 1, "b": null }), json!({ "a": 1 })),
            Example::unknown("undeclared-null-is-reported", KEYS, json!({ "a": 1, "b": null }), &[".b"]),
            Example::becomes(
                "keys-of-resources",
                &["PRUNE-015"],
                json!({ "a": 1, "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "x" } }),
                json!({ "a": 1 }),
            ),
        ]),
        Row::new(json!({ "type": "object" })).with([Example::becomes(
            "nothing-declared",
            KEYS,
            json!({ "a": { "b": 1 }, "c": 2 }),
            json!({}),
        )]),
    ])
}

fn root(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let sent =
        json!({ "metadata": { "labels": { "l": "x" } }, "spec": {}, "Spec": {}, "status": { "a": 1 }, "a": null });
    let created = plan.try_create(definition, sent);
    plan.check("content", &["PRUNE-001", "PRUNE-001/e1"], created, Expectation::Content(json!({ "spec": {} })));
    let labels = at("/metadata/labels", json!({ "l": "x" }));
    plan.check("meta-fields-stay", &["PRUNE-001/e1"], created, labels);
}
