//! STRUCT-032: the keys of map lists are not nullable.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-032-keys-not-nullable",
    title: "a nullable list-map key is forbidden at its own path",
    asserts: &["STRUCT-032"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-032", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-032"];
    let list = |keys: Value, properties: Value| {
        let items = json!({ "type": "object", "required": keys, "properties": properties });
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys, "items": items })
    };
    let nullable = || json!({ "type": "string", "nullable": true });
    let forbidden: &[_] = &[(".items.properties[k].nullable", "Forbidden")];
    vec![
        refused("key", RULE, list(json!(["k"]), json!({ "k": nullable() })), forbidden),
        refused(
            "one-of-two",
            RULE,
            list(json!(["l", "k"]), json!({ "k": nullable(), "l": { "type": "string" } })),
            forbidden,
        ),
        refused(
            "both",
            RULE,
            list(json!(["k", "l"]), json!({ "k": nullable(), "l": nullable() })),
            &[(".items.properties[k].nullable", "Forbidden"), (".items.properties[l].nullable", "Forbidden")],
        ),
        refused(
            "int-or-string",
            RULE,
            list(json!(["k"]), json!({ "k": { INT_OR_STRING: true, "nullable": true } })),
            forbidden,
        ),
        refused(
            "with-default",
            RULE,
            list(json!(["k"]), json!({ "k": { "type": "string", "default": "x", "nullable": true } })),
            forbidden,
        ),
        accepted("another-property", RULE, list(json!(["k"]), json!({ "k": { "type": "string" }, "v": nullable() }))),
    ]
}
