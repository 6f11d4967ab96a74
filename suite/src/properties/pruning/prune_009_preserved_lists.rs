//! PRUNE-009: the elements of a preserving list are preserved like the list.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{Example, Outcome, Site, examples, parse, undeclared};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-009"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-009-preserved-lists",
    title: "elements of a preserving list keep unknown keys, and what items declares is pruned again",
    asserts: &["PRUNE-009", "PRUNE-009/e1", "PRUNE-029"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "exact-lists", plan: exact_lists }],
    plan,
};

const VALUES: usize = 4;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let depth = usize::try_from(choices.draw(2)).unwrap_or(0);
    let is_map = choices.chance(1, 3);
    let restarting = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let element = if is_map {
        json!({ "type": "object", "additionalProperties": restarting })
    } else {
        json!({ "type": "object", "properties": { "c": restarting } })
    };
    let mut node = (0..depth).fold(element, |items, _| json!({ "type": "array", "items": items }));
    node = json!({ "type": "array", "x-kubernetes-preserve-unknown-fields": true, "items": node });
    if choices.chance(1, 3) {
        node.as_object_mut().into_iter().for_each(|node| _ = node.remove("type"));
    }
    let definition = plan.definition(&site.schema(parse(&node)));
    choices.many("value", 1, VALUES, |choices, _| {
        let (sent, kept) = list(choices, depth, is_map);
        let created = plan.try_create(definition, site.content(&sent));
        plan.check("elements", ASSERTS, created, Expectation::Content(site.content(&kept)));
        plan.count_case();
    });
    plan.finish()
}

/// A list, and what is left of it.
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

fn exact_lists() -> Scenario {
    let list = |more: Value| {
        let mut node =
            json!({ "type": "array", "items": { "type": "object", "properties": { "a": { "type": "integer" } } } });
        node.as_object_mut().into_iter().for_each(|node| node.extend(more.as_object().cloned().unwrap_or_default()));
        node
    };
    let preserving = || list(json!({ "x-kubernetes-preserve-unknown-fields": true }));
    let sent = || json!([{ "a": 1, "u": null }, { "v": {} }]);
    examples(vec![
        Example {
            name: "preserved",
            asserts: ASSERTS,
            node: preserving(),
            sent: sent(),
            outcome: Outcome::Kept(sent()),
        },
        Example {
            name: "not-reported",
            asserts: &["PRUNE-029"],
            node: preserving(),
            sent: sent(),
            outcome: Outcome::Silent(sent()),
        },
        Example {
            name: "ordinary",
            asserts: &["PRUNE-009/e1"],
            node: list(json!({})),
            sent: sent(),
            outcome: Outcome::Kept(json!([{ "a": 1 }, {}])),
        },
        Example {
            name: "below-a-preserving-object",
            asserts: &["PRUNE-009/e1"],
            node: json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": { "l": list(json!({})) } }),
            sent: json!({ "l": sent(), "m": sent() }),
            outcome: Outcome::Kept(json!({ "l": [{ "a": 1 }, {}], "m": sent() })),
        },
    ])
}
