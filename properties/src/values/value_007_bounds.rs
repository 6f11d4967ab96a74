//! VALUE-007: bounds are inclusive unless declared exclusive, for every type of node and every way to write a number.

use crdible_generators::number;

use super::shared::{JUDGING, Verdict, Within};
use crate::prelude::*;

const TRIPLE: &[&str] = &["VALUE-007", "INV-027"];
const UNTYPED: &[&str] = &["VALUE-007", "VALUE-007/e1", "INV-027"];
const WRITTEN: &[&str] = &["VALUE-007", "VALUE-044", "VALUE-044/e1"];
const LOOSE_FLAGS: &[&str] = &["VALUE-007/e1"];
const LARGEST: &[&str] = &["VALUE-009/e1"];

pub(super) const PROPERTY: Property = Property::new("value-007-bounds", plan)
    .title("minimum and maximum are compared by value, and are inclusive unless declared exclusive")
    .asserts(&["VALUE-007", "VALUE-007/e1", "VALUE-009/e1", "VALUE-044", "VALUE-044/e1", "INV-027"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

#[derive(Clone, Copy)]
struct Bound {
    at: i64,
    is_exclusive: bool,
}

/// A node, and the bounds of its numbers.
struct Bounded {
    kind: &'static str,
    within: Within,
    minimum: Option<Bound>,
    maximum: Option<Bound>,
    node: Value,
}

impl Bounded {
    fn draw(choices: &mut Choices) -> Self {
        let kind = *choices.pick(&["integer", "number", "", INT_OR_STRING]);
        // The forms of int-or-string use `anyOf` and `allOf` (STRUCT-011).
        let within = if kind == INT_OR_STRING { Within::Node } else { Within::draw(choices) };
        let (mut minimum, mut maximum) = (bound(choices), bound(choices));
        if let (Some(low), Some(high)) = (&mut minimum, &mut maximum)
            && high.at < low.at
        {
            std::mem::swap(&mut low.at, &mut high.at);
        }
        let mut keywords = json!({});
        for (name, flag, bound) in [("minimum", "exclusiveMinimum", minimum), ("maximum", "exclusiveMaximum", maximum)]
        {
            match bound {
                Some(bound) => {
                    keywords[name] = json!(bound.at);
                    if bound.is_exclusive {
                        keywords[flag] = json!(true);
                    }
                }
                None if choices.chance(1, 2) => keywords[flag] = json!(true),
                None => {}
            }
        }
        let mut node = match kind {
            "" => json!({ PRESERVE: true }),
            INT_OR_STRING => json!({ INT_OR_STRING: true }),
            kind => json!({ "type": kind }),
        };
        within.put(&mut node, keywords);
        Self { kind, within, minimum, maximum, node }
    }

    fn bounds(&self) -> impl Iterator<Item = i64> {
        [self.minimum, self.maximum].into_iter().flatten().map(|bound| bound.at)
    }

    /// A number close to a bound, and its causes.
    fn number(&self, choices: &mut Choices) -> (i64, Vec<Cause>) {
        let bounds: Vec<i64> = self.bounds().collect();
        let centre = if bounds.is_empty() { 0 } else { *choices.pick(&bounds) };
        let value = centre + *choices.pick(&[0, 1, -1, 2, -2]);
        let below = self.minimum.is_some_and(|low| value < low.at || low.is_exclusive && value == low.at);
        let above = self.maximum.is_some_and(|high| value > high.at || high.is_exclusive && value == high.at);
        let causes = vec![Cause::new("", Reason::Invalid); usize::from(below) + usize::from(above)];
        (value, self.within.causes(causes))
    }

    fn judge(&self, choices: &mut Choices) -> Verdict {
        let (value, causes) = self.number(choices);
        Verdict::judged(json!(value), causes)
    }

    /// The same, written with a fraction or an exponent.
    fn judge_written(&self, choices: &mut Choices) -> Verdict {
        let (value, causes) = self.number(choices);
        Verdict::written(&number::written(choices, value), json!(value), causes)
    }

    fn asserts(&self) -> &'static [&'static str] {
        if self.bounds().next().is_none() {
            LOOSE_FLAGS
        } else if matches!(self.kind, "integer" | "number") {
            TRIPLE
        } else {
            UNTYPED
        }
    }
}

/// At least three below the end of the range that float64 represents exactly, so that the numbers around it are exact
/// as well.
fn bound(choices: &mut Choices) -> Option<Bound> {
    choices.chance(2, 3).then(|| Bound {
        at: match choices.weighted(&[4, 1, 1]) {
            0 => number::integer(choices, 3 - number::EXACT, number::EXACT - 3),
            1 => *choices.pick(&[1 << 31, -(1 << 31)]),
            _ => *choices.pick(&[number::EXACT - 3, 3 - number::EXACT]),
        },
        is_exclusive: choices.chance(1, 2),
    })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let bounded = choices.span("node", Bounded::draw);
    plan.at_any_place(choices, &bounded.node, |choices| {
        if choices.chance(1, 3) {
            return bounded.judge_written(choices).example("written", WRITTEN);
        }
        bounded.judge(choices).example("beside-a-bound", bounded.asserts())
    })
}

fn edge(plan: &mut Plan) {
    const LAST: i64 = 9_223_372_036_854_774_784;
    let kept = |asserts: &'static [&'static str], value: Value| Example::kept("within", asserts, value);
    let refused =
        |asserts: &'static [&'static str], value: Value| Example::refused("beyond", asserts, value, [("", "Invalid")]);
    plan.in_one_schema(vec![
            Row::new(json!({ "type": "integer", "exclusiveMinimum": true, "exclusiveMaximum": true })).with(vec![
                    kept(LOOSE_FLAGS, json!(0)),
                    kept(LOOSE_FLAGS, json!(i64::MAX)),
                    kept(LOOSE_FLAGS, json!(i64::MIN)),
                ]),
            Row::new(json!({ "type": "integer", "minimum": 3, "maximum": 3, "exclusiveMinimum": true, "exclusiveMaximum": true })).with(vec![Example::refused("between-nothing", TRIPLE, json!(3), [("", "Invalid"), ("", "Invalid")])]),
            Row::new(json!({ "type": "integer", "minimum": -LAST, "maximum": LAST })).with(vec![
                    kept(LARGEST, json!(LAST)),
                    kept(LARGEST, json!(-LAST)),
                    refused(LARGEST, json!(LAST + 1)),
                    refused(LARGEST, json!(-LAST - 1)),
                ]),
            Row::new(json!({ "type": "number", "minimum": 0, "maximum": 1 })).with(vec![
                    kept(TRIPLE, json!(0.5)),
                    refused(TRIPLE, json!(1.5)),
                    refused(TRIPLE, json!(-0.5)),
                    refused(TRIPLE, json!(1.000_000_000_000_000_2)),
                ]),
        ],
    )
}
