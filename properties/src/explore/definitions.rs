//! The definitions that explorations use: few enough that most sequences can reuse a pooled one.

use crdible_scenario::Scope;

use crate::prelude::*;

/// A definition with two served versions of one schema with these additional fields, in either scope.
pub(super) fn of(choices: &mut Choices, further: Value) -> Definition {
    let scope = if choices.chance(1, 3) { Scope::Namespaced } else { Scope::Cluster };
    let further = further.as_object().cloned().unwrap_or_default();
    let version = |name: &str| Version {
        name: name.to_owned(),
        storage: name == "v1",
        further: further.clone(),
        ..Version::only(schema())
    };
    Definition { scope, versions: vec![version("v1"), version("v2")], ..Definition::default() }
}

/// The schema of all these definitions.
fn schema() -> Value {
    let of = |kind: &str| json!({ "type": kind });
    json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": {
            "text": { "type": "string", "maxLength": 12 },
            "number": { "type": "integer", "format": "int64", "maximum": 1000 },
            "float": of("number"),
            "flag": of("boolean"),
            "moment": of("string"),
            "nothing": { "type": "string", "nullable": true },
            "filled": { "type": "string", "default": "in" },
            "selector": of("string"),
            "replicas": { "type": "integer", "format": "int32" },
            "words": { "type": "array", "items": of("string"), "x-kubernetes-list-type": "set" },
            "entries": {
                "type": "array",
                "items": { "type": "object", "required": ["name"], "properties": { "name": of("string"), "value": of("integer") } },
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            },
            "map": { "type": "object", "additionalProperties": of("string") },
            "free": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
        } },
        "status": { "type": "object", "properties": {
            "phase": { "type": "string", "enum": ["New", "Done"] },
            "replicas": { "type": "integer", "format": "int32" },
            "selector": of("string"),
            "observed": of("integer"),
        } },
    } })
}

/// Status, scale, both, or neither.
pub(super) fn subresources(choices: &mut Choices) -> Map<String, Value> {
    let mut parts = Map::new();
    if choices.chance(2, 3) {
        parts.insert("status".into(), json!({}));
    }
    match choices.draw(3) {
        0 => {}
        1 => {
            parts.insert(
                "scale".into(),
                json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" }),
            );
        }
        2 => {
            parts.insert("scale".into(), json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector" }));
        }
        _ => {
            parts.insert("scale".into(), json!({ "specReplicasPath": ".spec.number", "statusReplicasPath": ".status.observed", "labelSelectorPath": ".spec.selector" }));
        }
    }
    parts
}
