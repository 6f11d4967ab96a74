//! STRUCT-004: no `additionalProperties` at the root or at embedded resources.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-004-no-root-additional-properties",
    title: "additionalProperties in any form is forbidden at the root and at embedded resources",
    asserts: &["STRUCT-004", "STRUCT-004/e1", "CRDVAL-027", "CRDVAL-033"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-004", &pieces()),
};

const RULE: &[&str] = &["STRUCT-004"];
const AT_ROOT: &[&str] = &["STRUCT-004", "CRDVAL-027"];
const EDGE: &[&str] = &["STRUCT-004/e1"];
const TWO_RULES: &[&str] = &["STRUCT-004/e1", "CRDVAL-033"];

const ONCE: &[(&str, &str)] = &[(".additionalProperties", "Forbidden")];
const TWICE: &[(&str, &str)] = &[(".additionalProperties", "Forbidden"), (".additionalProperties", "Forbidden")];

pub(super) fn pieces() -> Vec<Piece> {
    let map = || json!({ "type": "string" });
    let declared = || json!({ "a": { "type": "string" } });
    vec![
        refused("root-schema", AT_ROOT, json!({ "type": "object", "additionalProperties": map() }), ONCE).whole(),
        refused("root-false", AT_ROOT, json!({ "type": "object", "additionalProperties": false }), ONCE).whole(),
        refused("root-true", AT_ROOT, json!({ "type": "object", "additionalProperties": true }), ONCE).at_root(),
        refused(
            "preserving-root",
            EDGE,
            json!({ "type": "object", PRESERVE: true, "additionalProperties": map() }),
            ONCE,
        )
        .whole(),
        refused(
            "root-schema-twice",
            TWO_RULES,
            json!({ "type": "object", "properties": declared(), "additionalProperties": map() }),
            TWICE,
        )
        .at_root(),
        refused(
            "root-false-twice",
            TWO_RULES,
            json!({ "type": "object", "properties": declared(), "additionalProperties": false }),
            TWICE,
        )
        .at_root(),
        accepted("root-null", EDGE, json!({ "type": "object", "additionalProperties": null })).at_root(),
        refused(
            "embedded-schema",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "additionalProperties": map() }),
            ONCE,
        ),
        refused(
            "embedded-false",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "additionalProperties": false }),
            ONCE,
        ),
        refused(
            "embedded-true",
            RULE,
            json!({ "type": "object", EMBEDDED: true, "properties": declared(), "additionalProperties": true }),
            ONCE,
        ),
        refused(
            "embedded-schema-twice",
            TWO_RULES,
            json!({ "type": "object", EMBEDDED: true, "properties": declared(), "additionalProperties": map() }),
            TWICE,
        ),
        accepted(
            "embedded-null",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": declared(), "additionalProperties": null }),
        ),
        accepted("elsewhere", RULE, json!({ "type": "object", "additionalProperties": map() })),
    ]
}
