//! INV-063: a PUT, the JSON patch and the merge patch that lead to it reach the same state.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-063-ways-to-write", plan)
    .title("a PUT and the patches that lead to the same object have the same outcome")
    .asserts(&["INV-063"])
    .needs(&[Capability::Storing]);

/// Fields, all valid, or some of them not.
fn fields(choices: &mut Choices, depth: u64, is_valid: bool) -> Value {
    let mut fields = Map::new();
    for (name, values) in [
        ("a", json!([1, 2, 70])),
        ("t", json!(["x", "yz", "too long"])),
        ("l", json!([[1], [2, 1], [1, 1]])),
        ("m", json!([{}, { "k": 1 }, { "k": "x", "j": 3 }])),
        ("d", json!([1, 5, "x"])),
        ("unknown", json!([1, {}, "x"])),
    ] {
        if choices.chance(1, 2) {
            // The last of them is invalid, where one is.
            let values = values.as_array().map_or(&[][..], Vec::as_slice);
            let values = if is_valid || choices.chance(3, 4) { &values[..values.len() - 1] } else { values };
            fields.insert(name.to_owned(), choices.pick(values).clone());
        }
    }
    if depth > 0 && choices.chance(2, 3) {
        fields.insert("inner".to_owned(), self::fields(choices, depth - 1, is_valid));
    }
    Value::Object(fields)
}

fn schema(depth: u64) -> Value {
    let number = json!({ "type": "integer" });
    let mut properties = json!({
        "a": { "type": "integer", "maximum": 9 },
        "t": { "type": "string", "maxLength": 5 },
        "l": { "type": "array", "items": number, "x-kubernetes-list-type": "set" },
        "m": { "type": "object", "additionalProperties": number },
        "d": with_default(&number, &json!(5)),
    });
    if depth > 0 {
        properties["inner"] = schema(depth - 1);
    }
    object_of(properties)
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(root_of(schema(2)));
    plan.case_parts(choices, "update", |plan, choices| {
        let (before, after) = (fields(choices, 2, true), fields(choices, 2, false));
        let started = plan.create(definition, json!({ "spec": before }));
        plan.assume(started, Expectation::Accepted);
        let copies = [plan.create_copy(started, false), plan.create_copy(started, false)];
        for copy in copies {
            plan.assume(copy, Expectation::Accepted);
        }
        // Unknown fields are not stored, and defaults come back: neither needs an operation.
        let mut operations = Vec::new();
        json_patch("/spec", &before, &after, &mut operations);
        let put = plan.put_back(started, vec![Edit::Set("/spec".to_owned(), after.clone())]);
        let merged = plan.patch(copies[0], Method::MergePatch, json!({ "spec": merge_patch(&before, &after) }));
        let patched = plan.patch(copies[1], Method::JsonPatch, json!(operations));
        for (name, step, copy) in [("merge-patch", merged, copies[0]), ("json-patch", patched, copies[1])] {
            plan.check(name, &["INV-063"], step, Expectation::same_outcome(put));
            let (one, other) = (plan.get(started), plan.get(copy));
            plan.check("stored", &["INV-063"], other, Expectation::same_content(one));
            plan.check("generation", &["INV-063"], other, Expectation::same_generation(one));
        }
    });
}

/// The merge patch from one object to another without nulls. It has each value that is written otherwise than before.
fn merge_patch(before: &Value, after: &Value) -> Value {
    let (Some(old), Some(new)) = (before.as_object(), after.as_object()) else { return after.clone() };
    let gone = old.keys().filter(|name| !new.contains_key(*name)).map(|name| (name.clone(), Value::Null));
    let changed = new.iter().filter(|(name, value)| old.get(*name) != Some(value));
    let changed = changed.map(|(name, value)| {
        let before = old.get(name).unwrap_or(&Value::Null);
        (name.clone(), merge_patch(before, value))
    });
    Value::Object(gone.chain(changed).collect())
}

/// The operations from one object to another, in which lists are replaced.
fn json_patch(place: &str, before: &Value, after: &Value, operations: &mut Vec<Value>) {
    let (Some(old), Some(new)) = (before.as_object(), after.as_object()) else {
        operations.push(json!({ "op": "replace", "path": place, "value": after }));
        return;
    };
    for name in old.keys().filter(|name| !new.contains_key(*name) && *name != "unknown") {
        operations.push(json!({ "op": "remove", "path": pointer::join(place, name) }));
    }
    for (name, value) in new {
        match old.get(name) {
            Some(before) if before == value => {}
            Some(before) if name != "unknown" => json_patch(&pointer::join(place, name), before, value, operations),
            _ => operations.push(json!({ "op": "add", "path": pointer::join(place, name), "value": value })),
        }
    }
}
