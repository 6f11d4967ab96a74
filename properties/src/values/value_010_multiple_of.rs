//! VALUE-010: a value must be a multiple of the factor.

use crdible_generators::number;

use super::shared::{JUDGING, Verdict, Within};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-010", "INV-027"];
const WRITTEN: &[&str] = &["VALUE-010", "VALUE-044", "VALUE-044/e1"];

pub(super) const PROPERTY: Property = Property::new("value-010-multiple-of", plan)
    .title("multiples of an integral multipleOf are accepted, and numbers next to them are rejected")
    .asserts(&["VALUE-010", "INV-027", "VALUE-044", "VALUE-044/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

/// A node with a factor.
struct Stepped {
    factor: i64,
    within: Within,
    node: Value,
}

impl Stepped {
    fn draw(choices: &mut Choices) -> Self {
        let mut node = json!({ "type": *choices.pick(&["integer", "number"]) });
        let factor = 2 + i64::try_from(choices.amount(1 << 20, &[2, 10, 1 << 16])).unwrap_or(0);
        let within = Within::draw(choices);
        within.put(&mut node, json!({ "multipleOf": factor }));
        Self { factor, within, node }
    }

    /// A multiple or a number next to one, and whether it is written with a fraction or an exponent.
    fn judge(&self, choices: &mut Choices) -> (Verdict, bool) {
        let is_written = choices.chance(1, 4);
        // Floats are divided with a tolerance, which large ones exceed (a quirk).
        let most = if is_written { 100_000_000 / self.factor } else { 1 << 30 };
        let times = number::integer(choices, -most, most);
        let value = times * self.factor + *choices.pick(&[0, 1, -1]);
        let causes = if value % self.factor == 0 { vec![] } else { vec![Cause::new("", Reason::Invalid)] };
        let causes = self.within.causes(causes);
        if is_written {
            return (Verdict::written(&number::written(choices, value), json!(value), causes), true);
        }
        (Verdict::judged(json!(value), causes), false)
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let stepped = choices.span("node", Stepped::draw);
    plan.at_any_place(choices, &stepped.node, |choices| match stepped.judge(choices) {
        (verdict, true) => verdict.example("written", WRITTEN),
        (verdict, false) => verdict.example("beside-a-multiple", ASSERTS),
    })
}

fn edge(plan: &mut Plan) {
    let refused = |value: Value| Example::refused("no-multiple", ASSERTS, value, [("", "Invalid")]);
    let kept = |value: Value| Example::kept("multiple", ASSERTS, value);
    plan.in_one_schema(vec![
        Row::new(json!({ "type": "number", "multipleOf": 0.5 })).with(vec![
            kept(json!(1.5)),
            kept(json!(-0.5)),
            refused(json!(1.25)),
            refused(json!(0.1)),
        ]),
        Row::new(json!({ "type": "integer", "multipleOf": 0 })).with(vec![refused(json!(0)), refused(json!(1))]),
        Row::new(json!({ "type": "integer", "multipleOf": -2 })).with(vec![
            refused(json!(0)),
            refused(json!(-2)),
            refused(json!(4)),
        ]),
        Row::new(json!({ "type": "integer", "multipleOf": 3 })).with(vec![
            kept(json!(9_007_199_254_740_993_i64)),
            refused(json!(9_007_199_254_740_992_i64)),
            kept(json!(0)),
            kept(json!(-3)),
            refused(json!(-4)),
        ]),
    ])
}
