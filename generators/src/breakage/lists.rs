//! Rules about list types and map types: STRUCT-023..033.

use crdible_semantics::Reason::{Forbidden, Invalid, NotSupported, Required};
use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::model::How::{Made, Node};
use super::model::{Breakage, Broken, Causes, breakage, parsed};
use super::plant;
use crate::choice::Choices;

const KEYS: &str = ".x-kubernetes-list-map-keys";
const LIST_TYPE: &str = ".x-kubernetes-list-type";
const KEY_TYPE: &str = ".items.properties[k].type";
const KEY_DEFAULT: Causes = &[(".items.properties[k].default", Required)];

pub(super) static BREAKAGES: &[Breakage] = &[
    breakage(
        "STRUCT-023",
        None,
        Node(
            r#"{"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "list"}"#,
            &[(LIST_TYPE, NotSupported)],
        ),
    ),
    breakage(
        "STRUCT-023",
        None,
        Node(r#"{"type": "string", "x-kubernetes-list-type": "atomic"}"#, &[(".type", Invalid)]),
    ),
    breakage("STRUCT-023", None, Node(r#"{"type": "object", "x-kubernetes-list-type": "set"}"#, &[(".type", Invalid)])),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(
            r#"{"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": ""}"#,
            &[(LIST_TYPE, NotSupported)],
        ),
    ),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(
            r#"{"type": "object", "x-kubernetes-list-type": "list"}"#,
            &[(LIST_TYPE, NotSupported), (".type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(
            r#"{"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-list-type": "atomic"}"#,
            &[(".type", Required)],
        ),
    ),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(r#"{"x-kubernetes-int-or-string": true, "x-kubernetes-list-type": "atomic"}"#, &[(".type", Required)]),
    ),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(r#"{"x-kubernetes-list-type": "atomic"}"#, &[(".type", Required), (".type", Required)]),
    ),
    breakage(
        "STRUCT-023",
        Some(1),
        Node(
            r#"{"type": "object", "items": {"type": "object"}, "x-kubernetes-list-type": "set"}"#,
            &[(".type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-024",
        Some(1),
        Node(
            r#"{"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic"}"#,
            &[(".type", Required)],
        ),
    ),
    breakage(
        "STRUCT-024",
        Some(1),
        Node(r#"{"type": "object", "x-kubernetes-map-type": ""}"#, &[(".x-kubernetes-map-type", NotSupported)]),
    ),
    breakage(
        "STRUCT-025",
        None,
        Node(
            r#"{"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}, "x-kubernetes-list-map-keys": ["k"]}"#,
            &[(LIST_TYPE, Required)],
        ),
    ),
    breakage(
        "STRUCT-025",
        None,
        Node(
            r#"{"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["k"]}"#,
            &[(LIST_TYPE, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-025",
        Some(1),
        Node(
            r#"{"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic", "x-kubernetes-list-map-keys": ["k", "k"]}"#,
            &[(LIST_TYPE, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-025",
        Some(1),
        Node(
            r#"{"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "list", "x-kubernetes-list-map-keys": ["k"]}"#,
            &[(LIST_TYPE, NotSupported), (LIST_TYPE, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-026",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "set",
                "items": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}}"#,
            &[(".items.x-kubernetes-list-type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-026",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}"#,
            &[(".items.x-kubernetes-map-type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-026",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "x-kubernetes-map-type": "granular"}}"#,
            &[(".items.x-kubernetes-map-type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-026",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}"#,
            &[(".items.x-kubernetes-map-type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-027",
        None,
        Node(r#"{"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}}"#, &[(KEYS, Required)]),
    ),
    breakage(
        "STRUCT-027",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [], "items": {"type": "object"}}"#,
            &[(KEYS, Required)],
        ),
    ),
    breakage(
        "STRUCT-027",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "string", "properties": {"k": {"type": "string"}}, "required": ["k"]}}"#,
            &[(".items.type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-027",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}"#,
            &[(".items", Required), (".items", Required)],
        ),
    ),
    breakage(
        "STRUCT-027",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"properties": {"k": {"type": "string"}}, "required": ["k"]}}"#,
            &[(".items.type", Invalid), (".items.type", Required)],
        ),
    ),
    breakage(
        "STRUCT-027",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"x-kubernetes-preserve-unknown-fields": true, "properties": {"k": {"type": "string"}}, "required": ["k"]}}"#,
            &[(".items.type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "gone"],
                "items": {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}}"#,
            &[(KEYS, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["gone", "away"],
                "items": {"type": "object", "properties": {"k": {"type": "string"}}}}"#,
            &[(KEYS, Invalid), (KEYS, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "object"}}, "required": ["k"]}}"#,
            &[(KEY_TYPE, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "array", "items": {"type": "string"}}}, "required": ["k"]}}"#,
            &[(KEY_TYPE, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "k"],
                "items": {"type": "object", "properties": {"k": {"type": "integer"}}, "required": ["k"]}}"#,
            &[(KEYS, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "required": ["k"]}}"#,
            &[(KEYS, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-028",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "additionalProperties": {"type": "string"}, "required": ["k"]}}"#,
            &[(KEYS, Invalid)],
        ),
    ),
    breakage(
        "STRUCT-029",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string"}}}}"#,
            KEY_DEFAULT,
        ),
    ),
    breakage(
        "STRUCT-029",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["j", "k"], "items": {"type": "object",
                "properties": {"j": {"type": "string", "default": ""}, "k": {"type": "boolean"}}, "required": ["j"]}}"#,
            KEY_DEFAULT,
        ),
    ),
    breakage(
        "STRUCT-029",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string", "default": null}}}}"#,
            KEY_DEFAULT,
        ),
    ),
    breakage(
        "STRUCT-029",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string"}}, "allOf": [{"required": ["k"]}]}}"#,
            KEY_DEFAULT,
        ),
    ),
    breakage(
        "STRUCT-029",
        Some(1),
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "default": [],
                "items": {"type": "object", "properties": {"k": {"type": "string"}}}}"#,
            KEY_DEFAULT,
        ),
    ),
    breakage(
        "STRUCT-031",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": true}}"#,
            &[(".items.nullable", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-031",
        None,
        Node(
            r#"{"type": "array", "nullable": true, "x-kubernetes-list-type": "set",
                "items": {"type": "object", "x-kubernetes-map-type": "atomic", "nullable": true}}"#,
            &[(".items.nullable", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-031",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "nullable": true, "properties": {"k": {"type": "string"}}, "required": ["k"]}}"#,
            &[(".items.nullable", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-032",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string", "nullable": true}}, "required": ["k"]}}"#,
            &[(".items.properties[k].nullable", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-032",
        None,
        Node(
            r#"{"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "integer", "nullable": true, "default": 1}}}}"#,
            &[(".items.properties[k].nullable", Forbidden)],
        ),
    ),
    breakage("STRUCT-033", None, Made(below_preserving)),
    breakage("STRUCT-033", None, Made(below_embedded)),
    breakage("STRUCT-033", None, Made(below_embedded_metadata)),
];

/// Draws a list that breaks one of the rules, with its causes.
fn any_broken_list(c: &mut Choices) -> Option<(Value, Causes)> {
    let lists: Vec<(&str, Causes)> = BREAKAGES
        .iter()
        .filter_map(|breakage| match breakage.how {
            Node(text, causes) => Some((text, causes)),
            _ => None,
        })
        .collect();
    let (text, causes) = *c.pick(&lists);
    Some((parsed(text)?, causes))
}

fn below_preserving(c: &mut Choices, valid: &Schema) -> Option<Broken> {
    let (list, causes) = any_broken_list(c)?;
    let node = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"x": list}});
    plant::anywhere_below(c, valid, node, ".properties[x]", causes)
}

fn below_embedded(c: &mut Choices, valid: &Schema) -> Option<Broken> {
    let (list, causes) = any_broken_list(c)?;
    let node = json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"x": list}});
    plant::anywhere_below(c, valid, node, ".properties[x]", causes)
}

fn below_embedded_metadata(c: &mut Choices, valid: &Schema) -> Option<Broken> {
    let (list, causes) = any_broken_list(c)?;
    let metadata = json!({"type": "object", "properties": {"x": list}});
    let node = json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": metadata}});
    plant::anywhere_below(c, valid, node, ".properties[metadata].properties[x]", causes)
}
