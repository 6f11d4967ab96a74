//! VALUE-009, where kube-apiserver 1.36 breaks it: bounds of an integer that are no value of its type and format.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{JUDGING, Sample, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-009"];

pub(super) const PROPERTY: Property = Property {
    id: "value-009-defect-bounds",
    title: "a fractional bound of an integer, or one beyond its range, counts by its value",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
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
    samples(choices, &node, |choices| match &refused {
        Some(refused) if choices.chance(1, 2) => Sample::refused("beyond", ASSERTS, refused.clone(), [("", "Invalid")]),
        _ => Sample::kept("within", ASSERTS, kept.clone()),
    })
}
