//! VALUE-017, which kube-apiserver 1.36 breaks: an array under `type: string` beside an enforced format.

use crdible_generators::{choice::Choices, format};
use serde_json::json;

use super::shared::{JUDGING, Sample, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-017"];

pub(super) const PROPERTY: Property = Property {
    id: "value-017-defect-arrays",
    title: "an array is no string, whatever format the node has",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let name =
        choices.span("node", |choices| if choices.chance(1, 4) { "unknown".to_owned() } else { format::name(choices) });
    samples(choices, &json!({ "type": "string", "format": name }), |choices| {
        let value = choices.pick(&[json!([]), json!(["2020-01-01"]), json!([1, null])]).clone();
        Sample::refused("array", ASSERTS, value, [("", "TypeInvalid")])
    })
}
