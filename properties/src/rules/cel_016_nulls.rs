//! CEL-016 and INV-090: a property that is null looks absent, a key of a map does not, and null has no rules.

use super::shared::{SINGLE, forbidden, forbidding, rule, ruled, with_rules};
use crate::prelude::*;
use crate::shared::{accepted, alone, refused};

const NULLS: &[&str] = &["CEL-016"];
const PRESENCE: &[&str] = &["CEL-016", "INV-090"];
const COMPARED: &[&str] = &["CEL-016/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-016-nulls", plan)
    .title("a property that is null looks absent to rules and has none, but a key of a map is there")
    .asserts(&["CEL-016", "CEL-016/e1", "INV-090"])
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[
        Edge { name: "comparisons", plan: |plan| alone(plan, &comparisons()) },
        Edge { name: "maps-and-lists", plan: maps_and_lists },
    ]);

/// A node, and a value of it.
fn kinds() -> [(Value, Value); 9] {
    let text = |format: &str| json!({ "type": "string", "format": format });
    [
        (json!({ "type": "integer" }), json!(0)),
        (json!({ "type": "string" }), json!("")),
        (json!({ "type": "boolean" }), json!(false)),
        (json!({ "type": "number" }), json!(0.5)),
        (object_of(json!({ "q": { "type": "string" } })), json!({})),
        (json!({ "type": "array", "items": { "type": "integer" } }), json!([])),
        (json!({ "type": "object", "additionalProperties": { "type": "integer" } }), json!({})),
        (text("duration"), json!("0s")),
        (json!({ INT_OR_STRING: true }), json!("")),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let kinds = kinds();
    let ((node, value), is_nullable, has_default, is_negated, has_own) = choices.span("node", |choices| {
        let kind = choices.pick(&kinds).clone();
        (kind, choices.chance(1, 2), choices.chance(1, 3), choices.chance(1, 3), choices.chance(1, 2))
    });
    let mut child = node;
    if is_nullable {
        child["nullable"] = json!(true);
    }
    if has_default {
        child["default"] = value.clone();
    }
    // A default must satisfy the rules of its node (CRDVAL-053).
    let has_own = has_own && !has_default;
    if has_own {
        child = with_rules(child, [forbidding("false", "own")]);
    }
    let presence = if is_negated { "!has(self.p)" } else { "has(self.p)" };
    let parent = ruled(object_of(json!({ "p": child, "q": { "type": "string" } })), presence);
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &parent, |choices| {
        let sent = match choices.draw(2) {
            0 => json!({}),
            1 => json!({ "p": null }),
            _ => json!({ "p": value }),
        };
        let is_null = sent.get("p").is_some_and(Value::is_null);
        // What is left after DEFAULT-002 and DEFAULT-003.
        let is_there = if is_null { has_default && !is_nullable } else { has_default || sent.get("p").is_some() };
        let mut causes = Vec::new();
        if is_there == is_negated {
            causes.push(Cause::new("", Reason::Invalid.name()));
        }
        if is_there && has_own {
            causes.push(forbidden(".p"));
        }
        if causes.is_empty() {
            Example::accepted("presence", PRESENCE, sent)
        } else {
            Example::refused("presence", PRESENCE, sent, causes)
        }
    });
}

/// Which comparisons with null are accepted in a definition.
fn comparisons() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (index, (node, _)) in kinds().into_iter().enumerate() {
        for is_nullable in [false, true] {
            let child = if is_nullable { extended(node.clone(), &json!({ "nullable": true })) } else { node.clone() };
            let parent = object_of(json!({ "p": child }));
            let plain = ruled(parent.clone(), "self.p == null");
            // Objects, durations, and int-or-string.
            pieces.push(if [4, 7, 8].contains(&index) {
                accepted("compared-with-null", COMPARED, plain)
            } else {
                refused("compared-with-null", COMPARED, plain, &[(".x-kubernetes-validations[0].rule", "Invalid")])
            });
            pieces.push(accepted("compared-through-dyn", COMPARED, ruled(parent, "dyn(self.p) != null")));
        }
    }
    pieces
}

/// A null in a map is there, and has no rules; so is one in a list.
fn maps_and_lists(plan: &mut Plan) {
    let number = with_rules(json!({ "type": "integer", "nullable": true }), [rule("self > 1")]);
    let map = |rule: &str| ruled(json!({ "type": "object", "maxProperties": 5, "additionalProperties": number }), rule);
    let list = |rule: &str| ruled(json!({ "type": "array", "maxItems": 5, "items": number }), rule);
    let kept = |value: Value| Example::kept("accepted", NULLS, value);
    let failed = |value: Value, field: &'static str| Example::refused("refused", NULLS, value, [(field, "Invalid")]);
    plan.in_one_schema([
        Row::new(map("'k' in self")).with([
            kept(json!({ "k": null })),
            kept(json!({ "k": 2, "l": null })),
            failed(json!({ "l": null }), ""),
            failed(json!({ "k": null, "l": 1 }), ".l"),
        ]),
        Row::new(map("has(self.k)")).with([kept(json!({ "k": null })), failed(json!({ "l": 2 }), "")]),
        Row::new(map("!('k' in self) || dyn(self['k']) != null"))
            .with([kept(json!({ "k": 2 })), failed(json!({ "k": null }), "")]),
        Row::new(map("self.size() == 2")).with([kept(json!({ "k": null, "l": 2 })), failed(json!({ "k": null }), "")]),
        Row::new(list("self.exists(e, dyn(e) == null)")).with([
            kept(json!([2, null])),
            failed(json!([2]), ""),
            failed(json!([null, 1]), "[1]"),
        ]),
        Row::new(list("self.size() == 2")).with([kept(json!([null, 3])), failed(json!([null]), "")]),
    ]);
}
