//! Rules about the contents of quantifiers: STRUCT-008, 010, 011, 012.

use crdible_semantics::Reason::{Forbidden, Required};

use super::model::How::{Branch, Node};
use super::model::{Breakage, Causes, breakage};

const METADATA: Causes = &[(".properties[metadata]", Forbidden)];
const ANY_PAIR: Causes = &[(".anyOf[0].type", Forbidden), (".anyOf[1].type", Forbidden)];

pub(super) static BREAKAGES: &[Breakage] = &[
    breakage("STRUCT-008", None, Branch(r#"{"type": "string"}"#, &[(".type", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"type": "object", "required": ["q"]}"#, &[(".type", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"additionalProperties": {}}"#, &[(".additionalProperties", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"additionalProperties": true}"#, &[(".additionalProperties", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"default": {}}"#, &[(".default", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"default": "x", "minLength": 1}"#, &[(".default", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"title": "t"}"#, &[(".title", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"description": "d"}"#, &[(".description", Forbidden)])),
    breakage("STRUCT-008", None, Branch(r#"{"nullable": true}"#, &[(".nullable", Forbidden)])),
    breakage(
        "STRUCT-008",
        None,
        Branch(
            r#"{"x-kubernetes-preserve-unknown-fields": true}"#,
            &[(".x-kubernetes-preserve-unknown-fields", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-008",
        None,
        Branch(r#"{"x-kubernetes-embedded-resource": true}"#, &[(".x-kubernetes-embedded-resource", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        None,
        Branch(r#"{"x-kubernetes-int-or-string": true}"#, &[(".x-kubernetes-int-or-string", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        None,
        Branch(r#"{"x-kubernetes-validations": [{"rule": "true"}]}"#, &[(".x-kubernetes-validations", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        None,
        Branch(r#"{"nullable": true, "description": "d"}"#, &[(".nullable", Forbidden), (".description", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        None,
        Branch(r#"{"properties": {"q": {"nullable": true}}}"#, &[(".properties[q].nullable", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        Some(2),
        Branch(r#"{"properties": {"q": {}}, "additionalProperties": false}"#, &[(".additionalProperties", Forbidden)]),
    ),
    breakage(
        "STRUCT-008",
        Some(3),
        Branch(
            r#"{"x-kubernetes-list-type": "atomic"}"#,
            &[(".x-kubernetes-list-type", Forbidden), (".type", Required)],
        ),
    ),
    breakage(
        "STRUCT-008",
        Some(3),
        Branch(
            r#"{"type": "array", "x-kubernetes-list-type": "atomic"}"#,
            &[(".x-kubernetes-list-type", Forbidden), (".type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-008",
        Some(3),
        Branch(
            r#"{"x-kubernetes-map-type": "granular"}"#,
            &[(".x-kubernetes-map-type", Forbidden), (".type", Required)],
        ),
    ),
    breakage(
        "STRUCT-008",
        Some(3),
        Branch(
            r#"{"type": "object", "x-kubernetes-map-type": "atomic"}"#,
            &[(".x-kubernetes-map-type", Forbidden), (".type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-008",
        Some(3),
        Branch(
            r#"{"x-kubernetes-list-map-keys": ["k"]}"#,
            &[(".x-kubernetes-list-map-keys", Forbidden), (".x-kubernetes-list-type", Required)],
        ),
    ),
    breakage("STRUCT-010", None, Branch(r#"{"properties": {"metadata": {}}}"#, METADATA)),
    breakage("STRUCT-010", None, Branch(r#"{"properties": {"metadata": {"minProperties": 1}}}"#, METADATA)),
    breakage(
        "STRUCT-010",
        None,
        Branch(
            r#"{"properties": {"q": {"properties": {"metadata": {}}}}}"#,
            &[(".properties[q].properties[metadata]", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-010",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object"}},
                "allOf": [{"properties": {"metadata": {"minProperties": 1}}}]}"#,
            &[(".allOf[0].properties[metadata]", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(r#"{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "string"}, {"type": "integer"}]}"#, ANY_PAIR),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}"#,
            ANY_PAIR,
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}, {}]}"#,
            ANY_PAIR,
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}]}"#,
            &[(".anyOf[0].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "oneOf": [{"type": "integer"}, {"type": "string"}]}"#,
            &[(".oneOf[0].type", Forbidden), (".oneOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"type": "integer"}, {"type": "string"}]}"#,
            &[(".allOf[0].type", Forbidden), (".allOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-011",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "not": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}"#,
            &[(".not.anyOf[0].type", Forbidden), (".not.anyOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-012",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"maxLength": 9}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}]}"#,
            &[(".allOf[1].anyOf[0].type", Forbidden), (".allOf[1].anyOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-012",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}]}]}"#,
            &[(".allOf[0].allOf[0].anyOf[0].type", Forbidden), (".allOf[0].allOf[0].anyOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-012",
        Some(1),
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"oneOf": [{"type": "integer"}, {"type": "string"}]}]}"#,
            &[(".allOf[0].oneOf[0].type", Forbidden), (".allOf[0].oneOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-012",
        None,
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}]}"#,
            &[(".allOf[0].anyOf[0].type", Forbidden), (".allOf[0].anyOf[1].type", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-012",
        None,
        Node(
            r#"{"x-kubernetes-int-or-string": true, "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 9}]}]}"#,
            &[(".allOf[0].anyOf[0].type", Forbidden), (".allOf[0].anyOf[1].type", Forbidden)],
        ),
    ),
];
