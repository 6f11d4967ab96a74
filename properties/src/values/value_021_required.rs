//! VALUE-021: required keys must be present.

use super::shared::JUDGING;
use crate::prelude::*;

const KEYS: &[&str] = &["VALUE-021"];
const SEVERAL: &[&str] = &["VALUE-021", "VALUE-021/e1"];

pub(super) const PROPERTY: Property = Property::new("value-021-required", plan)
    .title("each missing required key is one cause at the path of the missing field")
    .asserts(SEVERAL)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }, Edge { name: "root", plan: root }]);

const NAMES: [&str; 5] = ["a", "b", "metadata", "kind", "x-y"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let required: Vec<bool> = choices.span("node", |choices| NAMES.map(|_| choices.chance(1, 2)).to_vec());
    let properties: Map<String, Value> = NAMES
        .iter()
        .map(|name| {
            let node = if *name == "metadata" { json!({ "type": "object" }) } else { json!({ "type": "string" }) };
            ((*name).to_owned(), node)
        })
        .collect();
    let names: Vec<&str> =
        NAMES.iter().zip(&required).filter(|(_, is_required)| **is_required).map(|(name, _)| *name).collect();
    let node = json!({ "type": "object", "properties": properties, "required": names });
    plan.at_any_place(choices, &node, |choices| {
        let mut object = Map::new();
        for name in NAMES {
            if choices.chance(1, 2) {
                let value = if name == "metadata" { json!({}) } else { json!("") };
                object.insert(name.to_owned(), value);
            }
        }
        let missing: Vec<Cause> = names
            .iter()
            .filter(|name| !object.contains_key(**name))
            .map(|name| Cause::new(format!(".{name}"), Reason::Required))
            .collect();
        Example::judged("presence", if missing.len() > 1 { SEVERAL } else { KEYS }, Value::Object(object), missing)
    })
}

fn edge(plan: &mut Plan) {
    let node = |keyword: (&str, Value)| json!({ "type": "object", "required": ["a"], keyword.0: keyword.1 });
    plan.in_one_schema(vec![
        Row::new(json!({ PRESERVE: true, "required": ["a"] })).with(vec![
            Example::kept("no-object", KEYS, json!("text")),
            Example::kept("no-object", KEYS, json!([1])),
            Example::kept("null-is-there", KEYS, json!({ "a": null })),
            Example::refused("missing", KEYS, json!({}), [(".a", "Required")]),
        ]),
        Row::new(node(("properties", json!({ "b": { "type": "string" } })))).with(vec![Example::refused(
            "undeclared",
            SEVERAL,
            json!({ "a": 1, "b": "x" }),
            [(".a", "Required")],
        )]),
        Row::new(node(("additionalProperties", json!({ "type": "string" })))).with(vec![
            Example::kept("in-a-map", KEYS, json!({ "a": "x" })),
            Example::refused("missing-in-a-map", KEYS, json!({ "b": "x" }), [(".a", "Required")]),
        ]),
        Row::new(json!({ "type": "object", "required": ["a"], "properties": {
                "a": { "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } } },
            } }))
        .with(vec![
            Example::refused("outer", SEVERAL, json!({}), [(".a", "Required")]),
            Example::refused("inner", SEVERAL, json!({ "a": {} }), [(".a.b", "Required")]),
        ]),
    ])
}

/// At the root, the path is only the name.
fn root(plan: &mut Plan) {
    let definition = plan.define_schema(json!({
        "type": "object",
        "required": ["spec", "data"],
        "properties": { "spec": { "type": "object" }, "data": { "type": "string" } },
    }));
    let neither = plan.try_create(definition, json!({}));
    plan.check_causes(
        "neither",
        SEVERAL,
        neither,
        vec![Cause::new("spec", "Required"), Cause::new("data", "Required")],
    );
    let one = plan.try_create(definition, json!({ "spec": {} }));
    plan.check_causes("one", SEVERAL, one, vec![Cause::new("data", "Required")]);
    let both = plan.try_create(definition, json!({ "spec": {}, "data": "" }));
    plan.check("both", KEYS, both, Expectation::Accepted);
    plan.count_case();
}
