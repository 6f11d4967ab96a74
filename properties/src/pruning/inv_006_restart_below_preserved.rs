//! INV-006: pruning restarts at declared nodes below a preserving node.

use super::shared::{PLACES, Planted, plain_shape, preserving, undeclared};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-006-restart-below-preserved", plan)
    .title("a declared child of a preserving node is pruned like any other node")
    .asserts(&["INV-006", "PRUNE-008", "PRUNE-008/e1", "PRUNE-011", "PRUNE-029"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "exact-restarts", plan: exact_restarts }, Edge { name: "root", plan: root }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let shape = plain_shape(choices);
    let child = choices.span("schema", |choices| schema::node(choices, &shape, 2));
    let parent = object_of(json!({ "c": child.to_json() }));
    let definition = plan.define_schema(place.schema(extended(parent.clone(), &preserving())));
    let ordinary = plan.define_schema(place.schema(parent));
    plan.cases(choices, "value", |plan, choices| {
        let inside = choices.keyed("c", |choices| Planted::draw_node(choices, &child).dirty);
        let mut outside = undeclared(choices);
        // Nulls only deeper down, where they are compared as part of a whole value.
        outside.values_mut().filter(|value| value.is_null()).for_each(|value| *value = json!([null]));
        let alone = plan.try_create(ordinary, place.content(json!({ "c": inside })));
        plan.assume(alone, Expectation::Accepted);
        let mut both = outside.clone();
        both.insert("c".to_owned(), inside);
        let together = plan.try_create(definition, place.content(Value::Object(both)));
        let same = same_at(format!("{}/c", place.pointer()), alone);
        plan.check("child", &["INV-006", "PRUNE-008", "PRUNE-011"], together, same);
        for (key, value) in outside {
            let pointer = pointer::join(&place.pointer(), &key);
            plan.check("beside", &["INV-006", "PRUNE-008"], together, at(pointer, value));
        }
    });
}

fn exact_restarts(plan: &mut Plan) {
    const TRUE: &[&str] = &["PRUNE-008/e1"];
    let declared = || object_of(json!({ "a": { "type": "integer" } }));
    let with = |keywords: Value| extended(json!({ "type": "object", PRESERVE: true }), &keywords);
    let nested = with(json!({ "properties": { "c": object_of(json!({ "d": declared() })) } }));
    plan.in_one_schema([
        Row::new(nested).with([
            Example::becomes(
                "whole-subtree",
                &["PRUNE-008", "PRUNE-011"],
                json!({ "u": { "v": 1 }, "c": { "u": 1, "d": { "a": 1, "u": {} } } }),
                json!({ "u": { "v": 1 }, "c": { "d": { "a": 1 } } }),
            ),
            Example::unknown("reported", &["PRUNE-011", "PRUNE-029"], json!({ "u": 1, "c": { "u": 1 } }), &[".c.u"]),
        ]),
        Row::new(with(json!({ "additionalProperties": declared() }))).with([Example::becomes(
            "map-values",
            &["PRUNE-008"],
            json!({ "k": { "a": 1, "u": 2 } }),
            json!({ "k": { "a": 1 } }),
        )]),
        Row::new(with(json!({ "properties": { "c": declared() }, "additionalProperties": true }))).with([
            Example::becomes(
                "true-empties-objects",
                TRUE,
                json!({ "c": { "a": 1, "u": 2 }, "o": { "a": 1 }, "l": [{ "a": 1 }, 2], "s": "x" }),
                json!({ "c": { "a": 1 }, "o": {}, "l": [{}, 2], "s": "x" }),
            ),
        ]),
        Row::new(with(json!({ "additionalProperties": true }))).with([Example::unknown(
            "true-reports-what-it-takes",
            &["PRUNE-008/e1", "PRUNE-029"],
            json!({ "o": { "a": { "b": 1 }, "c": 1 }, "s": "x" }),
            &[".o.a", ".o.c"],
        )]),
    ])
}

/// The root preserves unknown fields like any node.
fn root(plan: &mut Plan) {
    let root = spec_of(json!({ "a": { "type": "integer" } }));
    let definition = plan.define_schema(extended(root, &preserving()));
    let kept = plan.try_create(definition, json!({ "spec": { "a": 1, "u": 2 }, "more": { "u": null } }));
    let expect = Expectation::Content(json!({ "spec": { "a": 1 }, "more": { "u": null } }));
    plan.check("root", &["PRUNE-008", "PRUNE-011"], kept, expect);
}
