//! VALUE-005: how numbers are stored and read back.

use crdible_generators::number;

use crate::prelude::*;

const NUMBERS: &[&str] = &["VALUE-004", "VALUE-005", "INV-029"];
const BEYOND: &[&str] = &["VALUE-005/e1"];
const WITH_SUMMARY: &[&str] = &["VALUE-005/e1", "VALUE-003/e3"];

pub(super) const PROPERTY: Property = Property::new("value-005-normalisation", plan)
    .title("integers within int64 are stored exactly, and other numbers as float64, however they are written")
    .asserts(&["VALUE-004", "VALUE-005", "VALUE-005/e1", "VALUE-003/e3", "INV-029"])
    .needs(&[Capability::Storing, Capability::Validation])
    .edges(&[Edge { name: "beyond", plan: beyond }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 2) {
        return anywhere(plan, choices);
    }
    let definition = plan.define_schema(spec_of(json!({
        "i": { "type": "integer" }, "n": { "type": "number" }, "f": { "type": "object", PRESERVE: true },
    })));
    plan.cases(choices, "object", |plan, choices| {
        let integer = number::integer(choices, i64::MIN, i64::MAX);
        let is_exact = integer.unsigned_abs() <= number::EXACT.unsigned_abs();
        let text = |choices: &mut Choices| {
            if is_exact && choices.chance(1, 2) { number::written(choices, integer) } else { integer.to_string() }
        };
        let texts = [text(choices), text(choices), text(choices)];
        let fraction = number::fraction(choices);
        let [i, n, inner] = texts.map(Json::Number);
        let list = Json::Array(vec![inner, Json::from(&fraction)]);
        let free = Json::Object(vec![("l".to_owned(), list)]);
        let spec = Json::Object(vec![("i".to_owned(), i), ("n".to_owned(), n), ("f".to_owned(), free)]);
        let created = plan.create(definition, Content::Exact(Json::Object(vec![("spec".to_owned(), spec)])));
        let stored = json!({ "spec": { "i": integer, "n": integer, "f": { "l": [integer, fraction] } } });
        plan.check("created", NUMBERS, created, Expectation::Content(stored.clone()));
        let read = plan.get(created);
        plan.check("read", NUMBERS, read, Expectation::Content(stored));
    });
}

/// Numbers of every size at a node of `type: number`, at any place.
fn anywhere(plan: &mut Plan, choices: &mut Choices) {
    const LARGE: [(&str, f64); 4] =
        [("1e19", 1e19), ("18446744073709551616", 18_446_744_073_709_551_616.0), ("-1e25", -1e25), ("1e300", 1e300)];
    plan.at_any_place(choices, &json!({ "type": "number" }), |choices| match choices.weighted(&[2, 1, 1, 1]) {
        0 => {
            let ends = [i64::MAX, i64::MIN, i64::MAX - 1, number::EXACT + 2];
            let integer =
                if choices.chance(1, 2) { *choices.pick(&ends) } else { number::integer(choices, i64::MIN, i64::MAX) };
            Example::kept("literal", NUMBERS, json!(integer))
        }
        1 => {
            let integer = number::integer(choices, -number::EXACT, number::EXACT);
            let text = number::written(choices, integer);
            Example::becomes("written", NUMBERS, exact(&text), json!(integer))
        }
        2 => {
            let text = *choices.pick(&["-0", "-0.0"]);
            Example::becomes("negative-zero", NUMBERS, exact(text), json!(0))
        }
        _ => {
            let (text, value) = *choices.pick(&LARGE);
            Example::becomes("large", NUMBERS, exact(text), json!(value))
        }
    })
}

fn beyond(plan: &mut Plan) {
    let refused = |text: &str| {
        Example::refused("beyond-int64", WITH_SUMMARY, exact(text), vec![Cause::of("", Reason::TypeInvalid), NIL])
    };
    let no_double = || Example::bad_request("beyond-float64", BEYOND, exact("1e400"));
    let kept = |text: &str, value: Value| Example::becomes("kept", &["VALUE-005"], exact(text), value);
    plan.in_one_schema(vec![
        Row::new(json!({ "type": "integer" })).with(vec![
            refused("9223372036854775808"),
            refused("-9223372036854775809"),
            no_double(),
        ]),
        Row::new(json!({ INT_OR_STRING: true })).with(vec![
            Example::refused("beyond-int64", BEYOND, exact("9223372036854775808"), [("", "TypeInvalid")]),
            no_double(),
        ]),
        Row::new(json!({ "type": "number" })).with(vec![
            no_double(),
            kept("9223372036854775807", json!(i64::MAX)),
            kept("9007199254740993", json!(9_007_199_254_740_993_i64)),
            kept("1e3", json!(1000)),
            kept("-0", json!(0)),
            kept("-0.0", json!(0)),
            kept("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
        ]),
        Row::new(json!({ PRESERVE: true }))
            .with(vec![no_double(), Example::bad_request("beyond-float64", BEYOND, exact("[{\"a\":-1e999}]"))]),
    ])
}
