//! VALUE-003: an integer may be written as a float within the range in which every float64 is exact.

use crdible_generators::number;
use crdible_semantics::release::Change;

use super::shared::JUDGING;
use crate::prelude::*;

const FLOATS: &[&str] = &["VALUE-003"];
const LARGE: &[&str] = &["VALUE-003", "VALUE-003/e1", "INV-029/e1"];
const OTHERS: &[&str] = &["VALUE-003"];
/// With a second cause.
const WITH_SUMMARY: &[&str] = &["VALUE-003", "VALUE-003/e3"];

pub(super) const PROPERTY: Property = Property::new("value-003-integral-floats", plan)
    .title("an integer within ±(2^53−1) may be written as a float, such as 1.0 or 1e3")
    .asserts(&["VALUE-003", "VALUE-003/e1", "VALUE-003/e3", "INV-029/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let has_ranges = choices.release().has(Change::NumberRanges);
    let refused = |name, value: Content| {
        if has_ranges {
            Example::refused(name, WITH_SUMMARY, value, [Cause::of("", Reason::TypeInvalid), NIL])
        } else {
            Example::refused(name, OTHERS, value, [("", "TypeInvalid")])
        }
    };
    plan.at_any_place(choices, &json!({ "type": "integer" }), |choices| match choices.weighted(&[4, 2, 1, 1, 1, 1]) {
        0 => {
            let integer = number::integer(choices, -number::EXACT, number::EXACT);
            let text = number::written(choices, integer);
            Example::becomes("integral-float", FLOATS, exact(&text), json!(integer))
        }
        1 => refused("fraction", number::fraction(choices).into()),
        2 => {
            let integer = number::integer(choices, i64::MIN, i64::MAX);
            Example::kept("literal", FLOATS, json!(integer))
        }
        3 => {
            let text = format!("{}{}e{}", sign(choices), 1 + choices.draw(8), 16 + choices.draw(2));
            Example::refused("large-float", LARGE, exact(&text), [("", "TypeInvalid")])
        }
        4 => {
            let text = format!("{}{}e{}", sign(choices), 1 + choices.draw(8), 19 + choices.draw(280));
            refused("beyond-int64", exact(&text))
        }
        _ => {
            let text = *choices.pick(&["-0", "-0.0", "-0e1"]);
            Example::becomes("negative-zero", FLOATS, exact(text), json!(0))
        }
    })
}

fn sign(choices: &mut Choices) -> &'static str {
    if choices.chance(1, 3) { "-" } else { "" }
}

fn edge(plan: &mut Plan) {
    let taken = |text: &str, integer: i64| Example::becomes("integral", FLOATS, exact(text), json!(integer));
    let refused = |text: &str| Example::refused("no-integer", LARGE, exact(text), [("", "TypeInvalid")]);
    let beyond = |text: &str| {
        Example::refused("no-integer", WITH_SUMMARY, exact(text), [Cause::of("", Reason::TypeInvalid), NIL])
    };
    plan.in_one_schema(vec![Row::new(json!({ "type": "integer" })).with(vec![
        taken("1.0", 1),
        taken("1e3", 1000),
        taken("10e-1", 1),
        taken("1e-400", 0),
        taken("-0.0", 0),
        taken("1.00000000000000001", 1),
        taken("9007199254740991.0", number::EXACT),
        taken("-9007199254740991.0", -number::EXACT),
        taken("9007199254740992", number::EXACT + 1),
        taken("9223372036854775807", i64::MAX),
        taken("-9223372036854775808", i64::MIN),
        refused("9007199254740992.0"),
        refused("-9007199254740992.0"),
        refused("1e18"),
        beyond("1.5"),
        beyond("-0.5"),
        beyond("1e19"),
        beyond("9223372036854775808"),
        beyond("-9223372036854775809"),
    ])])
}
