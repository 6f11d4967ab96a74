//! STRUCT-001: the root has type object.

use super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{Piece, accepted, alone, refused};

pub(super) const PROPERTY: Property = Property {
    id: "struct-001-root-type",
    title: "a root without a type, or with a type other than object, is rejected at its type",
    asserts: &["STRUCT-001", "STRUCT-001/e3", "CRDVAL-027"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-001", &pieces()),
};

const ROOT_TYPE: &[&str] = &["STRUCT-001", "CRDVAL-027"];
const BESIDES: &[&str] = &["STRUCT-001/e3"];

fn pieces() -> Vec<Piece> {
    let nodes = vec![
        accepted("object", ROOT_TYPE, json!({ "type": "object" })),
        refused("no-type", ROOT_TYPE, json!({ "type": null }), &[(".type", "Required")]),
        refused("empty-type", ROOT_TYPE, json!({ "type": "" }), &[(".type", "Required")]),
        refused("string", ROOT_TYPE, json!({ "type": "string" }), &[(".type", "Invalid")]),
        refused("integer", ROOT_TYPE, json!({ "type": "integer" }), &[(".type", "Invalid")]),
        refused(
            "array-with-items",
            ROOT_TYPE,
            json!({ "type": "array", "items": { "type": "object" } }),
            &[(".type", "Invalid")],
        ),
        refused("array", BESIDES, json!({ "type": "array" }), &[(".type", "Invalid"), (".items", "Required")]),
        refused(
            "unknown-type",
            BESIDES,
            json!({ "type": "Object" }),
            &[(".type", "Invalid"), (".type", "NotSupported")],
        ),
    ];
    nodes.into_iter().map(Piece::at_root).collect()
}
