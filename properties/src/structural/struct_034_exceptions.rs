//! STRUCT-034: what cannot be removed from a schema, and where a property cannot be moved.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{accepted, alone, anywhere, refused};

pub(super) const PROPERTY: Property =
    Property::new("struct-034-exceptions", |plan, choices| anywhere(plan, choices, &pieces()))
        .title("removing what keeps a list-map key present or a default valid is rejected")
        .asserts(&["STRUCT-034/e1"])
        .needs(JUDGING)
        .edges(&[
            Edge { name: "examples", plan: |plan| alone(plan, &pieces()) },
            Edge { name: "defaults", plan: |plan| alone(plan, &of_defaults()) },
        ]);

const EDGE: &[&str] = &["STRUCT-034/e1"];

fn pieces() -> Vec<Piece> {
    const MISSING: &[(&str, &str)] = &[(".items.properties[k].default", "Required")];
    let list = |items: Value| json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": items });
    let key = |key: Value| json!({ "k": key });
    let plain = || key(json!({ "type": "string" }));
    let with_default = || key(json!({ "type": "string", "default": "x" }));
    vec![
        accepted(
            "key-with-both",
            EDGE,
            list(json!({ "type": "object", "required": ["k"], "properties": with_default() })),
        ),
        accepted("key-without-required", EDGE, list(json!({ "type": "object", "properties": with_default() }))),
        accepted(
            "key-without-default",
            EDGE,
            list(json!({ "type": "object", "required": ["k"], "properties": plain() })),
        ),
        refused("key-without-either", EDGE, list(json!({ "type": "object", "properties": plain() })), MISSING),
        refused(
            "moved-beside-a-map",
            EDGE,
            json!({ "type": "object", "additionalProperties": { "type": "string" }, "properties": { "a": { "type": "string" } } }),
            &[(".additionalProperties", "Forbidden")],
        ),
        refused(
            "moved-key-of-a-wrong-type",
            EDGE,
            list(
                json!({ "type": "object", "required": ["k"], "properties": key(json!({ "type": "object", "minProperties": 1 })) }),
            ),
            &[(".items.properties[k].type", "Invalid")],
        ),
        refused(
            "moved-kind-of-a-wrong-type",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": { "kind": { "type": "integer", "minimum": 1 } } }),
            &[(".properties[kind].type", "Invalid")],
        ),
    ]
}

/// Not below a map, whose values may have any default (CRDVAL-054).
fn of_defaults() -> Vec<Piece> {
    const INVALID: &[(&str, &str)] = &[(".default", "Invalid")];
    let defaulted = |keyword: &str, branches: Value| json!({ "type": "string", "default": "abc", keyword: branches });
    vec![
        accepted("default-beside-not", EDGE, defaulted("not", json!({ "minLength": 5 }))),
        refused("default-beside-an-emptied-not", EDGE, defaulted("not", json!({})), INVALID),
        accepted("default-beside-one-of", EDGE, defaulted("oneOf", json!([{ "minLength": 1 }, { "minLength": 5 }]))),
        refused("default-beside-an-emptied-branch", EDGE, defaulted("oneOf", json!([{ "minLength": 1 }, {}])), INVALID),
    ]
}
