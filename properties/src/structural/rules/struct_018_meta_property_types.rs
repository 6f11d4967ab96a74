//! STRUCT-018: the types of declared `apiVersion`, `kind` and `metadata`.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, INT_OR_STRING, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-018-meta-property-types",
    title: "declared apiVersion and kind of a resource must be strings, and declared metadata an object",
    asserts: &["STRUCT-018", "STRUCT-018/e1", "STRUCT-018/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-018", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-018"];
    const EDGE: &[&str] = &["STRUCT-018/e1"];
    const ALLOWED: &[&str] = &["STRUCT-018/e2"];
    let root = |properties: Value| json!({ "type": "object", "properties": properties });
    let embedded = |properties: Value| json!({ "type": "object", EMBEDDED: true, "properties": properties });
    let all_wrong: &[_] = &[
        (".properties[apiVersion].type", "Invalid"),
        (".properties[kind].type", "Invalid"),
        (".properties[metadata].type", "Invalid"),
    ];
    let untyped_kind: &[_] = &[(".properties[kind].type", "Invalid"), (".properties[kind].type", "Required")];
    let untyped_metadata: &[_] =
        &[(".properties[metadata].type", "Invalid"), (".properties[metadata].type", "Required")];
    let wrong = || json!({ "apiVersion": { "type": "boolean" }, "kind": { "type": "integer" }, "metadata": { "type": "string" } });
    let right = || json!({ "apiVersion": { "type": "string" }, "kind": { "type": "string" }, "metadata": { "type": "object" } });
    vec![
        accepted("root", RULE, root(right())).at_root(),
        accepted("embedded", RULE, embedded(right())),
        accepted("user-fields", RULE, root(wrong())),
        refused("root-wrong", RULE, root(wrong()), all_wrong).at_root(),
        refused("embedded-wrong", RULE, embedded(wrong()), all_wrong),
        refused("root-untyped-kind", EDGE, root(json!({ "kind": {} })), untyped_kind).at_root(),
        refused("embedded-untyped-kind", EDGE, embedded(json!({ "kind": { "nullable": true } })), untyped_kind),
        refused("root-untyped-metadata", EDGE, root(json!({ "metadata": {} })), untyped_metadata).at_root(),
        refused("embedded-untyped-metadata", EDGE, embedded(json!({ "metadata": {} })), untyped_metadata),
        refused("root-int-or-string", EDGE, root(json!({ "kind": { INT_OR_STRING: true } })), &[(".properties[kind].type", "Invalid")]).at_root(),
        refused("root-preserving", EDGE, root(json!({ "apiVersion": { PRESERVE: true } })), &[(".properties[apiVersion].type", "Invalid")]).at_root(),
        refused("embedded-preserving", EDGE, embedded(json!({ "metadata": { PRESERVE: true } })), &[(".properties[metadata].type", "Invalid")]),
        accepted("restricted", ALLOWED, root(json!({ "kind": { "type": "string", "enum": ["A"], "pattern": "^A" }, "apiVersion": { "type": "string", "maxLength": 3 } }))).at_root(),
    ]
}
