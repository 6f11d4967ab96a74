//! STRUCT-015: any node may have preserve-unknown-fields.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-015-preserve-anywhere",
    title: "preserve-unknown-fields is accepted on every structural node, with any type or none",
    asserts: &["STRUCT-015"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-015", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-015"];
    let mut pieces = vec![
        accepted("no-type", RULE, json!({ PRESERVE: true })),
        accepted("root", RULE, json!({ "type": "object", PRESERVE: true })).at_root(),
        refused(
            "child",
            RULE,
            json!({ PRESERVE: true, "properties": { "a": {} } }),
            &[(".properties[a].type", "Required")],
        ),
        refused(
            "map-value",
            RULE,
            json!({ "type": "object", PRESERVE: true, "additionalProperties": {} }),
            &[(".additionalProperties.type", "Required")],
        ),
        refused(
            "element",
            RULE,
            json!({ "type": "array", PRESERVE: true, "items": {} }),
            &[(".items.type", "Required")],
        ),
        refused(
            "element-of-no-type",
            RULE,
            json!({ PRESERVE: true, "items": { "nullable": true } }),
            &[(".items.type", "Required")],
        ),
    ];
    for name in ["string", "integer", "number", "boolean", "object"] {
        pieces.push(accepted("with-a-type", RULE, json!({ "type": name, PRESERVE: true })));
    }
    pieces.push(accepted("array", RULE, json!({ "type": "array", PRESERVE: true, "items": { "type": "string" } })));
    pieces
}
