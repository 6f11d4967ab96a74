//! STRUCT-012: the same pair under `allOf[0].anyOf`.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-012-int-or-string-all-of",
    title: "int-or-string may list its two types under anyOf of the first allOf member, and of no other",
    asserts: &["STRUCT-012", "STRUCT-012/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-012", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const FORM: &[&str] = &["STRUCT-012"];
    const EDGE: &[&str] = &["STRUCT-012/e1"];
    let pair = || json!([{ "type": "integer" }, { "type": "string" }]);
    let all_of = |members: Value| json!({ INT_OR_STRING: true, "allOf": members });
    vec![
        accepted("pair", FORM, all_of(json!([{ "anyOf": pair() }]))),
        accepted(
            "further-members",
            FORM,
            all_of(json!([{ "anyOf": pair() }, { "maxLength": 3 }, { "not": { "enum": [1] } }])),
        ),
        accepted("beside-the-pair", EDGE, all_of(json!([{ "anyOf": pair(), "minimum": 1, "oneOf": [{}] }]))),
        accepted(
            "both-forms",
            EDGE,
            json!({ INT_OR_STRING: true, "anyOf": pair(), "allOf": [{ "anyOf": pair() }], "maximum": 4 }),
        ),
        refused(
            "second-member",
            EDGE,
            all_of(json!([{ "maxLength": 3 }, { "anyOf": pair() }])),
            &[(".allOf[1].anyOf[0].type", "Forbidden"), (".allOf[1].anyOf[1].type", "Forbidden")],
        ),
        refused(
            "second-of-two",
            FORM,
            all_of(json!([{ "anyOf": pair() }, { "anyOf": pair() }])),
            &[(".allOf[1].anyOf[0].type", "Forbidden"), (".allOf[1].anyOf[1].type", "Forbidden")],
        ),
        refused(
            "one-level-deeper",
            EDGE,
            all_of(json!([{ "allOf": [{ "anyOf": pair() }] }])),
            &[(".allOf[0].allOf[0].anyOf[0].type", "Forbidden"), (".allOf[0].allOf[0].anyOf[1].type", "Forbidden")],
        ),
        refused(
            "one-of",
            EDGE,
            all_of(json!([{ "oneOf": pair() }])),
            &[(".allOf[0].oneOf[0].type", "Forbidden"), (".allOf[0].oneOf[1].type", "Forbidden")],
        ),
        refused(
            "reversed",
            FORM,
            all_of(json!([{ "anyOf": [{ "type": "string" }, { "type": "integer" }] }])),
            &[(".allOf[0].anyOf[0].type", "Forbidden"), (".allOf[0].anyOf[1].type", "Forbidden")],
        ),
    ]
}
