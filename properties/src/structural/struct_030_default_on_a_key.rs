//! STRUCT-030: elements are compared after the defaults of list-map keys are filled in.

use std::collections::BTreeMap;

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("struct-030-default-on-a-key", plan)
    .title("elements of a map list are duplicates if their keys are equal after defaults are filled in")
    .asserts(&["STRUCT-030", "STRUCT-030/e1"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "examples", plan: examples }]);

const BOTH: &[&str] = &["STRUCT-030", "STRUCT-030/e1"];

/// A list with the key `k`, which has a default, and optionally also with the required key `l`.
fn define(plan: &mut Plan, key_type: &str, default: &Value, has_second_key: bool) -> usize {
    let keys = if has_second_key { json!(["l", "k"]) } else { json!(["k"]) };
    let items = json!({ "type": "object", "required": ["l"], "properties": {
        "k": { "type": key_type, "default": default },
        "l": { "type": "string" },
    } });
    let list = json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys, "items": items });
    plan.define_schema(spec_of(json!({ "list": list })))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let has_second_key = choices.chance(1, 3);
    let &(key_type, values) = choices.pick(&[("string", ["d", "e", ""]), ("integer", ["0", "1", "-7"])]);
    let value_of =
        |text: &str| text.parse::<i64>().ok().filter(|_| key_type == "integer").map_or(json!(text), Value::from);
    let default = value_of(choices.pick::<&str>(&values));
    let definition = define(plan, key_type, &default, has_second_key);
    plan.cases(choices, "object", |plan, choices| {
        let mut stored = Vec::new();
        // How often each tuple of keys has occurred: only the second occurrence is reported (VALUE-034).
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut duplicates = Vec::new();
        let sent = choices.many("element", 1, 5, |choices, index| {
            let second = *choices.pick(&["p", "q"]);
            let stated = match choices.weighted(&[3, 1, 2]) {
                0 => None,
                1 => Some(Value::Null),
                _ => Some(value_of(choices.pick::<&str>(&values))),
            };
            let effective = stated.clone().filter(|value| !value.is_null()).unwrap_or_else(|| default.clone());
            let tuple = if has_second_key { json!([effective, second]) } else { json!([effective]) };
            let times = seen.entry(tuple.to_string()).or_default();
            *times += 1;
            if *times == 2 {
                duplicates.push(Cause::new(format!("spec.list[{index}]"), "Duplicate"));
            }
            stored.push(json!({ "k": effective, "l": second }));
            let mut element = json!({ "l": second });
            if let Some(stated) = stated {
                element["k"] = stated;
            }
            element
        });
        let created = plan.try_create(definition, json!({ "spec": { "list": sent } }));
        plan.check("keys", BOTH, created, content_or(json!({ "spec": { "list": stored } }), duplicates));
    });
}

fn examples(plan: &mut Plan) {
    let definition = define(plan, "string", &json!("d"), false);
    for (name, asserts, list) in [
        ("both-lack-it", "STRUCT-030", json!([{ "l": "a" }, { "l": "b" }])),
        ("one-states-the-default", "STRUCT-030/e1", json!([{ "l": "a" }, { "l": "b", "k": "d" }])),
        ("the-first-states-the-default", "STRUCT-030/e1", json!([{ "l": "a", "k": "d" }, { "l": "b" }])),
        ("null-and-the-default", "STRUCT-030/e1", json!([{ "l": "a", "k": null }, { "l": "b", "k": "d" }])),
        ("null-and-absent", "STRUCT-030/e1", json!([{ "l": "a", "k": null }, { "l": "b" }])),
        // Reported only at the second occurrence (VALUE-034).
        (
            "four-times",
            "STRUCT-030/e1",
            json!([{ "l": "a" }, { "l": "b" }, { "l": "c", "k": "d" }, { "l": "d", "k": null }]),
        ),
    ] {
        let created = plan.try_create(definition, json!({ "spec": { "list": list } }));
        plan.check_causes(name, &[asserts], created, vec![Cause::new("spec.list[1]", "Duplicate")]);
        plan.count_case();
    }
}
