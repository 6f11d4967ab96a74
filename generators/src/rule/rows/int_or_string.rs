//! Integers or strings: STRUCT-011..013.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, Required},
};
use serde_json::{Value, json};

use super::nodes::{EMBEDDED, INT_OR_STRING, PRESERVE, string, with};
use crate::rule::row::{Asserts, Row};

pub(super) fn rows() -> Vec<Row> {
    [any_of_form(), all_of_form(), combinations()].into_iter().flatten().collect()
}

fn int_or_string(keywords: &Value) -> Value {
    with(json!({ INT_OR_STRING: true }), keywords)
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn any_of_form() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-011"]);
    const EDGE: Asserts = Asserts(&["STRUCT-011/e1"]);
    let both = &[Cause::of(".anyOf[0].type", Forbidden), Cause::of(".anyOf[1].type", Forbidden)];
    let first = &[Cause::of(".anyOf[0].type", Forbidden)];
    let any_of = |branches: Value| int_or_string(&json!({ "anyOf": branches }));
    let zeros = json!({ "type": "integer", "description": "", "enum": [], "nullable": false });
    vec![
        RULE.accepts("pair", any_of(json!([integer(), string()]))),
        RULE.accepts(
            "pair-and-more",
            int_or_string(&json!({ "anyOf": [integer(), string()], "maxLength": 5, "nullable": true, "oneOf": [{}] })),
        ),
        EDGE.accepts("zeros", any_of(json!([zeros, string()]))),
        EDGE.refuses("reversed", any_of(json!([string(), integer()])), both),
        EDGE.refuses("extra-keyword", any_of(json!([{ "type": "integer", "minimum": 1 }, string()])), both),
        EDGE.refuses(
            "extra-keyword-of-the-second",
            any_of(json!([integer(), { "type": "string", "maxLength": 9 }])),
            both,
        ),
        EDGE.refuses("third-branch", any_of(json!([integer(), string(), {}])), both),
        EDGE.refuses("missing-branch", any_of(json!([integer()])), first),
        EDGE.refuses("one-type", any_of(json!([integer(), {}])), first),
        RULE.refuses("twice-the-same", any_of(json!([integer(), integer()])), both),
        RULE.refuses("other-types", any_of(json!([{ "type": "number" }, string()])), both),
        EDGE.refuses(
            "one-of",
            int_or_string(&json!({ "oneOf": [integer(), string()] })),
            &[Cause::of(".oneOf[0].type", Forbidden), Cause::of(".oneOf[1].type", Forbidden)],
        ),
        EDGE.refuses(
            "all-of",
            int_or_string(&json!({ "allOf": [integer(), string()] })),
            &[Cause::of(".allOf[0].type", Forbidden), Cause::of(".allOf[1].type", Forbidden)],
        ),
        EDGE.refuses(
            "in-another-quantifier",
            int_or_string(&json!({ "not": { "anyOf": [integer(), string()] } })),
            &[Cause::of(".not.anyOf[0].type", Forbidden), Cause::of(".not.anyOf[1].type", Forbidden)],
        ),
    ]
}

fn all_of_form() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-012"]);
    const EDGE: Asserts = Asserts(&["STRUCT-012/e1"]);
    let pair = || json!([integer(), string()]);
    let all_of = |members: Value| int_or_string(&json!({ "allOf": members }));
    let first = &[Cause::of(".allOf[0].anyOf[0].type", Forbidden), Cause::of(".allOf[0].anyOf[1].type", Forbidden)];
    let second = &[Cause::of(".allOf[1].anyOf[0].type", Forbidden), Cause::of(".allOf[1].anyOf[1].type", Forbidden)];
    let long = json!({ "type": "string", "maxLength": 9 });
    vec![
        RULE.accepts("pair", all_of(json!([{ "anyOf": pair() }]))),
        RULE.accepts(
            "further-members",
            all_of(json!([{ "anyOf": pair() }, { "maxLength": 3 }, { "not": { "enum": [1] } }])),
        ),
        EDGE.accepts("beside-the-pair", all_of(json!([{ "anyOf": pair(), "minimum": 1, "oneOf": [{}] }]))),
        EDGE.accepts(
            "both-forms",
            int_or_string(&json!({ "anyOf": pair(), "allOf": [{ "anyOf": pair() }], "maximum": 4 })),
        ),
        EDGE.refuses("second-member", all_of(json!([{ "maxLength": 3 }, { "anyOf": pair() }])), second),
        RULE.refuses("second-of-two", all_of(json!([{ "anyOf": pair() }, { "anyOf": pair() }])), second),
        EDGE.refuses(
            "one-level-deeper",
            all_of(json!([{ "allOf": [{ "anyOf": pair() }] }])),
            &[
                Cause::of(".allOf[0].allOf[0].anyOf[0].type", Forbidden),
                Cause::of(".allOf[0].allOf[0].anyOf[1].type", Forbidden),
            ],
        ),
        EDGE.refuses(
            "one-of",
            all_of(json!([{ "oneOf": pair() }])),
            &[Cause::of(".allOf[0].oneOf[0].type", Forbidden), Cause::of(".allOf[0].oneOf[1].type", Forbidden)],
        ),
        RULE.refuses("reversed", all_of(json!([{ "anyOf": [string(), integer()] }])), first),
        RULE.refuses("extra-keyword", all_of(json!([{ "anyOf": [integer(), long] }])), first),
    ]
}

fn combinations() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-013"]);
    const EDGE: Asserts = Asserts(&["STRUCT-013/e1"]);
    let preserving = Cause::of(".x-kubernetes-preserve-unknown-fields", Invalid);
    let resource = Cause::of(".x-kubernetes-embedded-resource", Invalid);
    let untyped = Cause::of(".type", Required);
    let of = |keywords: Value| int_or_string(&keywords);
    let kind = || json!({ "kind": string() });
    vec![
        RULE.refuses("preserving", of(json!({ PRESERVE: true })), &[preserving]),
        RULE.refuses("embedded", of(json!({ "type": "object", EMBEDDED: true, "properties": kind() })), &[resource]),
        EDGE.refuses(
            "all-three",
            of(json!({ "type": "object", EMBEDDED: true, PRESERVE: true })),
            &[preserving, resource],
        ),
        EDGE.refuses(
            "all-three-untyped",
            of(json!({ EMBEDDED: true, PRESERVE: true })),
            &[preserving, resource, untyped],
        ),
        EDGE.refuses("embedded-untyped", of(json!({ EMBEDDED: true, "properties": kind() })), &[resource, untyped]),
    ]
}
