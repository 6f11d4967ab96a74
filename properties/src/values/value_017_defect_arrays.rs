//! VALUE-017, which kube-apiserver violates: an array at a string node with an enforced format.

use crdible_generators::format;

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-017"];

pub(super) const PROPERTY: Property = Property::new("value-017-defect-arrays", plan)
    .title("an array is rejected at a string node, whatever format the node has")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let name =
        choices.span("node", |choices| if choices.chance(1, 4) { "unknown".to_owned() } else { format::name(choices) });
    plan.at_any_place(choices, &json!({ "type": "string", "format": name }), |choices| {
        let value = choices.pick(&[json!([]), json!(["2020-01-01"]), json!([1, null])]).clone();
        Example::refused("array", ASSERTS, value, [("", "TypeInvalid")])
    })
}
