//! VALUE-018, where kube-apiserver 1.36 breaks it: numbers beside listed values of another kind.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{INT_OR_STRING, JUDGING, PRESERVE, Sample, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-018"];

pub(super) const PROPERTY: Property = Property {
    id: "value-018-defect-conversion",
    title: "a number equals no listed integer that it is not, and no listed text",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let (node, value): (Value, Value) = choices
        .pick(&[
            (json!({ INT_OR_STRING: true, "enum": ["A"] }), json!(65)),
            (json!({ PRESERVE: true, "enum": ["A"] }), json!(65)),
            (json!({ "type": "number", "enum": [1] }), json!(1.9)),
        ])
        .clone();
    samples(choices, &node, |_| Sample::refused("not-listed", ASSERTS, value.clone(), [("", "NotSupported")]))
}
