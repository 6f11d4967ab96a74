//! INV-011: a null at a declared property that is not nullable means the same as no key, in every kind of write.

use crdible_generators::edit;

use super::shared::any_shape;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-011-null-equals-absent", plan)
    .title("POST, PUT and patches treat a null at a property that is not nullable like a missing key")
    .asserts(&["INV-011", "INV-011/e1", "DEFAULT-003"])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = any_shape(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let body = value::valid(choices, &schema);
        let mut with_nulls = body.clone();
        let nulls = edit::plant_nulls(choices, &schema, &mut with_nulls);
        let absent = plan.create(definition, body.clone());
        plan.assume(absent, Expectation::Accepted);
        let posted = plan.try_create(definition, with_nulls);
        plan.check("posted", &["INV-011", "INV-011/e1", "DEFAULT-003"], posted, Expectation::same_outcome(absent));
        let edits = nulls.iter().map(|pointer| Edit::Set(pointer.clone(), Value::Null)).collect();
        let put = plan.put_back(absent, edits);
        plan.check("put", &["INV-011", "INV-011/e1"], put, Expectation::same_outcome(absent));
        let operations: Vec<Value> =
            nulls.iter().map(|pointer| json!({ "op": "add", "path": pointer, "value": null })).collect();
        let patched = plan.patch(absent, Method::JsonPatch, json!(operations));
        plan.check("patched", &["INV-011", "INV-011/e1"], patched, Expectation::same_outcome(absent));
        let merge = merge_patch(&nulls, &body);
        let merged = plan.patch(absent, Method::MergePatch, merge);
        plan.check("merged", &["INV-011", "INV-011/e1"], merged, Expectation::same_outcome(absent));
    });
}

/// A merge patch that sets these pointers to null, except inside lists, which a merge patch replaces as a whole. `body`
/// has all parents.
fn merge_patch(nulls: &[String], body: &Value) -> Value {
    let mut patch = json!({});
    for pointer in nulls {
        let ends = pointer.match_indices('/').map(|(end, _)| &pointer[..end]);
        if !ends.clone().all(|parent| body.pointer(parent).is_some_and(Value::is_object)) {
            continue;
        }
        let mut open = &mut patch;
        for key in pointer::keys(pointer) {
            if !open.is_object() {
                *open = json!({});
            }
            open = &mut open[&*key];
        }
    }
    patch
}
