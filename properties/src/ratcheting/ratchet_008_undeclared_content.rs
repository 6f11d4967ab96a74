//! RATCHET-008: an object with undeclared content never counts as unchanged. A quirk.

use crate::prelude::*;
use crate::shared::Updates;

const ASSERTS: &[&str] = &["RATCHET-008", "RATCHET-008/e1"];

pub(super) const PROPERTY: Property = Property::new("ratchet-008-undeclared-content", plan)
    .title("an unchanged object with an undeclared key is not forgiven as a whole")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (node, keywords, cause): (Value, Value, RowCause) = match choices.draw(2) {
        0 => (
            extended(object_of(json!({ "p": { "type": "string" } })), &json!({ PRESERVE: true })),
            json!({ "minProperties": 9, "properties": { "p": { "type": "string", "maxLength": 2 } } }),
            Cause::of(".o", Reason::Invalid),
        ),
        1 => (
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "minProperties": 9 }),
            Cause::of(".o", Reason::Invalid),
        ),
        _ => (json!({ PRESERVE: true }), json!({ "not": {} }), NIL),
    };
    let is_untyped = node.get("type").is_none();
    let declares = node.get("properties").is_some();
    let objects = choices.cases("update", |choices, _| {
        let (name, value, is_known) = match choices.draw(4) {
            0 => ("undeclared", json!({ "x": 1 }), false),
            1 => ("empty", json!({}), true),
            // A child with a schema is forgiven separately.
            2 => ("declared", json!({ "p": "xxx" }), declares),
            3 if is_untyped => ("array", json!([{ "x": 1 }]), true),
            4 if is_untyped => ("scalar", json!("text"), true),
            _ => ("both", json!({ "p": "xxx", "x": 1 }), false),
        };
        let causes = if is_known { vec![] } else { vec![cause] };
        let new = json!({ "o": value, "q": 1 });
        Updates::new(json!({ "o": value, "q": 0 }), [Example::judged(name, ASSERTS, new, causes)])
    });
    let schema = |node: Value| spec_of(json!({ "o": node, "q": { "type": "integer" } }));
    plan.try_updates(schema(node.clone()), schema(extended(node, &keywords)), objects)
}
