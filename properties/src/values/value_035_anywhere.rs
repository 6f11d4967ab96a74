//! VALUE-035: list types are enforced everywhere in the structural part of a schema, and not where unknown content is
//! preserved.

use super::shared::JUDGING;
use crate::prelude::*;

const ANYWHERE: &[&str] = &["VALUE-035", "INV-032"];
const IN_MAPS: &[&str] = &["VALUE-035", "VALUE-043", "VALUE-043/e1"];

pub(super) const PROPERTY: Property = Property::new("value-035-anywhere", plan)
    .title("duplicates are reported at any depth, but never in preserved unknown content")
    .asserts(&["VALUE-035", "VALUE-043", "VALUE-043/e1", "INV-032"])
    .needs(JUDGING)
    .edges(&[Edge { name: "verbatim", plan: verbatim }]);

/// Deep in containers in which list topology is checked.
const DEEP: Places =
    Places { containers: &[Container::Object, Container::Map, Container::List], most: 6, ..Places::ANY };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &DEEP);
    let is_set = choices.chance(1, 2);
    let node = if is_set { set() } else { map() };
    let definition = plan.define_schema(place.schema(node));
    let element = |value: u64| if is_set { json!(format!("e{value}")) } else { json!({ "k": format!("e{value}") }) };
    // Causes of list topology write the key of a map in brackets, those of the schema after a dot.
    let asserts = if place.is_below_map() { IN_MAPS } else { ANYWHERE };
    choices.cases("list", |choices, _| {
        let (first, second) = (choices.draw(2), choices.draw(2));
        let list = json!([element(first), element(second)]);
        let causes = if first == second { vec![("[1]", "Duplicate")] } else { vec![] };
        Example::judged("deep", asserts, list, causes).create(plan, definition, &place);
    });
}

fn set() -> Value {
    json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string" } })
}

fn map() -> Value {
    json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
        "type": "object", "properties": { "k": { "type": "string" } }, "required": ["k"],
    } })
}

fn verbatim(plan: &mut Plan) {
    let repeated = || json!({ "u": ["a", "a"], "v": [{ "k": "a" }, { "k": "a" }] });
    let preserving = json!({ "type": "object", PRESERVE: true, "properties": { "s": set() } });
    let mut nested = map();
    nested["items"]["properties"]["s"] = set();
    plan.in_one_schema(vec![
        Row::new(preserving).with(vec![
            Example::kept("undeclared", ANYWHERE, repeated()),
            Example::refused("declared", ANYWHERE, json!({ "s": ["a", "a"] }), [(".s[1]", "Duplicate")]),
        ]),
        Row::new(json!({ PRESERVE: true })).with(vec![Example::kept("anything", ANYWHERE, repeated())]),
        Row::new(nested).with(vec![Example::refused(
            "inside-an-element",
            ANYWHERE,
            json!([{ "k": "a", "s": ["x", "x"] }, { "k": "a", "s": ["x"] }]),
            [("[1]", "Duplicate"), ("[0].s[1]", "Duplicate")],
        )]),
    ])
}
