//! VALUE-001: a value of the wrong type is rejected with one cause.

use crdible_semantics::release::Change;

use super::shared::{JUDGING, Node, Refused, Verdict, fields};
use crate::prelude::*;

const TYPES: &[&str] = &["VALUE-001"];
const SEVERAL: &[&str] = &["VALUE-001", "VALUE-001/e1"];

pub(super) const PROPERTY: Property = Property::new("value-001-type-check", plan)
    .title("a value of the wrong type is rejected at its path, and a value of the correct type is kept")
    .asserts(SEVERAL)
    .needs(JUDGING)
    .edges(&[Edge { name: "keys-of-maps", plan: keys_of_maps }]);

/// The kinds, each with some values; the first is the simplest.
const KINDS: [&str; 6] = ["string", "integer", "boolean", "object", "array", "number"];

fn node(kind: &str) -> Value {
    let mut node = json!({ "type": kind });
    match kind {
        "array" => node["items"] = json!({ "type": "string" }),
        "object" => node["additionalProperties"] = json!({ "type": "string" }),
        _ => {}
    }
    node
}

fn value(choices: &mut Choices, kind: &str) -> Value {
    let options = match kind {
        "string" => vec![json!("a"), json!(""), json!("1"), json!("true"), json!("null"), json!("{}"), json!("[]")],
        "integer" => vec![json!(1), json!(0), json!(-1), json!(i64::MAX), json!(i64::MIN)],
        "number" => vec![json!(0.5), json!(-1.25), json!(1e300)],
        "boolean" => vec![json!(true), json!(false)],
        "array" => vec![json!([]), json!(["a"]), json!(["a", "a"]), json!([""])],
        _ => vec![json!({}), json!({ "a": "b" }), json!({ "type": "string", "items": "x" })],
    };
    choices.pick(&options).clone()
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(2, 3) {
        return beside_keywords(plan, choices);
    }
    let kind = *choices.pick(&KINDS);
    let has_ranges = choices.release().has(Change::NumberRanges);
    plan.at_any_place(choices, &node(kind), |choices| {
        let other = *choices.pick(&KINDS);
        let value = match (kind, other) {
            // A string that looks like a value of the correct type.
            ("boolean", "string") => choices.pick(&[json!("true"), json!("false")]).clone(),
            ("integer" | "number", "string") => choices.pick(&[json!("1"), json!("")]).clone(),
            _ => value(choices, other),
        };
        match (kind, other) {
            (kind, other) if kind == other => Example::kept("right-kind", TYPES, value),
            ("number", "integer") => Example::kept("right-kind", TYPES, value),
            ("integer", "number") => {
                let name = if value == json!(1e300) { "beyond-int64" } else { "fraction" };
                let summary = has_ranges.then_some(NIL);
                Example::refused(
                    name,
                    SEVERAL,
                    value,
                    [Some(Cause::of("", Reason::TypeInvalid)), summary].into_iter().flatten(),
                )
            }
            _ => Example::refused("wrong-kind", TYPES, value, [("", "TypeInvalid")]),
        }
    })
}

/// Keywords for the node's own kind do not apply to a value of another kind; the branch of a `not` then matches.
fn beside_keywords(plan: &mut Plan, choices: &mut Choices) {
    let node = |node: &Node| node.schema.clone();
    fields(plan, choices, Refused::Any, SEVERAL, Node::draw, node, |choices, node, _| {
        if choices.chance(1, 3) {
            return Verdict::absent();
        }
        let (value, causes) = node.other(choices);
        Verdict::judged(value, causes)
    })
}

fn keys_of_maps(plan: &mut Plan) {
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let refused = |value: Value, field: &str| Example::refused("key", SEVERAL, value, [(field, "TypeInvalid")]);
    let cases = vec![
        refused(json!({ "a.b": "x" }), ".a.b"),
        refused(json!({ "": "x" }), "."),
        refused(json!({ "é 😀": "x" }), ".é 😀"),
        refused(json!({ "a/b~c": "x" }), ".a/b~c"),
        Example::refused(
            "keys",
            SEVERAL,
            json!({ "a": "x", "b": 1, "c": [] }),
            [(".a", "TypeInvalid"), (".c", "TypeInvalid")],
        ),
    ];
    plan.in_one_schema(vec![Row::new(map).with(cases)])
}
