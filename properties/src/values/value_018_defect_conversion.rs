//! VALUE-018, where kube-apiserver violates it: numbers and enumerations of other values.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-018"];

pub(super) const PROPERTY: Property = Property::new("value-018-defect-conversion", plan)
    .title("a number is rejected if the enumeration lists only other integers or strings")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (node, value): (Value, Value) = choices
        .pick(&[
            (json!({ INT_OR_STRING: true, "enum": ["A"] }), json!(65)),
            (json!({ PRESERVE: true, "enum": ["A"] }), json!(65)),
            (json!({ "type": "number", "enum": [1] }), json!(1.9)),
        ])
        .clone();
    plan.at_any_place(choices, &node, |_| {
        Example::refused("not-listed", ASSERTS, value.clone(), [("", "NotSupported")])
    })
}
