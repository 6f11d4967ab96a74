//! VALUE-035: list types are checked wherever the structural part of a schema leads, and not in verbatim regions.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, JUDGING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Sample, VALUES, examples};
use crate::{
    properties::{
        Edge, Property,
        frame::{Container, Frame},
    },
    scenario::{Definition, Plan, Scenario},
};

const ANYWHERE: &[&str] = &["VALUE-035", "INV-032"];
const IN_MAPS: &[&str] = &["VALUE-035", "VALUE-043", "VALUE-043/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-035-anywhere",
    title: "repeated elements are told at any depth of objects, maps and lists, and not where anything is kept verbatim",
    asserts: &["VALUE-035", "VALUE-043", "VALUE-043/e1", "INV-032"],
    needs: JUDGING,
    edges: &[Edge { name: "verbatim", plan: verbatim }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::of(choices, &[Container::Object, Container::Map, Container::List], 5);
    let is_set = choices.chance(1, 2);
    let node = if is_set { set() } else { map() };
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(node)));
    let element = |value: u64| if is_set { json!(format!("e{value}")) } else { json!({ "k": format!("e{value}") }) };
    // Causes of list topology write a map's key in brackets, those of the schema behind a dot.
    let asserts = if frame.field().contains(".m.") { IN_MAPS } else { ANYWHERE };
    choices.many("list", 1, VALUES, |choices, _| {
        let (first, second) = (choices.draw(2), choices.draw(2));
        let list = json!([element(first), element(second)]);
        let causes = if first == second { vec![("[1]", "Duplicate")] } else { vec![] };
        Sample::judged("deep", asserts, list, causes).send(&mut plan, definition, &frame);
    });
    plan.finish()
}

fn set() -> Value {
    json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string" } })
}

fn map() -> Value {
    json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
        "type": "object", "properties": { "k": { "type": "string" } }, "required": ["k"],
    } })
}

fn verbatim() -> Scenario {
    let repeated = || json!({ "u": ["a", "a"], "v": [{ "k": "a" }, { "k": "a" }] });
    let preserving = json!({ "type": "object", PRESERVE: true, "properties": { "s": set() } });
    let mut nested = map();
    nested["items"]["properties"]["s"] = set();
    examples(vec![
        Example(
            preserving,
            vec![
                Sample::kept("undeclared", ANYWHERE, repeated()),
                Sample::refused("declared", ANYWHERE, json!({ "s": ["a", "a"] }), [(".s[1]", "Duplicate")]),
            ],
        ),
        Example(json!({ PRESERVE: true }), vec![Sample::kept("anything", ANYWHERE, repeated())]),
        Example(
            nested,
            vec![Sample::refused(
                "inside-an-element",
                ANYWHERE,
                json!([{ "k": "a", "s": ["x", "x"] }, { "k": "a", "s": ["x"] }]),
                [("[1]", "Duplicate"), ("[0].s[1]", "Duplicate")],
            )],
        ),
    ])
}
