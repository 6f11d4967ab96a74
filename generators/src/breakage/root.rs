//! Rules about the root and its meta fields: STRUCT-001, 004, 005, 008, 010, 017, 018, 019, 022, 024.

use crdible_semantics::Reason::{Forbidden, Invalid, NotSupported, Required};
use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::model::How::{Made, Root};
use super::model::{Breakage, Broken, Causes, ROOT, breakage};
use super::plant;
use crate::choice::Choices;

fn always(_: &Schema) -> bool {
    true
}

/// Whether the root has no keywords that would add further causes.
fn is_bare(root: &Schema) -> bool {
    root.map_type.is_none() && !root.is_preserving()
}

pub(super) static BREAKAGES: &[Breakage] = &[
    breakage("STRUCT-001", None, Root(r#"{"type": null}"#, is_bare, &[(".type", Required)])),
    breakage("STRUCT-001", None, Root(r#"{"type": "string"}"#, is_bare, &[(".type", Invalid)])),
    breakage("STRUCT-001", None, Root(r#"{"type": "integer"}"#, is_bare, &[(".type", Invalid)])),
    breakage("STRUCT-001", Some(3), Root(r#"{"type": "array"}"#, is_bare, &[(".type", Invalid), (".items", Required)])),
    breakage(
        "STRUCT-001",
        Some(3),
        Root(r#"{"type": "int"}"#, is_bare, &[(".type", Invalid), (".type", NotSupported)]),
    ),
    breakage(
        "STRUCT-004",
        None,
        Root(r#"{"additionalProperties": true}"#, always, &[(".additionalProperties", Forbidden)]),
    ),
    breakage(
        "STRUCT-004",
        Some(1),
        Root(
            r#"{"additionalProperties": {"type": "string"}}"#,
            always,
            &[(".additionalProperties", Forbidden), (".additionalProperties", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-004",
        Some(1),
        Root(
            r#"{"additionalProperties": false}"#,
            always,
            &[(".additionalProperties", Forbidden), (".additionalProperties", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-004",
        Some(1),
        Root(
            r#"{"additionalProperties": true, "x-kubernetes-preserve-unknown-fields": true}"#,
            always,
            &[(".additionalProperties", Forbidden)],
        ),
    ),
    breakage("STRUCT-005", None, Made(gap)),
    breakage(
        "STRUCT-005",
        Some(1),
        Root(
            r#"{"allOf": [{"properties": {"undeclared": {"properties": {"deeper": {}}}}}]}"#,
            always,
            &[(".properties[undeclared]", Required)],
        ),
    ),
    breakage(
        "STRUCT-005",
        Some(1),
        Root(
            r#"{"anyOf": [{"properties": {"undeclared": {}}}, {"properties": {"undeclared": {"minimum": 1}}}]}"#,
            always,
            &[(".properties[undeclared]", Required), (".properties[undeclared]", Required)],
        ),
    ),
    breakage(
        "STRUCT-005",
        Some(1),
        Root(
            // Other branches may name it, too.
            r#"{"properties": {"kind": null}, "allOf": null, "anyOf": null, "oneOf": null, "not": {"properties": {"kind": {"minLength": 1}}}}"#,
            always,
            &[(".properties[kind]", Required)],
        ),
    ),
    breakage(
        "STRUCT-005",
        Some(1),
        Root(
            r#"{"x-kubernetes-preserve-unknown-fields": true, "oneOf": [{"properties": {"undeclared": {"minimum": 1}}}]}"#,
            always,
            &[(".properties[undeclared]", Required)],
        ),
    ),
    breakage(
        "STRUCT-010",
        Some(1),
        Root(
            r#"{"properties": {"metadata": null}, "allOf": [{"properties": {"metadata": {"minProperties": 1}}}]}"#,
            always,
            &[(".properties[metadata]", Required), (".allOf[0].properties[metadata]", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-010",
        None,
        Root(
            r#"{"properties": {"metadata": {"type": "object"}}, "anyOf": [{}, {"properties": {"metadata": {}}}]}"#,
            always,
            &[(".anyOf[1].properties[metadata]", Forbidden)],
        ),
    ),
    breakage(
        "STRUCT-017",
        Some(1),
        Root(
            r#"{"properties": {"kind": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}"#,
            always,
            &[(".properties[kind].x-kubernetes-embedded-resource", Forbidden), (".properties[kind].type", Invalid)],
        ),
    ),
    breakage(
        "STRUCT-018",
        None,
        Root(r#"{"properties": {"kind": {"type": "integer"}}}"#, always, &[(".properties[kind].type", Invalid)]),
    ),
    breakage(
        "STRUCT-018",
        None,
        Root(
            r#"{"properties": {"apiVersion": {"type": "object"}}}"#,
            always,
            &[(".properties[apiVersion].type", Invalid)],
        ),
    ),
    breakage("STRUCT-018", None, Made(|_, valid| metadata(valid, json!({"type": "string"}), &[(".type", Invalid)]))),
    breakage(
        "STRUCT-018",
        Some(1),
        Made(|_, valid| metadata(valid, json!({}), &[(".type", Invalid), (".type", Required)])),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Made(|_, valid| meta_field(valid, "kind", json!({}), &[(".type", Invalid), (".type", Required)])),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Made(|_, valid| {
            meta_field(valid, "apiVersion", json!({"x-kubernetes-int-or-string": true}), &[(".type", Invalid)])
        }),
    ),
    breakage(
        "STRUCT-018",
        Some(1),
        Made(|_, valid| {
            meta_field(valid, "kind", json!({"x-kubernetes-preserve-unknown-fields": true}), &[(".type", Invalid)])
        }),
    ),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"description": "d"})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"title": "t"})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"required": ["name"]})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"minProperties": 1})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"maxProperties": 9})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"nullable": true})))),
    breakage("STRUCT-019", None, Made(|_, valid| forbidden_metadata(valid, &json!({"allOf": [{"minProperties": 1}]})))),
    breakage(
        "STRUCT-019",
        None,
        Made(|_, valid| forbidden_metadata(valid, &json!({"x-kubernetes-preserve-unknown-fields": true}))),
    ),
    breakage(
        "STRUCT-019",
        None,
        Made(|_, valid| forbidden_metadata(valid, &json!({"x-kubernetes-map-type": "granular"}))),
    ),
    breakage(
        "STRUCT-019",
        None,
        Made(|_, valid| forbidden_metadata(valid, &json!({"additionalProperties": {"type": "string"}}))),
    ),
    breakage(
        "STRUCT-019",
        None,
        Made(|_, valid| {
            forbidden_metadata(
                valid,
                &json!({"properties": {"name": {"type": "string"}, "labels": {"type": "object"}}}),
            )
        }),
    ),
    breakage(
        "STRUCT-019",
        None,
        // Several errors have one cause.
        Made(|_, valid| {
            forbidden_metadata(
                valid,
                &json!({"description": "d", "minProperties": 1, "properties": {"uid": {"type": "string"}}}),
            )
        }),
    ),
    breakage(
        "STRUCT-019",
        Some(2),
        Made(|_, valid| {
            metadata(
                valid,
                json!({"type": "object", "default": {"name": "a"}, "properties": {"name": {"type": "string"}}}),
                &[(".default", Forbidden)],
            )
        }),
    ),
    breakage(
        "STRUCT-019",
        Some(2),
        Made(|_, valid| {
            let below = json!({"type": "object", "properties": {"name": {"type": "string", "default": "a"}}});
            metadata(valid, below, &[(".properties[name].default", Forbidden)])
        }),
    ),
    breakage("STRUCT-022", Some(1), Root(r#"{"nullable": true}"#, always, &[(".nullable", Forbidden)])),
    breakage(
        "STRUCT-024",
        None,
        Root(r#"{"x-kubernetes-map-type": "set"}"#, always, &[(".x-kubernetes-map-type", NotSupported)]),
    ),
    breakage(
        "STRUCT-024",
        Some(1),
        Root(r#"{"x-kubernetes-map-type": ""}"#, always, &[(".x-kubernetes-map-type", NotSupported)]),
    ),
    breakage("STRUCT-008", None, Root(r#"{"not": {"nullable": true}}"#, always, &[(".not.nullable", Forbidden)])),
    breakage("STRUCT-008", None, Root(r#"{"oneOf": [{"default": 1}]}"#, always, &[(".oneOf[0].default", Forbidden)])),
];

/// Replaces `metadata` of the root.
fn metadata(valid: &Schema, node: Value, causes: Causes) -> Option<Broken> {
    meta_field(valid, "metadata", node, causes)
}

/// Replaces a meta field of the root.
fn meta_field(valid: &Schema, name: &str, node: Value, causes: Causes) -> Option<Broken> {
    let mut json = valid.to_json();
    json.get_mut("properties")?.as_object_mut()?.insert(name.to_owned(), node);
    Some((json, plant::fields(&format!("{ROOT}.properties[{name}]"), causes)))
}

/// Replaces `metadata` of the root by an object with more keywords: one cause at the node.
fn forbidden_metadata(valid: &Schema, more: &Value) -> Option<Broken> {
    let mut node = json!({"type": "object"});
    plant::merge(&mut node, more);
    metadata(valid, node, &[("", Forbidden)])
}

/// A quantifier of the root that follows declared nodes and then mentions an undeclared one.
fn gap(c: &mut Choices, valid: &Schema) -> Option<Broken> {
    let mut path = ROOT.to_owned();
    let mut steps: Vec<Option<String>> = Vec::new();
    let mut node = valid;
    while c.chance(2, 3) {
        let names: Vec<&String> = node.properties.keys().filter(|name| *name != "metadata").collect();
        if let Some(items) = node.item_schema() {
            path.push_str(".items");
            steps.push(None);
            node = items;
        } else if names.is_empty() {
            break;
        } else {
            let name = *c.pick(&names);
            path = format!("{path}.properties[{name}]");
            steps.push(Some(name.clone()));
            node = &node.properties[name];
        }
    }
    let (mut branch, missing) = if node.items.is_none() && c.chance(1, 3) {
        (json!({"items": {"minimum": 1}}), ".items")
    } else {
        (json!({"properties": {"undeclared": {"minimum": 1}}}), ".properties[undeclared]")
    };
    for step in steps.into_iter().rev() {
        branch = match step {
            Some(name) => json!({"properties": {name: branch}}),
            None => json!({"items": branch}),
        };
    }
    let quantifier = *c.pick(&["allOf", "anyOf", "oneOf", "not"]);
    let branches = if quantifier == "not" { branch } else { json!([branch]) };
    let mut json = valid.to_json();
    json.as_object_mut()?.insert(quantifier.to_owned(), branches);
    Some((json, vec![(format!("{path}{missing}"), Required)]))
}
