//! INV-005 and PRUNE-010: a preserving node keeps unknown content unchanged.

use super::shared::{PLACES, preserving};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-005-verbatim-regions", plan)
    .title("any JSON at a preserving node without properties is stored and read back unchanged")
    .asserts(&["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-010/e1", "PRUNE-029"])
    .needs(&[Capability::Storing])
    .edges(&[Edge { name: "exact-regions", plan: exact_regions }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let is_typed = choices.chance(1, 4);
    let mut node = preserving();
    if is_typed {
        node["type"] = json!("object");
    }
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "value", |plan, choices| {
        let any = value::json(choices, 4);
        // Not null at the top, and an object if the node has that type.
        let any = if is_typed || any.is_null() { json!({ "a": any }) } else { any };
        let content = place.content(any);
        let created = plan.create(definition, content.clone());
        let read = plan.get(created);
        plan.check("verbatim", &["INV-005", "PRUNE-008", "PRUNE-010"], read, Expectation::Content(content.clone()));
        let strict = plan.try_create_validating(definition, "Strict", content.clone());
        plan.check("not-reported", &["PRUNE-029"], strict, Expectation::Content(content));
    });
}

fn exact_regions(plan: &mut Plan) {
    const VERBATIM: &[&str] = &["PRUNE-010", "INV-005"];
    const NULLS: &[&str] = &["PRUNE-010/e1"];
    let verbatim = |name, value: Value| Example::silent(name, VERBATIM, value.clone(), value);
    let with = |keywords: Value| extended(json!({ "type": "object", PRESERVE: true }), &keywords);
    let child = |nullable: bool| with(json!({ "properties": { "c": { "type": "string", "nullable": nullable } } }));
    plan.in_one_schema([
        Row::new(preserving()).with([
            verbatim("nulls-and-empties", json!({ "a": null, "b": {}, "c": [], "d": [null, {}, []], "e": "" })),
            verbatim(
                "meta-fields",
                json!({ "apiVersion": null, "kind": 5, "metadata": { "labels": { "a": 1 }, "u": {} } }),
            ),
            verbatim("integers", json!([i64::MAX, i64::MIN, 0, -1, 9_007_199_254_740_993_i64])),
            verbatim(
                "keys",
                json!({ "": 1, "a.b": 2, "a/b": 3, "~0": 4, "$ref": 5, "__proto__": 6, "é": 7, "\u{2028}": 8 }),
            ),
            Example::dropped("null", NULLS, Value::Null),
        ]),
        Row::new(with(json!({ "nullable": true }))).with([Example::kept("nullable-null", NULLS, Value::Null)]),
        Row::new(child(false)).with([Example::becomes(
            "null-of-a-child",
            NULLS,
            json!({ "c": null, "u": null }),
            json!({ "u": null }),
        )]),
        Row::new(child(true)).with([Example::kept("null-of-a-nullable-child", NULLS, json!({ "c": null }))]),
    ])
}
