//! Schemas as JSON: the keywords of Kubernetes, and the nodes that most properties build.

use serde_json::{Value, json};

/// `x-kubernetes-preserve-unknown-fields`.
pub const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
/// `x-kubernetes-embedded-resource`.
pub const EMBEDDED: &str = "x-kubernetes-embedded-resource";
/// `x-kubernetes-int-or-string`.
pub const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// `x-kubernetes-list-type`.
pub const LIST_TYPE: &str = "x-kubernetes-list-type";
/// `x-kubernetes-list-map-keys`.
pub const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
/// `x-kubernetes-map-type`.
pub const MAP_TYPE: &str = "x-kubernetes-map-type";

/// `x-kubernetes-validations`.
pub const RULES: &str = "x-kubernetes-validations";

/// An object node with these properties.
pub fn object_of(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// A root schema whose `spec` is this node.
pub fn root_of(spec: Value) -> Value {
    object_of(json!({ "spec": spec }))
}

/// A root schema whose `spec` is an object with these properties.
pub fn spec_of(properties: Value) -> Value {
    root_of(object_of(properties))
}

/// The object with these entries added: a node with further keywords, or a value with further fields.
pub fn extended(mut object: Value, entries: &Value) -> Value {
    for (key, value) in entries.as_object().into_iter().flatten() {
        object[key] = value.clone();
    }
    object
}

/// The node with a default.
pub fn with_default(node: &Value, default: &Value) -> Value {
    extended(node.clone(), &json!({ "default": default }))
}
