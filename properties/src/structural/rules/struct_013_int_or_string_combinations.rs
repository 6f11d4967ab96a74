//! STRUCT-013: extensions that cannot be combined with int-or-string.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, INT_OR_STRING, PRESERVE, Piece, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-013-int-or-string-combinations",
    title: "int-or-string excludes preserve-unknown-fields and embedded-resource",
    asserts: &["STRUCT-013", "STRUCT-013/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-013", &pieces()),
};

const PRESERVING: (&str, &str) = (".x-kubernetes-preserve-unknown-fields", "Invalid");
const RESOURCE: (&str, &str) = (".x-kubernetes-embedded-resource", "Invalid");

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-013"];
    const EDGE: &[&str] = &["STRUCT-013/e1"];
    let kind = || json!({ "kind": { "type": "string" } });
    vec![
        refused("preserving", RULE, json!({ INT_OR_STRING: true, PRESERVE: true }), &[PRESERVING]),
        refused(
            "embedded",
            RULE,
            json!({ "type": "object", INT_OR_STRING: true, EMBEDDED: true, "properties": kind() }),
            &[RESOURCE],
        ),
        refused(
            "all-three",
            EDGE,
            json!({ "type": "object", INT_OR_STRING: true, EMBEDDED: true, PRESERVE: true }),
            &[PRESERVING, RESOURCE],
        ),
        refused(
            "all-three-untyped",
            EDGE,
            json!({ INT_OR_STRING: true, EMBEDDED: true, PRESERVE: true }),
            &[PRESERVING, RESOURCE, (".type", "Required")],
        ),
        refused(
            "embedded-untyped",
            EDGE,
            json!({ INT_OR_STRING: true, EMBEDDED: true, "properties": kind() }),
            &[RESOURCE, (".type", "Required")],
        ),
    ]
}
