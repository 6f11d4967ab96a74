//! CEL-037: what a cause says is the message of its rule, and in some cases the value, if that is a scalar.

use crdible_semantics::release::Change;

use super::{
    messages,
    shared::{JUDGING, PLACES, REASONS, with_rules},
};
use crate::prelude::*;

const RULE: &[&str] = &["CEL-037"];
/// By release.
const SHOWN: [&[&str]; 2] = [&["CEL-037", "CEL-037/e1"], &["CEL-037", "CEL-037/e2"]];

pub(super) const PROPERTY: Property = Property::new("cel-037-values", plan)
    .title("a cause says the message of its rule, and no value of an object, a list, or what it forbids")
    .asserts(&["CEL-037", "CEL-037/e1", "CEL-037/e2"])
    .needs(JUDGING);

fn kinds() -> [(Value, Vec<Value>); 9] {
    let text = json!({ "type": "string" });
    [
        (json!({ "type": "integer" }), vec![json!(0), json!(-7), json!(i64::MAX)]),
        (json!({ "type": "number" }), vec![json!(0.5), json!(1)]),
        (text.clone(), vec![json!(""), json!("secret"), json!("a\nb")]),
        (json!({ "type": "boolean" }), vec![json!(true), json!(false)]),
        (json!({ INT_OR_STRING: true }), vec![json!(1), json!("1")]),
        (object_of(json!({ "q": text })), vec![json!({}), json!({ "q": "secret" })]),
        (json!({ "type": "array", "items": text }), vec![json!([]), json!(["secret"])]),
        (json!({ "type": "object", "additionalProperties": text }), vec![json!({}), json!({ "k": "secret" })]),
        (json!({ "type": "string", "format": "date" }), vec![json!("2024-02-29")]),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let kinds = kinds();
    let ((node, values), rules) = choices.span("node", |choices| {
        let rules = choices.many("rule", 1, 3, |choices, _| {
            (*choices.pick(&REASONS), *choices.pick(&["no", "say \"no\"", "no: %v", "a: b"]))
        });
        (choices.pick(&kinds).clone(), rules)
    });
    let entry = |((reason, _), message): &((Option<&str>, Reason), &str)| {
        let entry = json!({ "rule": "false", "message": message });
        reason.map_or(entry.clone(), |reason| extended(entry, &json!({ "reason": reason })))
    };
    let place = Place::draw(choices, &PLACES);
    let shows = |reason| !matches!(reason, Reason::Forbidden | Reason::Required);
    let is_old = !choices.release().has(Change::PrintedValues);
    let asserts = if rules.iter().any(|((_, reason), _)| shows(*reason)) { SHOWN[usize::from(is_old)] } else { RULE };
    plan.at_place(choices, &place, &with_rules(node.clone(), rules.iter().map(entry)), |choices| {
        let value = choices.pick(&values).clone();
        let causes = rules.iter().map(|((_, reason), message)| {
            let text = messages::text(choices, &node, &value, *reason, message);
            Cause::new("", reason.name()).with_message(text)
        });
        let causes: Vec<Cause> = causes.collect();
        Example::refused("values", asserts, value, causes)
    });
}
