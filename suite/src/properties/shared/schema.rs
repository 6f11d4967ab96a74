//! Schemas as JSON: the keywords of Kubernetes, and the nodes that most properties build.

use serde_json::{Value, json};

/// `x-kubernetes-preserve-unknown-fields`.
pub(crate) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
/// `x-kubernetes-embedded-resource`.
pub(crate) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
/// `x-kubernetes-int-or-string`.
pub(crate) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// `x-kubernetes-list-type`.
pub(crate) const LIST_TYPE: &str = "x-kubernetes-list-type";
/// `x-kubernetes-list-map-keys`.
pub(crate) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
/// `x-kubernetes-map-type`.
pub(crate) const MAP_TYPE: &str = "x-kubernetes-map-type";

/// An object node with these properties.
pub(crate) fn object_of(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// A root schema whose `spec` is this node.
pub(crate) fn root_of(spec: Value) -> Value {
    object_of(json!({ "spec": spec }))
}

/// A root schema whose `spec` is an object with these properties.
pub(crate) fn spec_of(properties: Value) -> Value {
    root_of(object_of(properties))
}

/// The object with these entries added: a node with further keywords, or a value with further fields.
pub(crate) fn extended(mut object: Value, entries: &Value) -> Value {
    for (key, value) in entries.as_object().into_iter().flatten() {
        object[key] = value.clone();
    }
    object
}

/// The node with a default.
pub(crate) fn with_default(node: &Value, default: &Value) -> Value {
    extended(node.clone(), &json!({ "default": default }))
}
