//! DEFAULT-021: a null in a merge patch deletes the key, so the default is filled in; a null in a JSON patch is a null.

use super::shared::{Sample, present};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-021-patch-null-semantics", plan)
    .title("a null in a merge patch removes the key and so brings back its default")
    .asserts(&["DEFAULT-021", "DEFAULT-021/e1"])
    .needs(&[Capability::Storing, Capability::Defaulting])
    .edges(&[Edge { name: "below-what-is-not-there", plan: below_a_missing_parent }]);

/// One property of each kind: with a default, nullable with a default, nullable without, and neither.
const SORTS: [(&str, bool, bool); 4] =
    [("d", true, false), ("nd", true, true), ("n", false, true), ("p", false, false)];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::PATCHED);
    let sample = Sample::draw(choices, "value");
    let (default, given) = (sample.value(choices, "default"), sample.value(choices, "given"));
    let nodes = SORTS.map(|(name, has_default, is_nullable)| {
        let mut node = if has_default { with_default(&sample.json(), &default) } else { sample.json() };
        node["nullable"] = json!(is_nullable);
        (name, Some(node))
    });
    let definition = plan.define_schema(place.schema(object_of(present(nodes))));
    let full = SORTS.map(|(name, ..)| (name, Some(given.clone())));
    for (name, has_default, is_nullable) in SORTS {
        let default = has_default.then(|| default.clone());
        let patches = [
            ("merge-null", Method::MergePatch, place.content(json!({ name: null })), default.clone()),
            (
                "json-null",
                Method::JsonPatch,
                operation("add", &place, name),
                if is_nullable { Some(Value::Null) } else { default.clone() },
            ),
            ("json-remove", Method::JsonPatch, operation("remove", &place, name), default),
        ];
        let created = plan.create(definition, place.content(present(full.clone())));
        for (check, method, patch, expected) in patches {
            let patched = plan.patch(created, method, patch);
            let fields = full.clone().map(|(key, value)| (key, if key == name { expected.clone() } else { value }));
            plan.check(check, &["DEFAULT-021"], patched, Expectation::Content(place.content(present(fields))));
            plan.count_case();
            // Restores the key for the next patch.
            plan.patch(created, Method::MergePatch, place.content(json!({ name: given })));
        }
    }
}

fn operation(op: &str, place: &Place, name: &str) -> Value {
    let path = format!("{}/{name}", place.pointer());
    if op == "add" { json!([{ "op": op, "path": path, "value": null }]) } else { json!([{ "op": op, "path": path }]) }
}

fn below_a_missing_parent(plan: &mut Plan) {
    let inner = object_of(json!({ "a": { "type": "integer", "default": 1 }, "b": { "type": "integer" } }));
    let kept = json!({ "type": "object", PRESERVE: true });
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let spec = object_of(json!({ "o": inner, "kept": kept, "list": texts }));
    let definition = plan.define_schema(root_of(spec));
    let asserts = &["DEFAULT-021", "DEFAULT-021/e1"];
    let created = plan.create(definition, json!({ "spec": {} }));
    let patched = plan.patch(
        created,
        Method::MergePatch,
        json!({ "spec": { "o": { "a": null, "b": null }, "kept": { "x": { "y": null } } } }),
    );
    plan.check(
        "no-null-left",
        asserts,
        patched,
        Expectation::Content(json!({ "spec": { "o": { "a": 1 }, "kept": { "x": {} } } })),
    );
    let refused =
        plan.patch(created, Method::JsonPatch, json!([{ "op": "add", "path": "/spec/list", "value": ["a", null] }]));
    plan.check_causes("null-element", asserts, refused, vec![Cause::new("spec.list[1]", "TypeInvalid")]);
}
