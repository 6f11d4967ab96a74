//! CEL-044: a test for presence costs nothing.

use super::shared::{JUDGING, SINGLE, ruled};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-044"];

pub(super) const PROPERTY: Property = Property::new("cel-044-presence-is-free", plan)
    .title("has() adds nothing to the cost of a rule, so one that tests presence often is evaluated")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// Twenty tests for each of n² pairs cost 23n²; 43n² if each test cost 1. The variable that is tested costs 1.
const TESTS: usize = 20;
/// With 180 elements that is 0.7 million, or 1.4 million: less and more than one evaluation may cost.
const ELEMENTS: usize = 180;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_long = choices.span("node", |choices| choices.chance(1, 2));
    let tests = vec!["has(x.a)"; TESTS].join(if is_long { " && " } else { "&&" });
    let item = object_of(json!({ "a": { "type": "integer" } }));
    let list = json!({ "type": "array", "maxItems": ELEMENTS, "items": item });
    let place = Place::draw(choices, &SINGLE);
    let node = ruled(list, &format!("self.all(x, self.all(y, {tests}))"));
    plan.at_place(choices, &place, &node, |choices| {
        let count = if choices.chance(1, 4) { ELEMENTS } else { 1 + choices.index(60) };
        let mut elements = vec![json!({ "a": 0 }); count];
        // An element without the property is not only absent, but also ends the loop early.
        let is_missing = choices.chance(1, 4);
        if is_missing {
            elements[0] = json!({});
        }
        let causes = if is_missing { vec![("", "Invalid")] } else { vec![] };
        Example::judged("presence", ASSERTS, json!(elements), causes)
    });
}
