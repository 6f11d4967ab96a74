//! Rules about nodes below the root: STRUCT-002, 003, 004, 013, 016, 017, 018, 024.

use crdible_semantics::Reason::{Forbidden, Invalid, NotSupported, Required};

use super::model::How::{Node, Property};
use super::model::{Breakage, Causes, breakage};

const UNTYPED: Causes = &[(".type", Required)];
const NO_ITEMS: Causes = &[(".items", Required)];
const NO_MAP: Causes = &[(".additionalProperties", Forbidden)];

pub(super) static BREAKAGES: &[Breakage] = &[
    breakage("STRUCT-002", None, Node(r#"{"properties": {"x": {"type": "string"}}}"#, UNTYPED)),
    breakage("STRUCT-002", None, Node(r#"{"minLength": 1}"#, UNTYPED)),
    breakage(
        "STRUCT-002",
        None,
        Node(r#"{"type": "object", "properties": {"x": {"maximum": 1}}}"#, &[(".properties[x].type", Required)]),
    ),
    breakage("STRUCT-002", Some(1), Node("{}", UNTYPED)),
    breakage("STRUCT-002", Some(1), Node(r#"{"description": "x"}"#, UNTYPED)),
    breakage("STRUCT-002", Some(1), Node(r#"{"nullable": true}"#, UNTYPED)),
    breakage("STRUCT-002", Some(1), Node(r#"{"enum": ["red"]}"#, UNTYPED)),
    breakage("STRUCT-002", Some(1), Node(r#"{"type": ""}"#, UNTYPED)),
    breakage("STRUCT-002", Some(1), Property("null", UNTYPED)),
    breakage("STRUCT-003", None, Node(r#"{"type": "array"}"#, NO_ITEMS)),
    breakage("STRUCT-003", None, Node(r#"{"type": "array", "minItems": 1, "nullable": true}"#, NO_ITEMS)),
    breakage(
        "STRUCT-003",
        Some(1),
        Node(r#"{"type": "array", "x-kubernetes-preserve-unknown-fields": true}"#, NO_ITEMS),
    ),
    breakage("STRUCT-003", Some(1), Node(r#"{"type": "array", "items": []}"#, NO_ITEMS)),
    breakage("STRUCT-003", Some(1), Node(r#"{"type": "array", "items": null}"#, NO_ITEMS)),
    breakage("STRUCT-003", Some(1), Node(r#"{"type": "object", "items": {}}"#, &[(".items.type", Required)])),
    breakage(
        "STRUCT-003",
        Some(1),
        Node(r#"{"type": "string", "items": {"minimum": 1}}"#, &[(".items.type", Required)]),
    ),
    breakage(
        "STRUCT-004",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
                "additionalProperties": {"type": "string"}}"#,
            NO_MAP,
        ),
    ),
    breakage(
        "STRUCT-004",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"x": {"type": "string"}}, "additionalProperties": true}"#,
            NO_MAP,
        ),
    ),
    breakage(
        "STRUCT-004",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"x": {"type": "string"}},
                "additionalProperties": {"type": "string"}}"#,
            &[(".additionalProperties", Forbidden), (".additionalProperties", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-013",
        None,
        Node(
            r#"{"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true}"#,
            &[(".x-kubernetes-preserve-unknown-fields", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-013",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true, "properties": {"x": {"type": "string"}}}"#,
            &[(".x-kubernetes-embedded-resource", Invalid), (".type", Required)],
        ),
    ),
    breakage(
        "STRUCT-013",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}"#,
            &[
                (".x-kubernetes-preserve-unknown-fields", Invalid),
                (".x-kubernetes-embedded-resource", Invalid),
                (".type", Required),
            ],
        ),
    ),
    breakage(
        "STRUCT-016",
        None,
        Node(r#"{"type": "object", "x-kubernetes-embedded-resource": true}"#, &[(".properties", Required)]),
    ),
    breakage(
        "STRUCT-016",
        None,
        Node(
            r#"{"type": "string", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}"#,
            &[(".type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-016",
        None,
        Node(
            r#"{"type": "integer", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}}"#,
            &[(".type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-016",
        Some(1),
        Node(r#"{"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}"#, UNTYPED),
    ),
    breakage(
        "STRUCT-016",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {}}"#,
            &[(".properties", Required)],
        ),
    ),
    breakage(
        "STRUCT-016",
        Some(1),
        Node(
            r#"{"type": "string", "x-kubernetes-embedded-resource": true}"#,
            &[(".type", Invalid), (".properties", Required)],
        ),
    ),
    breakage(
        "STRUCT-017",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object",
                "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}"#,
            &[(".properties[metadata].x-kubernetes-embedded-resource", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-017",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "properties": {
                "x": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}}}"#,
            &[(".properties[metadata].properties[x].x-kubernetes-embedded-resource", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-017",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "properties": {
                "x": {"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}}}}"#,
            &[(".properties[metadata].properties[x].items.x-kubernetes-embedded-resource", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-017",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "additionalProperties":
                {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}}}}}"#,
            &[(".properties[metadata].additionalProperties.x-kubernetes-embedded-resource", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-017",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "object",
                "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}"#,
            &[(".properties[kind].x-kubernetes-embedded-resource", Forbidden), (".properties[kind].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"apiVersion": {"type": "integer"}}}"#,
            &[(".properties[apiVersion].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "boolean"}}}"#,
            &[(".properties[kind].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        None,
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "string"}}}"#,
            &[(".properties[metadata].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {}}}"#,
            &[(".properties[kind].type", Invalid), (".properties[kind].type", Required)],
        ),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"x-kubernetes-preserve-unknown-fields": true}}}"#,
            &[(".properties[metadata].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"apiVersion": {"x-kubernetes-int-or-string": true}}}"#,
            &[(".properties[apiVersion].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-024",
        None,
        Node(r#"{"type": "object", "x-kubernetes-map-type": "map"}"#, &[(".x-kubernetes-map-type", NotSupported)]),
    ),
    breakage(
        "STRUCT-024",
        None,
        Node(r#"{"type": "string", "x-kubernetes-map-type": "atomic"}"#, &[(".type", Invalid)]),
    ),
];
