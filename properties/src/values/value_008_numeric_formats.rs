//! VALUE-008: int32, int64 and float limit the numbers of their own type; no other format does, and no other node.

use crdible_generators::number;

use super::shared::{JUDGING, Refused, Verdict, fields};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-008"];

pub(super) const PROPERTY: Property = Property::new("value-008-numeric-formats", plan)
    .title("int32, int64 and float limit numbers only if the format belongs to the node's type")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

/// A type and a format.
const NODES: [(&str, &str); 9] = [
    ("integer", "int32"),
    ("integer", "int64"),
    ("integer", "uint32"),
    ("integer", "float"),
    ("integer", "double"),
    ("number", "int32"),
    ("number", "double"),
    ("number", "int64"),
    ("number", "float"),
];

/// A node with a format.
struct Ranged {
    kind: &'static str,
    format: &'static str,
    is_in_branch: bool,
}

impl Ranged {
    fn draw(choices: &mut Choices) -> Self {
        let (kind, format) = *choices.pick(&NODES);
        Self { kind, format, is_in_branch: choices.chance(1, 4) }
    }

    fn node(&self) -> Value {
        let Self { kind, format, is_in_branch } = self;
        if *is_in_branch {
            json!({ "type": kind, "allOf": [{ "format": format }] })
        } else {
            json!({ "type": kind, "format": format })
        }
    }

    fn judge(&self, choices: &mut Choices) -> Verdict {
        if !self.is_in_branch && choices.chance(1, 4) {
            return self.refused(choices);
        }
        let value = near(choices);
        let is_bounded = self.kind == "integer" && self.format == "int32" && !self.is_in_branch;
        let is_beyond = is_bounded && i32::try_from(value).is_err();
        Verdict::judged(json!(value), if is_beyond { vec![NIL] } else { vec![] })
    }

    /// A value of the wrong type, or a value beyond the format that [`near`] does not draw.
    fn refused(&self, choices: &mut Choices) -> Verdict {
        let of_kind = Cause::of("", Reason::TypeInvalid);
        match (self.kind, self.format) {
            ("integer", "int64") if choices.chance(1, 2) => {
                let (text, float) = ("9223372036854775808", json!(9.223_372_036_854_776e18));
                Verdict::written(text, float, vec![of_kind, NIL])
            }
            ("number", "float") if choices.chance(1, 2) => {
                let value = choices.pick(&[json!(3.5e38), json!(-1e39)]).clone();
                Verdict::judged(value, vec![NIL])
            }
            _ => Verdict::other_kind(choices.pick(&[json!(true), json!("1"), json!({})]).clone()),
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(2, 3) {
        return fields(plan, choices, Refused::One, ASSERTS, Ranged::draw, Ranged::node, |choices, ranged, _| {
            ranged.judge(choices)
        });
    }
    let ranged = choices.span("node", Ranged::draw);
    plan.at_any_place(choices, &ranged.node(), |choices| ranged.judge(choices).example("in-range", ASSERTS))
}

/// An integer, often close to an end of int32 or int64.
fn near(choices: &mut Choices) -> i64 {
    let end = *choices.pick(&[0, i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX - 2, i64::MIN + 2]);
    if choices.chance(1, 4) { number::integer(choices, i64::MIN, i64::MAX) } else { end + (choices.between(0, 4) - 2) }
}

fn edge(plan: &mut Plan) {
    let typed = |kind: &str, format: &str| json!({ "type": kind, "format": format });
    let refused =
        |text: &str, causes: &[RowCause]| Example::refused("out-of-range", ASSERTS, exact(text), causes.to_vec());
    let kept = |text: &str, value: Value| Example::becomes("in-range", ASSERTS, exact(text), value);
    let large = || kept("2147483648", json!(2_147_483_648_i64));
    plan.in_one_schema(vec![
        Row::new(typed("integer", "int32")).with(vec![
            kept("2147483647", json!(i32::MAX)),
            kept("-2147483648", json!(i32::MIN)),
            refused("2147483648", &[NIL]),
            refused("-2147483649", &[NIL]),
            refused("2147483648.0", &[NIL]),
            refused("1.5", &[Cause::of("", Reason::TypeInvalid), NIL]),
        ]),
        Row::new(typed("integer", "int64")).with(vec![
            kept("9223372036854775807", json!(i64::MAX)),
            refused("9223372036854775808", &[Cause::of("", Reason::TypeInvalid), NIL]),
        ]),
        Row::new(typed("number", "float")).with(vec![
            kept("3.4e38", json!(3.4e38)),
            kept("-3.4e38", json!(-3.4e38)),
            kept("1e-60", json!(1e-60)),
            refused("3.5e38", &[NIL]),
            refused("-1e39", &[NIL]),
        ]),
        Row::new(typed("number", "double")).with(vec![kept("1e308", json!(1e308))]),
        Row::new(typed("number", "int64")).with(vec![kept("1e300", json!(1e300)), kept("0.5", json!(0.5))]),
        Row::new(typed("integer", "uint32"))
            .with(vec![kept("-1", json!(-1)), kept("4294967296", json!(4_294_967_296_i64))]),
        Row::new(json!({ PRESERVE: true, "format": "int32" })).with(vec![large(), kept("0.5", json!(0.5))]),
        Row::new(json!({ INT_OR_STRING: true, "format": "int32" })).with(vec![large()]),
        Row::new(json!({ "type": "integer", "allOf": [{ "format": "int32" }] })).with(vec![large()]),
        Row::new(json!({ "type": "number", "anyOf": [{ "format": "float" }] })).with(vec![kept("1e39", json!(1e39))]),
    ])
}
