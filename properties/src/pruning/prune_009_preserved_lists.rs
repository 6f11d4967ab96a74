//! PRUNE-009: the elements of a preserving list are preserved like the list.

use super::shared::{PLACES, preserving, undeclared};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-009"];

pub(super) const PROPERTY: Property = Property::new("prune-009-preserved-lists", plan)
    .title("elements of a preserving list keep unknown keys, except below declared properties")
    .asserts(&["PRUNE-009", "PRUNE-009/e1", "PRUNE-029"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "exact-lists", plan: exact_lists }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let depth = choices.up_to(2);
    let is_map = choices.chance(1, 3);
    let restarting = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let element = if is_map {
        json!({ "type": "object", "additionalProperties": restarting })
    } else {
        json!({ "type": "object", "properties": { "c": restarting } })
    };
    let mut node = (0..depth).fold(element, |items, _| json!({ "type": "array", "items": items }));
    node = json!({ "type": "array", PRESERVE: true, "items": node });
    if choices.chance(1, 3) {
        node.as_object_mut().into_iter().for_each(|node| _ = node.remove("type"));
    }
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "value", |plan, choices| {
        let (sent, kept) = list(choices, depth, is_map);
        let created = plan.try_create(definition, place.content(&sent));
        plan.check("elements", ASSERTS, created, Expectation::Content(place.content(&kept)));
    });
}

/// A list, and what remains of it after pruning.
fn list(choices: &mut Choices, depth: usize, is_map: bool) -> (Value, Value) {
    let elements = choices.many("element", 0, 3, |choices, _| {
        if depth > 0 { list(choices, depth - 1, is_map) } else { element(choices, is_map) }
    });
    let (sent, kept): (Vec<Value>, Vec<Value>) = elements.into_iter().unzip();
    (Value::Array(sent), Value::Array(kept))
}

fn element(choices: &mut Choices, is_map: bool) -> (Value, Value) {
    let inside = undeclared(choices);
    let sent: Map<String, Value> = [("a".to_owned(), json!(1))].into_iter().chain(inside).collect();
    let (sent, kept) = (json!({ "c": sent }), json!({ "c": { "a": 1 } }));
    if is_map {
        return (sent, kept);
    }
    let outside = undeclared(choices);
    let with = |mut value: Value| {
        value.as_object_mut().into_iter().for_each(|object| object.extend(outside.clone()));
        value
    };
    (with(sent), with(kept))
}

fn exact_lists(plan: &mut Plan) {
    let list = || json!({ "type": "array", "items": object_of(json!({ "a": { "type": "integer" } })) });
    let sent = || json!([{ "a": 1, "u": null }, { "v": {} }]);
    let pruned = || json!([{ "a": 1 }, {}]);
    plan.in_one_schema([
        Row::new(extended(list(), &preserving())).with([
            Example::kept("preserved", ASSERTS, sent()),
            Example::silent("not-reported", &["PRUNE-029"], sent(), sent()),
        ]),
        Row::new(list()).with([Example::becomes("ordinary", &["PRUNE-009/e1"], sent(), pruned())]),
        Row::new(extended(object_of(json!({ "l": list() })), &preserving())).with([Example::becomes(
            "below-a-preserving-object",
            &["PRUNE-009/e1"],
            json!({ "l": sent(), "m": sent() }),
            json!({ "l": pruned(), "m": sent() }),
        )]),
    ])
}
