//! STRUCT-016: an embedded resource is an object with some content.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-016-embedded-shape",
    title: "an embedded resource must have type object, and preserve unknown fields or declare a property",
    asserts: &["STRUCT-016", "STRUCT-016/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-016", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-016"];
    const EDGE: &[&str] = &["STRUCT-016/e1"];
    let kind = || json!({ "kind": { "type": "string" } });
    vec![
        accepted("preserving", RULE, json!({ "type": "object", EMBEDDED: true, PRESERVE: true })),
        accepted(
            "one-property",
            RULE,
            json!({ "type": "object", EMBEDDED: true, "properties": { "spec": { "type": "integer" } } }),
        ),
        accepted("only-kind", EDGE, json!({ "type": "object", EMBEDDED: true, "properties": kind() })),
        accepted(
            "only-metadata",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": { "type": "object" } } }),
        ),
        refused("nothing", RULE, json!({ "type": "object", EMBEDDED: true }), &[(".properties", "Required")]),
        refused(
            "no-properties",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": {} }),
            &[(".properties", "Required")],
        ),
        refused("no-type", RULE, json!({ EMBEDDED: true, "properties": kind() }), &[(".type", "Required")]),
        refused("preserving-without-type", EDGE, json!({ EMBEDDED: true, PRESERVE: true }), &[(".type", "Required")]),
        refused("string", RULE, json!({ "type": "string", EMBEDDED: true, PRESERVE: true }), &[(".type", "Invalid")]),
        refused(
            "array",
            RULE,
            json!({ "type": "array", "items": { "type": "string" }, EMBEDDED: true, "properties": kind() }),
            &[(".type", "Invalid")],
        ),
        refused("both", EDGE, json!({ EMBEDDED: true }), &[(".type", "Required"), (".properties", "Required")]),
        refused(
            "both-with-a-type",
            EDGE,
            json!({ "type": "boolean", EMBEDDED: true }),
            &[(".type", "Invalid"), (".properties", "Required")],
        ),
    ]
}
