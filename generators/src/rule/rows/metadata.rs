//! Meta fields, and null: STRUCT-018..020, STRUCT-022.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, Required},
};
use serde_json::{Value, json};

use super::nodes::{
    INT_OR_STRING, LIST_TYPE, MAP_TYPE, PRESERVE, embedded, keyed, list, map_list, nullable, object, resource, set,
    string, with,
};
use crate::rule::row::{Asserts, Row, Site};

pub(super) fn rows() -> Vec<Row> {
    [meta_types(), root_metadata(), embedded_metadata(), null()].into_iter().flatten().collect()
}

fn meta_types() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-018"]);
    const EDGE: Asserts = Asserts(&["STRUCT-018/e1"]);
    const ALLOWED: Asserts = Asserts(&["STRUCT-018/e2"]);
    let version = Cause::of(".properties[apiVersion].type", Invalid);
    let kind = Cause::of(".properties[kind].type", Invalid);
    let metadata = Cause::of(".properties[metadata].type", Invalid);
    let right = || json!({ "apiVersion": string(), "kind": string(), "metadata": { "type": "object" } });
    let wrong = || json!({ "apiVersion": { "type": "boolean" }, "kind": { "type": "integer" }, "metadata": string() });
    let restricted = json!({ "apiVersion": { "type": "string", "maxLength": 3 },
        "kind": { "type": "string", "enum": ["A"], "pattern": "^A" } });
    let mut rows = vec![
        RULE.accepts("root", object(right())).at(Site::Root),
        RULE.accepts("embedded", embedded(right())),
        RULE.accepts("user-fields", object(wrong())),
        ALLOWED.accepts("restricted", object(restricted)).at(Site::Root),
        EDGE.refuses("embedded-preserving-metadata", embedded(json!({ "metadata": { PRESERVE: true } })), &[metadata]),
    ];
    for (asserts, name, properties, causes) in [
        (RULE, "all-wrong", wrong(), [version, kind, metadata].as_slice()),
        (RULE, "wrong-version", json!({ "apiVersion": { "type": "object" } }), &[version]),
        (RULE, "wrong-kind", json!({ "kind": { "type": "integer" } }), &[kind]),
        (RULE, "wrong-metadata", json!({ "metadata": string() }), &[metadata]),
        (EDGE, "untyped-kind", json!({ "kind": {} }), &[kind, Cause::of(".properties[kind].type", Required)]),
        (
            EDGE,
            "nullable-kind",
            json!({ "kind": { "nullable": true } }),
            &[kind, Cause::of(".properties[kind].type", Required)],
        ),
        (
            EDGE,
            "untyped-metadata",
            json!({ "metadata": {} }),
            &[metadata, Cause::of(".properties[metadata].type", Required)],
        ),
        (EDGE, "int-or-string-version", json!({ "apiVersion": { INT_OR_STRING: true } }), &[version]),
        (EDGE, "int-or-string-kind", json!({ "kind": { INT_OR_STRING: true } }), &[kind]),
        (EDGE, "preserving-version", json!({ "apiVersion": { PRESERVE: true } }), &[version]),
        (EDGE, "preserving-kind", json!({ "kind": { PRESERVE: true } }), &[kind]),
    ] {
        rows.push(asserts.refuses(name, embedded(properties.clone()), causes));
        rows.push(asserts.refuses(name, object(properties), causes).at(Site::Root));
    }
    rows
}

fn root_metadata() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-019"]);
    const EDGE: Asserts = Asserts(&["STRUCT-019/e2"]);
    const DOCUMENTATION: Asserts = Asserts(&["STRUCT-019", "STRUCT-019/e3"]);
    const DEFAULTS: Asserts = Asserts(&["STRUCT-019/e2", "CRDVAL-051"]);
    let of = |keywords: Value| object(json!({ "metadata": with(json!({ "type": "object" }), &keywords) }));
    let declaring = |properties: Value| of(json!({ "properties": properties }));
    let (once, mistyped) =
        (Cause::of(".properties[metadata]", Forbidden), Cause::of(".properties[metadata].type", Invalid));
    let default = &[Cause::of(".properties[metadata].default", Forbidden)];
    let restricted = json!({ "name": { "type": "string", "pattern": "^a", "maxLength": 5, "enum": ["a"] } });
    let free =
        json!({ "name": { "type": "integer", "description": "x", "nullable": true }, "generateName": list(string()) });
    let many = json!({ "description": "x", "required": ["name"], "nullable": true, "minProperties": 1,
        "properties": { "labels": { "type": "object" }, "uid": string() } });
    let mut rows = vec![
        RULE.accepts("bare", of(json!({}))),
        RULE.accepts("names", declaring(json!({ "name": string(), "generateName": string() }))),
        EDGE.accepts("restricted-names", declaring(restricted)),
        EDGE.accepts("free-names", declaring(free)),
        EDGE.accepts(
            "zeros",
            of(json!({ "properties": {}, "nullable": false, "description": "", "enum": [], "default": null })),
        ),
        DEFAULTS.refuses("default", of(json!({ "default": {} })), default),
        DEFAULTS.refuses(
            "default-with-a-name",
            of(json!({ "default": { "name": "a" }, "properties": { "name": string() } })),
            default,
        ),
        DEFAULTS.refuses(
            "default-of-name",
            declaring(json!({ "name": { "type": "string", "default": "a" } })),
            &[Cause::of(".properties[metadata].properties[name].default", Forbidden)],
        ),
        RULE.refuses("wrong-type-and-more", of(json!({ "type": "string", "description": "x" })), &[once, mistyped])
            .apart(),
        // Only since 1.36.
        DOCUMENTATION.refuses("example", of(json!({ "example": {} })), &[once]).apart(),
        DOCUMENTATION
            .refuses("external-docs", of(json!({ "externalDocs": { "url": "https://example.com" } })), &[once])
            .apart(),
        RULE.refuses("nullable", of(json!({ "nullable": true })), &[once]).also(&["STRUCT-022"]),
        // Several errors have one cause.
        RULE.refuses("many-offences", of(many), &[once]),
    ];
    for (name, keyword, value) in [
        ("description", "description", json!("x")),
        ("title", "title", json!("x")),
        ("required", "required", json!(["name"])),
        ("max-properties", "maxProperties", json!(9)),
        ("min-properties", "minProperties", json!(0)),
        ("min-properties", "minProperties", json!(1)),
        ("enum", "enum", json!([{}])),
        ("format", "format", json!("x")),
        ("pattern", "pattern", json!("a")),
        ("all-of", "allOf", json!([{}])),
        ("all-of", "allOf", json!([{ "minProperties": 1 }])),
        ("any-of", "anyOf", json!([{ "required": ["name"] }])),
        ("one-of", "oneOf", json!([{}])),
        ("not", "not", json!({})),
        ("items", "items", string()),
        ("additional-properties", "additionalProperties", string()),
        ("additional-properties-true", "additionalProperties", json!(true)),
        ("preserving", PRESERVE, json!(true)),
        ("int-or-string", INT_OR_STRING, json!(true)),
        ("map-type", MAP_TYPE, json!("granular")),
        ("labels", "properties", json!({ "labels": { "type": "object" } })),
        ("labels-beside-name", "properties", json!({ "name": string(), "labels": { "type": "object" } })),
        ("namespace", "properties", json!({ "namespace": string() })),
    ] {
        rows.push(RULE.refuses(name, of(json!({ keyword: value })), &[once]));
    }
    rows.into_iter().map(|row| row.at(Site::Root)).collect()
}

fn embedded_metadata() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-020"]);
    let strings = |keywords: Value| {
        with(json!({ "type": "object", "additionalProperties": { "type": "string", "maxLength": 3 } }), &keywords)
    };
    let plain = || strings(json!({}));
    let with_default = strings(json!({ "default": { "a": "b" } }));
    [
        ("labels", json!({ "properties": { "labels": plain(), "annotations": plain() } })),
        ("any-property", json!({ "properties": { "foo": { "type": "integer" }, "uid": nullable() } })),
        (
            "value-validation",
            json!({ "required": ["name"], "maxProperties": 4,
                "properties": { "name": { "type": "string", "pattern": "^a" } } }),
        ),
        ("map", json!({ "additionalProperties": string() })),
        ("preserving", json!({ PRESERVE: true })),
        ("described", json!({ "description": "x", "title": "y", "nullable": true })),
        ("default", json!({ "default": { "labels": { "a": "b" } } })),
        ("default-of-labels", json!({ "properties": { "labels": with_default } })),
    ]
    .into_iter()
    .map(|(name, keywords)| {
        RULE.accepts(name, embedded(json!({ "metadata": with(json!({ "type": "object" }), &keywords) })))
    })
    .collect()
}

fn null() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-022"]);
    const EDGE: Asserts = Asserts(&["STRUCT-022/e1"]);
    const AT_ROOT: Asserts = Asserts(&["STRUCT-022/e1", "CRDVAL-027"]);
    let with_null = |node: Value| with(node, &json!({ "nullable": true }));
    let mut rows = vec![
        RULE.accepts("list-and-elements", with_null(list(nullable()))),
        RULE.accepts("map-and-values", with_null(json!({ "type": "object", "additionalProperties": nullable() }))),
        RULE.accepts("atomic-list-elements", with(list(nullable()), &json!({ LIST_TYPE: "atomic" })))
            .also(&["STRUCT-031"]),
        RULE.accepts("with-enum", with_null(json!({ "type": "string", "enum": ["a"] }))),
        EDGE.accepts("root-kind", object(json!({ "apiVersion": nullable(), "kind": nullable() }))).at(Site::Root),
        EDGE.accepts("embedded", with_null(resource())),
        EDGE.accepts("set", with_null(set(string()))),
        EDGE.accepts("map-list", with_null(map_list(&["k"], keyed(json!({ "k": string(), "v": nullable() }))))),
        EDGE.accepts("untyped-preserving", json!({ PRESERVE: true, "nullable": true })),
        EDGE.accepts("untyped-int-or-string", json!({ INT_OR_STRING: true, "nullable": true })),
        AT_ROOT
            .refuses("root", json!({ "type": "object", "nullable": true }), &[Cause::of(".nullable", Forbidden)])
            .at(Site::Root),
    ];
    for name in ["string", "integer", "number", "boolean", "object"] {
        rows.push(RULE.accepts("of-a-type", json!({ "type": name, "nullable": true })));
    }
    rows
}
