//! CEL-044: a test for presence costs nothing.

use super::shared::{SINGLE, ruled, try_piece};
use crate::prelude::*;
use crate::shared::{PIECES, accepted};

const ASSERTS: &[&str] = &["CEL-044"];

pub(super) const PROPERTY: Property = Property::new("cel-044-presence-is-free", plan)
    .title("has() adds nothing to the cost of a rule, so one that tests presence often is allowed and evaluated")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[Edge { name: "evaluated", plan: evaluated }]);

/// A list of at most n elements, of which each pair is tested this often: that costs (tests + 3)n², since the variable
/// that is tested costs 1. If a test cost 1 as well, it were (2 tests + 3)n².
fn tested(elements: usize, tests: usize, operator: &str) -> Value {
    let tests = vec!["has(x.a)"; tests].join(operator);
    let item = object_of(json!({ "a": { "type": "integer" } }));
    let list = json!({ "type": "array", "maxItems": elements, "items": item });
    ruled(list, &format!("self.all(x, self.all(y, {tests}))"))
}

/// The fewest and the most tests that are drawn.
const TESTS: [usize; 2] = [20, 60];
/// With these elements, 20 tests for each pair cost 0.75 million, or 1.4 million: less and more than one evaluation
/// may cost.
const ELEMENTS: usize = 180;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let operator = *choices.pick(&[" && ", "&&"]);
    if choices.chance(2, 3) {
        choices.many("piece", 1, PIECES, |choices, _| {
            let tests = TESTS[0] + choices.index(TESTS[1] - TESTS[0]);
            // 7 million, or 13 million and more: less and more than a rule may cost by its estimate.
            let elements = (7_000_000 / (tests + 3)).isqrt();
            try_piece(plan, choices, &SINGLE, &accepted("estimate", ASSERTS, tested(elements, tests, operator)));
        });
        return;
    }
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &tested(ELEMENTS, TESTS[0], operator), |choices| {
        // To test all pairs of a full list takes a server a second.
        let count = if choices.chance(1, 20) { ELEMENTS } else { 1 + choices.index(60) };
        // An element without the property is not only absent, but also ends the loop early.
        example(count, choices.chance(1, 4))
    });
}

fn example(count: usize, is_missing: bool) -> Example {
    let mut elements = vec![json!({ "a": 0 }); count];
    let mut causes = vec![];
    if is_missing {
        elements[0] = json!({});
        causes.push(("", "Invalid"));
    }
    Example::judged("presence", ASSERTS, json!(elements), causes)
}

fn evaluated(plan: &mut Plan) {
    let node = tested(ELEMENTS, TESTS[0], " && ");
    plan.in_one_schema([Row::new(node).with([example(ELEMENTS, false), example(ELEMENTS, true)])]);
}
