//! REST-033, INV-064: JSON patches of any JSON.

use super::{documents, patches::applied};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-033-json-patch", plan)
    .title("a JSON patch follows RFC 6902 and applies all of its operations or none")
    .asserts(&["REST-033", "REST-033/e1", "INV-064", "INV-064/e1"])
    .needs(&[Capability::Storing]);

/// What can be patched.
const ROOT: &str = "/spec/d";
/// A field with a default.
const DEFAULTED: &str = "/spec/g";
/// Its default.
const DEFAULT: i64 = 7;
/// A field that is not declared.
const UNKNOWN: &str = "/u";

/// A schema whose `spec` keeps any JSON, and has a field with a default.
fn schema() -> Value {
    let mut schema = documents::schema();
    schema["properties"]["spec"]["properties"] = json!({ "g": { "type": "integer", "default": DEFAULT } });
    schema
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut content = json!({ "spec": { "d": documents::any(choices), "g": choices.between(7, 8) } });
        let created = plan.create(definition, content.clone());
        let twin = plan.create(definition, content.clone());
        let mut all = Vec::new();
        let mut last = created;
        choices.many_average("patch", 1, 5, 2, |choices, _| {
            let mut after = content.clone();
            let operations: Vec<Value> =
                choices.many_average("operation", 0, 5, 2, |choices, _| operation(choices, &mut after));
            if choices.chance(1, 4) {
                let mut operations = operations;
                operations.push(failing(choices, &after));
                let patched = plan.patch(created, Method::JsonPatch, json!(operations));
                plan.check("cannot-apply", &["REST-033", "REST-033/e1"], patched, refused_as(422, "Invalid"));
                plan.check_causes("no-causes", &["REST-033"], patched, vec![]);
                let read = plan.get(created);
                plan.check("all-or-none", &["REST-033/e1"], read, Expectation::Content(content.clone()));
                plan.check("not-written", &["REST-033/e1"], read, Expectation::same_revision(last));
            } else {
                all.extend(operations.iter().cloned());
                let patched = plan.patch(created, Method::JsonPatch, json!(operations));
                plan.check("patched", &["REST-033"], patched, Expectation::Content(after.clone()));
                content = after;
                last = patched;
            }
        });
        let read = plan.get(created);
        plan.check("read", &["REST-033"], read, Expectation::Content(content.clone()));
        let at_once = plan.patch(twin, Method::JsonPatch, json!(all));
        plan.check("at-once", &["INV-064"], at_once, Expectation::same_content(read));
        if choices.chance(1, 2) {
            apart(choices, plan, created, content);
        }
    });
}

/// Two operations in one patch, and in two: only between two a removed default comes back, and an unknown field
/// is pruned.
fn apart(choices: &mut Choices, plan: &mut Plan, created: StepId, mut content: Value) {
    const ASSERTS: &[&str] = &["INV-064/e1", "REST-033"];
    let is_default = choices.draw(1) == 0;
    let value = documents::any(choices);
    let (first, from) = if is_default {
        (json!({ "op": "remove", "path": DEFAULTED }), DEFAULTED)
    } else {
        (json!({ "op": "add", "path": UNKNOWN, "value": value }), UNKNOWN)
    };
    let second = json!({ "op": "move", "from": from, "path": ROOT });
    let refused = || refused_as(422, "Invalid");
    let with = |mut content: Value, value: Value| {
        content["spec"]["d"] = value;
        Expectation::Content(content)
    };
    let together = plan.try_patch(created, Method::JsonPatch, json!([first, second]));
    let expected = if is_default { refused() } else { with(content.clone(), value) };
    plan.check("together", ASSERTS, together, expected);
    let patched = plan.patch(created, Method::JsonPatch, json!([first]));
    if is_default {
        content["spec"]["g"] = json!(DEFAULT);
    }
    plan.check("first", ASSERTS, patched, Expectation::Content(content.clone()));
    let patched = plan.patch(created, Method::JsonPatch, json!([second]));
    let expected = if is_default { with(content, json!(DEFAULT)) } else { refused() };
    plan.check("second", ASSERTS, patched, expected);
}

/// An operation that can be applied, which is applied.
fn operation(choices: &mut Choices, content: &mut Value) -> Value {
    let places = documents::places(content, ROOT);
    let inner: Vec<&String> = places.iter().filter(|place| *place != ROOT).collect();
    let place = |choices: &mut Choices| inner.get(choices.index(inner.len())).map(|place| (*place).clone());
    let existing = place(choices);
    let target = documents::free_place(choices, content, ROOT);
    let operation = match (choices.draw(5), existing) {
        (1, Some(path)) => json!({ "op": "remove", "path": path }),
        (2, Some(path)) => json!({ "op": "replace", "path": path, "value": documents::any(choices) }),
        (3, Some(from)) => json!({ "op": "copy", "from": from, "path": target }),
        // Not into itself, and not past the end of a list that becomes shorter.
        (4, Some(from)) => {
            let moved = json!({ "op": "move", "from": from, "path": target });
            let is_inside = target == from || target.starts_with(&format!("{from}/"));
            if is_inside || !applied(&mut content.clone(), &moved) {
                json!({ "op": "test", "path": ROOT, "value": content.pointer(ROOT) })
            } else {
                moved
            }
        }
        (5, Some(path)) => json!({ "op": "test", "path": path, "value": content.pointer(&path) }),
        _ => json!({ "op": "add", "path": target, "value": documents::any(choices) }),
    };
    applied(content, &operation);
    operation
}

/// An operation that cannot be applied.
fn failing(choices: &mut Choices, content: &Value) -> Value {
    let missing = pointer::join(ROOT, "missing");
    match choices.draw(5) {
        0 => json!({ "op": "remove", "path": "/spec/missing" }),
        1 => json!({ "op": "add", "path": format!("{missing}/a/b"), "value": 1 }),
        2 => json!({ "op": "test", "path": ROOT, "value": { "not": content.pointer(ROOT) } }),
        3 => json!({ "op": "move", "from": "/spec/missing", "path": "/spec/e" }),
        4 => json!({ "op": "increase", "path": ROOT, "value": 1 }),
        _ => json!({ "path": ROOT, "value": 1 }),
    }
}
