//! VALUE-007: bounds are inclusive unless they say otherwise, whatever the node's type and however the number is written.

use crdible_generators::{choice::Choices, number};
use serde_json::{Value, json};

use super::shared::{Example, INT_OR_STRING, JUDGING, PRESERVE, Sample, exact, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const TRIPLE: &[&str] = &["VALUE-007", "INV-027"];
const UNTYPED: &[&str] = &["VALUE-007", "VALUE-007/e1", "INV-027"];
const WRITTEN: &[&str] = &["VALUE-007", "VALUE-044", "VALUE-044/e1"];
const LOOSE_FLAGS: &[&str] = &["VALUE-007/e1"];
const LARGEST: &[&str] = &["VALUE-009/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-007-bounds",
    title: "numbers beside minimum and maximum are judged by arithmetic, on typed and untyped nodes, written either way",
    asserts: &["VALUE-007", "VALUE-007/e1", "VALUE-009/e1", "VALUE-044", "VALUE-044/e1", "INV-027"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: edge }],
    plan,
};

#[derive(Clone, Copy)]
struct Bound {
    at: i64,
    is_exclusive: bool,
}

fn plan(choices: &mut Choices) -> Scenario {
    let (node, minimum, maximum, kind) = choices.span("node", |choices| {
        let kind = *choices.pick(&["integer", "number", "", INT_OR_STRING]);
        // Three below the end, so that the numbers around a bound are exact as float64.
        let bound = |choices: &mut Choices| {
            choices.chance(2, 3).then(|| Bound {
                at: match choices.weighted(&[4, 1, 1]) {
                    0 => number::integer(choices, 3 - number::EXACT, number::EXACT - 3),
                    1 => *choices.pick(&[1 << 31, -(1 << 31)]),
                    _ => *choices.pick(&[number::EXACT - 3, 3 - number::EXACT]),
                },
                is_exclusive: choices.chance(1, 2),
            })
        };
        let (mut minimum, mut maximum) = (bound(choices), bound(choices));
        if let (Some(low), Some(high)) = (&mut minimum, &mut maximum)
            && high.at < low.at
        {
            std::mem::swap(&mut low.at, &mut high.at);
        }
        let mut node = match kind {
            "" => json!({ PRESERVE: true }),
            INT_OR_STRING => json!({ INT_OR_STRING: true }),
            kind => json!({ "type": kind }),
        };
        for (name, flag, bound) in [("minimum", "exclusiveMinimum", minimum), ("maximum", "exclusiveMaximum", maximum)]
        {
            match bound {
                Some(bound) => {
                    node[name] = json!(bound.at);
                    if bound.is_exclusive {
                        node[flag] = json!(true);
                    }
                }
                None if choices.chance(1, 2) => node[flag] = json!(true),
                None => {}
            }
        }
        (node, minimum, maximum, kind)
    });
    let bounds: Vec<i64> = [minimum, maximum].into_iter().flatten().map(|bound| bound.at).collect();
    samples(choices, &node, |choices| {
        let centre = if bounds.is_empty() { 0 } else { *choices.pick(&bounds) };
        let value = centre + *choices.pick(&[0, 1, -1, 2, -2]);
        let below = minimum.is_some_and(|low| value < low.at || low.is_exclusive && value == low.at);
        let above = maximum.is_some_and(|high| value > high.at || high.is_exclusive && value == high.at);
        let causes = vec![("", "Invalid"); usize::from(below) + usize::from(above)];
        if choices.chance(1, 3) {
            let sent = exact(&number::written(choices, value));
            return if causes.is_empty() {
                Sample::becomes("written", WRITTEN, sent, json!(value))
            } else {
                Sample::refused("written", WRITTEN, sent, causes)
            };
        }
        let asserts = if bounds.is_empty() {
            LOOSE_FLAGS
        } else if matches!(kind, "integer" | "number") {
            TRIPLE
        } else {
            UNTYPED
        };
        Sample::judged("beside-a-bound", asserts, json!(value), causes)
    })
}

fn edge() -> Scenario {
    const LAST: i64 = 9_223_372_036_854_774_784;
    let kept = |asserts: &'static [&'static str], value: Value| Sample::kept("within", asserts, value);
    let refused =
        |asserts: &'static [&'static str], value: Value| Sample::refused("beyond", asserts, value, [("", "Invalid")]);
    examples(vec![
        Example(
            json!({ "type": "integer", "exclusiveMinimum": true, "exclusiveMaximum": true }),
            vec![kept(LOOSE_FLAGS, json!(0)), kept(LOOSE_FLAGS, json!(i64::MAX)), kept(LOOSE_FLAGS, json!(i64::MIN))],
        ),
        Example(
            json!({ "type": "integer", "minimum": 3, "maximum": 3, "exclusiveMinimum": true, "exclusiveMaximum": true }),
            vec![Sample::refused("between-nothing", TRIPLE, json!(3), [("", "Invalid"), ("", "Invalid")])],
        ),
        Example(
            json!({ "type": "integer", "minimum": -LAST, "maximum": LAST }),
            vec![
                kept(LARGEST, json!(LAST)),
                kept(LARGEST, json!(-LAST)),
                refused(LARGEST, json!(LAST + 1)),
                refused(LARGEST, json!(-LAST - 1)),
            ],
        ),
        Example(
            json!({ "type": "number", "minimum": 0, "maximum": 1 }),
            vec![
                kept(TRIPLE, json!(0.5)),
                refused(TRIPLE, json!(1.5)),
                refused(TRIPLE, json!(-0.5)),
                refused(TRIPLE, json!(1.000_000_000_000_000_2)),
            ],
        ),
    ])
}
