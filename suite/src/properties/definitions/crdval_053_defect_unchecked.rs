//! CRDVAL-053, where kube-apiserver 1.36 breaks it: lists with repeats, and int-or-strings that are neither.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{
    super::structural::shared::INT_OR_STRING,
    shared::{JUDGING, refused_as},
};
use crate::{
    properties::Property,
    scenario::{Plan, Scenario},
};

const ASSERTS: &[&str] = &["CRDVAL-053"];

pub(super) const PROPERTY: Property = Property {
    id: "crdval-053-defect-unchecked",
    title: "a default with repeats in a set or map list is refused, and one of another type for an int-or-string",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let node = choices.pick(&[
        json!({ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" }, "default": ["a", "a"] }),
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } } },
            "default": [{ "k": "a" }, { "k": "a" }],
        }),
        json!({ INT_OR_STRING: true, "default": true }),
    ]).clone();
    let defined = plan.try_define(json!({ "type": "object", "properties": { "p": node } }));
    plan.count_case();
    plan.check("refused", ASSERTS, defined, refused_as(422, "Invalid"));
    plan.finish()
}
