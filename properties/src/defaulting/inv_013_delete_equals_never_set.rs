//! INV-013: deleting a key by a merge patch has the same result as never setting it.

use std::borrow::Cow;

use crdible_generators::walk::{self, Place};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-013-delete-equals-never-set", plan)
    .title("an object whose key was deleted by a merge patch is equal to one that was created without the key")
    .asserts(&["INV-013", "INV-013/e1", "DEFAULT-021", "REST-034"])
    .needs(&[Capability::Storing])
    .edges(&[Edge { name: "meta-fields-at-the-root", plan: meta_fields }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let body = value::valid(choices, &schema);
        let mut paths = deletable(&schema, &body);
        if paths.is_empty() {
            // Nothing is deeper, so use a key of the root, which the patch may delete as well.
            let root = body.as_object().and_then(|fields| fields.keys().next());
            paths.push(vec![root.map_or("spec", String::as_str).to_owned()]);
        }
        let path = choices.pick(&paths);
        let created = plan.create(definition, body.clone());
        plan.assume(created, Expectation::Accepted);
        let patch = path.iter().rev().fold(Value::Null, |inner, key| json!({ key: inner }));
        let deleted = plan.patch(created, Method::MergePatch, patch);
        let never_set = plan.try_create(definition, without(body, path));
        plan.check(
            "same-outcome",
            &["INV-013", "DEFAULT-021", "REST-034"],
            never_set,
            Expectation::same_outcome(deleted),
        );
    });
}

/// The paths of keys below the root whose parents are all objects.
fn deletable(schema: &Schema, body: &Value) -> Vec<Vec<String>> {
    let keys = |place: &Place<'_, '_>| -> Vec<String> {
        place.value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let mut paths = Vec::new();
    for place in walk::objects_in(schema, body) {
        let path: Vec<String> = pointer::keys(&place.pointer).map(Cow::into_owned).collect();
        if path.is_empty() || !leads_through_objects(body, &path) {
            continue;
        }
        paths.extend(keys(&place).into_iter().map(|key| [path.clone(), vec![key]].concat()));
    }
    paths
}

fn leads_through_objects(body: &Value, path: &[String]) -> bool {
    path.iter().try_fold(body, |value, key| value.as_object()?.get(key)).is_some()
}

fn without(mut body: Value, path: &[String]) -> Value {
    if let Some((last, parents)) = path.split_last() {
        let parent = parents.iter().try_fold(&mut body, |value, key| value.get_mut(key));
        if let Some(Value::Object(fields)) = parent {
            fields.remove(last);
        }
    }
    body
}

fn meta_fields(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let created = plan.create(definition, json!({ "spec": {} }));
    // A null `apiVersion` gives 500 upstream, a defect of REST-035.
    let kind = plan.patch(created, Method::MergePatch, json!({ "kind": null }));
    plan.check_causes("kind", &["INV-013/e1"], kind, vec![Cause::new("patch", "Invalid")]);
    let name = plan.patch(created, Method::MergePatch, json!({ "metadata": { "name": null } }));
    plan.check("name", &["INV-013/e1"], name, Expectation::Status(400));
}
