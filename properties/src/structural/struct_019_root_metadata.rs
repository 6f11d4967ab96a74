//! STRUCT-019: root `metadata` may restrict names, and nothing else.

use super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, MAP_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(super) const PROPERTY: Property = Property {
    id: "struct-019-root-metadata",
    title: "root metadata may declare only name and generateName",
    asserts: &["STRUCT-019", "STRUCT-019/e2", "STRUCT-019/e3", "CRDVAL-051"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-019", &pieces()),
};

const RULE: &[&str] = &["STRUCT-019"];
const EDGE: &[&str] = &["STRUCT-019/e2"];
const DOCUMENTATION: &[&str] = &["STRUCT-019", "STRUCT-019/e3"];
const DEFAULTS: &[&str] = &["STRUCT-019/e2", "CRDVAL-051"];
const OFFENCE: &[(&str, &str)] = &[(".properties[metadata]", "Forbidden")];

fn pieces() -> Vec<Piece> {
    let metadata = |node: Value| json!({ "type": "object", "properties": { "metadata": node } });
    let mut pieces = vec![
        accepted("bare", RULE, metadata(json!({ "type": "object" }))),
        accepted(
            "names",
            RULE,
            metadata(
                json!({ "type": "object", "properties": { "name": { "type": "string" }, "generateName": { "type": "string" } } }),
            ),
        ),
        accepted(
            "restricted-names",
            EDGE,
            metadata(
                json!({ "type": "object", "properties": { "name": { "type": "string", "pattern": "^a", "maxLength": 5, "enum": ["a"] } } }),
            ),
        ),
        accepted(
            "free-names",
            EDGE,
            metadata(json!({ "type": "object", "properties": {
                "name": { "type": "integer", "description": "x", "nullable": true },
                "generateName": { "type": "array", "items": { "type": "string" } },
            } })),
        ),
        accepted(
            "zeros",
            EDGE,
            metadata(
                json!({ "type": "object", "properties": {}, "nullable": false, "description": "", "enum": [], "default": null }),
            ),
        ),
        refused(
            "default",
            DEFAULTS,
            metadata(json!({ "type": "object", "default": {} })),
            &[(".properties[metadata].default", "Forbidden")],
        ),
        refused(
            "default-of-name",
            DEFAULTS,
            metadata(json!({ "type": "object", "properties": { "name": { "type": "string", "default": "a" } } })),
            &[(".properties[metadata].properties[name].default", "Forbidden")],
        ),
        refused(
            "wrong-type",
            RULE,
            metadata(json!({ "type": "string" })),
            &[(".properties[metadata].type", "Invalid")],
        ),
        refused(
            "wrong-type-and-more",
            RULE,
            metadata(json!({ "type": "string", "description": "x" })),
            &[(".properties[metadata]", "Forbidden"), (".properties[metadata].type", "Invalid")],
        ),
    ];
    for (name, keyword, value) in [
        ("description", "description", json!("x")),
        ("title", "title", json!("x")),
        ("example", "example", json!({})),
        ("external-docs", "externalDocs", json!({ "url": "https://example.com" })),
        ("nullable", "nullable", json!(true)),
        ("required", "required", json!(["name"])),
        ("max-properties", "maxProperties", json!(9)),
        ("min-properties", "minProperties", json!(0)),
        ("enum", "enum", json!([{}])),
        ("format", "format", json!("x")),
        ("pattern", "pattern", json!("a")),
        ("all-of", "allOf", json!([{}])),
        ("any-of", "anyOf", json!([{ "required": ["name"] }])),
        ("one-of", "oneOf", json!([{}])),
        ("not", "not", json!({})),
        ("items", "items", json!({ "type": "string" })),
        ("additional-properties", "additionalProperties", json!({ "type": "string" })),
        ("additional-properties-true", "additionalProperties", json!(true)),
        ("preserving", PRESERVE, json!(true)),
        ("int-or-string", INT_OR_STRING, json!(true)),
        ("map-type", MAP_TYPE, json!("granular")),
        ("labels", "properties", json!({ "labels": { "type": "object" } })),
        ("labels-beside-name", "properties", json!({ "name": { "type": "string" }, "labels": { "type": "object" } })),
        ("namespace", "properties", json!({ "namespace": { "type": "string" } })),
    ] {
        let asserts = if matches!(keyword, "example" | "externalDocs") { DOCUMENTATION } else { RULE };
        pieces.push(refused(name, asserts, metadata(json!({ "type": "object", keyword: value })), OFFENCE));
    }
    let many = json!({ "type": "object", "description": "x", "required": ["name"], "nullable": true, "properties": { "labels": { "type": "object" }, "uid": { "type": "string" } } });
    pieces.push(refused("many-offences", RULE, metadata(many), OFFENCE));
    pieces.into_iter().map(Piece::at_root).collect()
}
