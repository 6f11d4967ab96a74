//! CRDVAL-053, where kube-apiserver violates it: defaults with duplicates, and of the wrong type for
//! int-or-string.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::definitions::refused_as;

const ASSERTS: &[&str] = &["CRDVAL-053"];

pub(super) const PROPERTY: Property = Property::new("crdval-053-defect-unchecked", plan)
    .title("a default is rejected if it has duplicates in a set or map list, or the wrong type for int-or-string")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let node = choices
        .pick(&[
            json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string" }, "default": ["a", "a"] }),
            json!({
                "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } } },
                "default": [{ "k": "a" }, { "k": "a" }],
            }),
            json!({ INT_OR_STRING: true, "default": true }),
        ])
        .clone();
    let defined = plan.try_define(object_of(json!({ "p": node })));
    plan.count_case();
    plan.check("refused", ASSERTS, defined, refused_as(422, "Invalid"));
}
