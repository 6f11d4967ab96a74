//! PRUNE-003 and PRUNE-005: a list where the schema has an object, and the reverse.

use super::shared::PLACES;
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-003/e1", "PRUNE-005", "PRUNE-007"];

pub(super) const PROPERTY: Property = Property::new("prune-003-wrong-containers", plan)
    .title("a list at an object node, or an object at a list node, is pruned before it is rejected")
    .asserts(&["PRUNE-003", "PRUNE-003/e1", "PRUNE-005", "PRUNE-007"])
    .needs(&[Capability::Serving, Capability::Pruning, Capability::Validation])
    .edges(&[Edge { name: "kinds-of-nodes", plan: kinds_of_nodes }]);

/// An object node gets lists, or a list node gets objects; the reported fields follow from the value alone.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let declared = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let wants_object = choices.chance(1, 2);
    let node = if wants_object { declared } else { json!({ "type": "array", "items": declared }) };
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "value", |plan, choices| {
        let sent = if wants_object { list(choices, 2) } else { Value::Object(object(choices)) };
        let mut dropped = Vec::new();
        keys(&sent, "", &mut dropped);
        let strict = plan.try_create_validating(definition, "Strict", place.content(&sent));
        if dropped.is_empty() {
            plan.check("nothing-unknown", ASSERTS, strict, Expectation::Causes(type_invalid(&place)));
        } else {
            plan.check("reported", ASSERTS, strict, Expectation::StrictRefusal(place.all_fields(&dropped)));
        }
        let lenient = plan.try_create(definition, place.content(&sent));
        plan.check("refused", ASSERTS, lenient, Expectation::Causes(type_invalid(&place)));
    });
}

fn type_invalid(place: &Place) -> Vec<Cause> {
    place.causes([("", "TypeInvalid")])
}

/// A list of scalars, objects and lists.
fn list(choices: &mut Choices, depth: usize) -> Value {
    Value::Array(choices.many("element", 0, 3, |choices, _| {
        match choices.weighted(&[1, 3, if depth > 0 { 2 } else { 0 }]) {
            0 => choices.pick(&[json!(1), json!("x"), Value::Null, json!(true)]).clone(),
            1 => Value::Object(object(choices)),
            _ => list(choices, depth - 1),
        }
    }))
}

fn object(choices: &mut Choices) -> Map<String, Value> {
    let entries = choices
        .many("entry", 0, 3, |choices, _| ((*choices.pick(&["a", "b", "c"])).to_owned(), value::json(choices, 1)));
    entries.into_iter().collect()
}

/// The keys of the topmost objects.
fn keys(value: &Value, field: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => found.extend(object.keys().map(|key| format!("{field}.{key}"))),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                keys(element, &format!("{field}[{index}]"), found);
            }
        }
        _ => {}
    }
}

fn kinds_of_nodes(plan: &mut Plan) {
    let object = || object_of(json!({ "a": { "type": "integer" } }));
    let list = |items: Value| json!({ "type": "array", "items": items });
    let refused = |name, sent: Value| Example::refused(name, ASSERTS, sent, [("", "TypeInvalid")]);
    plan.in_one_schema([
        Row::new(list(list(object()))).with([Example::becomes(
            "nested-lists",
            &["PRUNE-003", "PRUNE-003/e1"],
            json!([[{ "a": 1, "b": 2 }, {}], [], [{ "b": 3 }]]),
            json!([[{ "a": 1 }, {}], [], [{}]]),
        )]),
        Row::new(object()).with([Example::unknown(
            "list-at-object",
            ASSERTS,
            json!([{ "a": 1 }, [{ "b": 2 }], 3]),
            &["[0].a", "[1][0].b"],
        )]),
        Row::new(json!({ "type": "object", "additionalProperties": object() })).with([Example::unknown(
            "list-at-map",
            ASSERTS,
            json!([{ "a": 1 }]),
            &["[0].a"],
        )]),
        Row::new(list(object())).with([
            Example::unknown("object-at-list", ASSERTS, json!({ "a": { "b": 1 } }), &[".a"]),
            refused("object-at-list-is-refused", json!({ "a": 1 })),
            refused("empty-object-at-list", json!({})),
        ]),
    ])
}
