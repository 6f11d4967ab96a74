//! VALUE-009, where kube-apiserver violates it: bounds of an integer that are not values of its type and format.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-009"];

pub(super) const PROPERTY: Property = Property::new("value-009-defect-bounds", plan)
    .title("a fractional or huge bound of an integer is compared by its value")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (node, kept, refused): (Value, Value, Option<Value>) = choices
        .pick(&[
            (json!({ "type": "integer", "minimum": 0.5 }), json!(1), Some(json!(0))),
            (json!({ "type": "integer", "maximum": -0.5 }), json!(-1), Some(json!(0))),
            (json!({ "type": "integer", "format": "int32", "maximum": 4_294_967_295_u32 }), json!(7), None),
            (json!({ "type": "integer", "maximum": 1e19 }), json!(7), None),
            (json!({ "type": "integer", "maximum": i64::MAX }), json!(7), None),
            (json!({ "type": "integer", "minimum": i64::MIN }), json!(-7), None),
        ])
        .clone();
    plan.at_any_place(choices, &node, |choices| match &refused {
        Some(refused) if choices.chance(1, 2) => {
            Example::refused("beyond", ASSERTS, refused.clone(), [("", "Invalid")])
        }
        _ => Example::kept("within", ASSERTS, kept.clone()),
    })
}
