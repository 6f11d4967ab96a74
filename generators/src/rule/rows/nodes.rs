//! Kubernetes' keywords, and the nodes that most rows build.

use serde_json::{Value, json};

pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
pub(super) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
pub(super) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(super) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";

pub(super) fn string() -> Value {
    json!({ "type": "string" })
}

pub(super) fn nullable() -> Value {
    json!({ "type": "string", "nullable": true })
}

/// An object with these properties.
pub(super) fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// An embedded resource with these properties.
pub(super) fn embedded(properties: Value) -> Value {
    json!({ "type": "object", EMBEDDED: true, "properties": properties })
}

/// An embedded resource that preserves unknown fields.
pub(super) fn resource() -> Value {
    json!({ "type": "object", EMBEDDED: true, PRESERVE: true })
}

pub(super) fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

pub(super) fn set(items: Value) -> Value {
    json!({ "type": "array", LIST_TYPE: "set", "items": items })
}

/// A map list with these keys.
pub(super) fn map_list(keys: &[&str], items: Value) -> Value {
    json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys, "items": items })
}

/// An object that requires `k`, with these properties.
pub(super) fn keyed(properties: Value) -> Value {
    json!({ "type": "object", "required": ["k"], "properties": properties })
}

/// The node with further keywords.
pub(super) fn with(mut node: Value, keywords: &Value) -> Value {
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        node[keyword] = value.clone();
    }
    node
}
