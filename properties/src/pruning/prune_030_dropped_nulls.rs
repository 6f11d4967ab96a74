//! PRUNE-030: a null that is dropped is not an unknown field.

use crdible_generators::edit;

use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-030"];

pub(super) const PROPERTY: Property = Property::new("prune-030-dropped-nulls", plan)
    .title("nulls at declared properties are accepted under Strict and cause no warning")
    .asserts(&["PRUNE-030", "PRUNE-030/e1"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "declared-and-undeclared", plan: declared_and_undeclared }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let mut fields = value::valid(choices, &schema);
        edit::plant_nulls(choices, &schema, &mut fields);
        let strict = plan.try_create_validating(definition, "Strict", fields.clone());
        plan.check("not-refused", ASSERTS, strict, Expectation::Accepted);
        let warned = plan.try_create_validating(definition, "Warn", fields);
        plan.check("not-warned", ASSERTS, warned, Expectation::UnknownFieldWarnings(vec![]));
    });
}

fn declared_and_undeclared(plan: &mut Plan) {
    let node = object_of(json!({ "a": { "type": "integer" }, "o": { "type": "object" } }));
    let undeclared = json!({ "a": null, "o": { "b": null }, "u": null });
    plan.in_one_schema([Row::new(node).with([
        Example::silent("declared", ASSERTS, json!({ "a": null, "o": null }), json!({})),
        Example::unknown("undeclared", &["PRUNE-030/e1"], undeclared, &[".o.b", ".u"]),
    ])])
}
