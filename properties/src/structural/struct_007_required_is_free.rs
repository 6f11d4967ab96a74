//! STRUCT-007: quantifiers may require undeclared properties.

use crdible_generators::rule::bury;

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{PIECES, accepted, alone, host};

pub(super) const PROPERTY: Property = Property::new("struct-007-required-is-free", plan)
    .title("required inside quantifiers may name undeclared properties, at any depth and at the root")
    .asserts(&["STRUCT-007"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

const NAMES: &[&str] = &["undeclared", "metadata", "a", "kind", "", "x.y", "items"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("branch", 1, PIECES, |choices, _| {
        let required = choices.many("name", 1, 3, |choices, _| *choices.pick(NAMES));
        let buried = bury(choices, json!({ "required": required }), json!({ "type": "object" }));
        let defined = plan.try_define(host::plant(choices, &buried.node).schema);
        plan.check("required", &["STRUCT-007"], defined, Expectation::Accepted);
        plan.count_case();
    });
}

fn pieces() -> Vec<Piece> {
    let branch = || json!({ "required": ["undeclared", "metadata"] });
    [
        ("all-of-the-root", json!({ "type": "object", "allOf": [branch()] })),
        ("any-of-the-root", json!({ "type": "object", "anyOf": [{}, branch()] })),
        ("one-of-the-root", json!({ "type": "object", "oneOf": [branch(), { "required": ["other"] }] })),
        ("not-of-the-root", json!({ "type": "object", "not": branch() })),
        ("nested", json!({ "type": "object", "not": { "anyOf": [branch()] } })),
    ]
    .into_iter()
    .map(|(name, root)| accepted(name, &["STRUCT-007"], root).at_root())
    .collect()
}
