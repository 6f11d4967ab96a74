//! VALUE-044, where kube-apiserver violates it: integer literals and bounds that are fractions or huge.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-044"];

pub(super) const PROPERTY: Property = Property::new("value-044-defect-literals", plan)
    .title("a fractional or huge bound gives the same verdict on a number however the number is written")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let number = |keyword: &str, bound: Value| json!({ "type": "number", keyword: bound });
    let mut exclusive = number("maximum", json!(1.5));
    exclusive["exclusiveMaximum"] = json!(true);
    // A node, an integer, and whether it is valid.
    let (node, integer, fits): (Value, i64, bool) = choices
        .pick(&[
            (number("minimum", json!(0.5)), 0, false),
            (number("maximum", json!(-0.5)), 0, false),
            (exclusive, 1, true),
            (number("multipleOf", json!(0.5)), 1, true),
            (number("multipleOf", json!(1.5)), 1, false),
            (number("maximum", json!(1e20)), 7, true),
            (number("minimum", json!(1e20)), 7, false),
            (json!({ INT_OR_STRING: true, "maximum": i64::MAX }), 7, true),
        ])
        .clone();
    plan.at_any_place(choices, &node, |choices| {
        let text = if choices.chance(1, 3) { format!("{integer}.0") } else { integer.to_string() };
        if fits {
            Example::becomes("fits", ASSERTS, exact(&text), json!(integer))
        } else {
            Example::refused("does-not-fit", ASSERTS, exact(&text), [("", "Invalid")])
        }
    })
}
