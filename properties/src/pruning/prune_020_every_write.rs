//! PRUNE-020: every kind of write prunes.

use super::shared::{Planted, plain_shape, with_odd_names};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-020"];

pub(super) const PROPERTY: Property = Property::new("prune-020-every-write", plan)
    .title("every kind of write stores the same object, pruned before it is validated")
    .asserts(&["PRUNE-020", "PRUNE-020/e1"])
    .needs(&[Capability::Storing, Capability::Pruning])
    .edges(&[
        Edge { name: "before-validation", plan: before_validation },
        Edge { name: "within-one-patch", plan: within_one_patch },
        Edge { name: "between-patches", plan: between_patches },
    ]);

const OBJECTS: usize = 3;

/// Without nullable nodes, because a merge patch cannot set a null.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape { nullable: false, preserving: false, embedded: false, ..plain_shape(choices) };
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    choices.many("object", 1, OBJECTS, |choices, _| {
        let Planted { clean, dirty, .. } = Planted::draw(choices, &schema);
        let entries: Vec<(String, Value)> = dirty.as_object().cloned().unwrap_or_default().into_iter().collect();
        let operations: Vec<Value> = (entries.iter())
            .map(|(key, value)| json!({ "op": "add", "path": pointer::join("", key), "value": value }))
            .collect();
        let edits = entries.iter().map(|(key, value)| Edit::Set(pointer::join("", key), value.clone())).collect();
        let posted = plan.create(definition, dirty.clone());
        let bases = [(); 3].map(|()| plan.create(definition, json!({})));
        let put = plan.put_back(bases[0], edits);
        let patched = plan.patch(bases[1], Method::JsonPatch, Value::Array(operations));
        let merged = plan.patch(bases[2], Method::MergePatch, dirty);
        for (name, step) in [("post", posted), ("put", put), ("json-patch", patched), ("merge-patch", merged)] {
            plan.check(name, ASSERTS, step, Expectation::Content(clean.clone()));
            plan.count_case();
        }
    });
}

fn before_validation(plan: &mut Plan) {
    let object = |keywords: Value| {
        extended(object_of(json!({ "a": { "type": "integer" }, "b": { "type": "string" } })), &keywords)
    };
    let pruned = |name, sent: Value| Example::becomes(name, ASSERTS, sent, json!({ "a": 1 }));
    plan.in_one_schema([
        Row::new(object(json!({ "maxProperties": 1 })))
            .with([pruned("maxProperties", json!({ "a": 1, "u": 2 })), pruned("nulls", json!({ "a": 1, "b": null }))]),
        Row::new(object(json!({ "minProperties": 1 }))).with([Example::refused(
            "minProperties",
            ASSERTS,
            json!({ "u": 2 }),
            [("", "Invalid")],
        )]),
        Row::new(object(json!({ "enum": [{ "a": 1 }] }))).with([pruned("enum", json!({ "a": 1, "u": 2 }))]),
        // An undeclared key does not prevent a default from being filled in.
        Row::new(object_of(json!({ "a": { "type": "integer", "default": 1 } })))
            .with([pruned("defaults", json!({ "u": 2 }))]),
    ])
}

/// A later operation sees what an earlier one of the same patch added, declared or not.
fn within_one_patch(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({ "a": { "type": "integer" } })));
    let created = plan.create(definition, json!({ "spec": {} }));
    let patch = json!([
        { "op": "add", "path": "/spec/u", "value": { "x": 1 } },
        { "op": "copy", "from": "/spec/u/x", "path": "/spec/a" },
    ]);
    let patched = plan.patch(created, Method::JsonPatch, patch);
    plan.check("read-within", &["PRUNE-020/e1"], patched, Expectation::Content(json!({ "spec": { "a": 1 } })));
}

/// A patch that only adds an unknown field changes nothing, and the next patch does not see the field.
fn between_patches(plan: &mut Plan) {
    let asserts = &["PRUNE-020/e1"];
    let definition = plan.define_schema(spec_of(json!({ "a": { "type": "integer" } })));
    let created = plan.create(definition, json!({ "spec": {} }));
    let add = json!([{ "op": "add", "path": "/spec/u", "value": { "x": 1 } }]);
    let patched = plan.patch(created, Method::JsonPatch, add);
    plan.check("nothing-new", asserts, patched, Expectation::Content(json!({ "spec": {} })));
    plan.check("same-generation", asserts, patched, Expectation::same_generation(created));
    plan.check("same-revision", asserts, patched, Expectation::same_revision(created));
    let copy = json!([{ "op": "copy", "from": "/spec/u/x", "path": "/spec/a" }]);
    let refused = plan.patch(created, Method::JsonPatch, copy);
    plan.check("not-found", asserts, refused, Expectation::Refused);
}
