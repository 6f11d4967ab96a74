//! STRUCT-011: only `anyOf: [{type: integer}, {type: string}]` may have types.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-011-int-or-string-any-of",
    title: "int-or-string may list its two types under anyOf in exactly one form",
    asserts: &["STRUCT-011", "STRUCT-011/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-011", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const FORM: &[&str] = &["STRUCT-011"];
    const EDGE: &[&str] = &["STRUCT-011/e1"];
    const BOTH: &[(&str, &str)] = &[(".anyOf[0].type", "Forbidden"), (".anyOf[1].type", "Forbidden")];
    let integer = || json!({ "type": "integer" });
    let string = || json!({ "type": "string" });
    let any_of = |branches: Value| json!({ INT_OR_STRING: true, "anyOf": branches });
    vec![
        accepted("pair", FORM, any_of(json!([integer(), string()]))),
        accepted(
            "pair-and-more",
            FORM,
            json!({ INT_OR_STRING: true, "anyOf": [integer(), string()], "maxLength": 5, "nullable": true, "oneOf": [{}] }),
        ),
        accepted(
            "zeros",
            EDGE,
            any_of(json!([{ "type": "integer", "description": "", "enum": [], "nullable": false }, string()])),
        ),
        refused("reversed", EDGE, any_of(json!([string(), integer()])), BOTH),
        refused("extra-keyword", EDGE, any_of(json!([{ "type": "integer", "minimum": 1 }, string()])), BOTH),
        refused(
            "extra-keyword-of-the-second",
            EDGE,
            any_of(json!([integer(), { "type": "string", "maxLength": 9 }])),
            BOTH,
        ),
        refused("third-branch", EDGE, any_of(json!([integer(), string(), {}])), BOTH),
        refused("missing-branch", EDGE, any_of(json!([integer()])), &[(".anyOf[0].type", "Forbidden")]),
        refused("one-type", EDGE, any_of(json!([integer(), {}])), &[(".anyOf[0].type", "Forbidden")]),
        refused("twice-the-same", FORM, any_of(json!([integer(), integer()])), BOTH),
        refused("other-types", FORM, any_of(json!([{ "type": "number" }, string()])), BOTH),
        refused(
            "one-of",
            EDGE,
            json!({ INT_OR_STRING: true, "oneOf": [integer(), string()] }),
            &[(".oneOf[0].type", "Forbidden"), (".oneOf[1].type", "Forbidden")],
        ),
        refused(
            "all-of",
            EDGE,
            json!({ INT_OR_STRING: true, "allOf": [integer(), string()] }),
            &[(".allOf[0].type", "Forbidden"), (".allOf[1].type", "Forbidden")],
        ),
        refused(
            "in-another-quantifier",
            EDGE,
            json!({ INT_OR_STRING: true, "not": { "anyOf": [integer(), string()] } }),
            &[(".not.anyOf[0].type", "Forbidden"), (".not.anyOf[1].type", "Forbidden")],
        ),
    ]
}
