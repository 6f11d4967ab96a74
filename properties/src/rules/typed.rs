//! The nodes of generated schemas that may have rules.

use crate::prelude::*;

/// A node that has a type for rules (CEL-011), outside of nodes that have none.
#[derive(Clone, Debug)]
pub(super) struct TypedNode {
    /// Where it is in the document of the schema.
    pub(super) pointer: String,
    /// Its path as causes write it.
    pub(super) path: String,
}

/// All of them. Not below nodes without a type, and not in `items` or `properties` of nodes of another type, where
/// rules mean nothing (CEL-008); nor the root's metadata, which takes no keywords (STRUCT-019).
pub(super) fn typed_nodes(schema: &Value) -> Vec<TypedNode> {
    let mut found = Vec::new();
    let mut next = vec![(schema, TypedNode { pointer: String::new(), path: "openAPIV3Schema".to_owned() })];
    while let Some((node, place)) = next.pop() {
        let mut visit = |child, pointer: String, path: String| {
            let pointer = format!("{}/{pointer}", place.pointer);
            next.push((child, TypedNode { pointer, path: format!("{}{path}", place.path) }));
        };
        let type_name = node.get("type").and_then(Value::as_str).unwrap_or_default();
        if type_name == "object" {
            for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let is_root_metadata = place.pointer.is_empty() && name == "metadata";
                if !is_root_metadata {
                    visit(property, format!("properties/{}", pointer::escape(name)), format!(".properties[{name}]"));
                }
            }
            if let Some(values) = node.get("additionalProperties").filter(|values| values.is_object()) {
                visit(values, "additionalProperties".to_owned(), ".additionalProperties".to_owned());
            }
        }
        if let Some(items) = node.get("items").filter(|_| type_name == "array") {
            visit(items, "items".to_owned(), ".items".to_owned());
        }
        if has_type(node) {
            found.push(place);
        }
    }
    found
}

/// Whether the node has a type, and so have its elements or values, if it is a list or a map.
fn has_type(node: &Value) -> bool {
    match node.get("type").and_then(Value::as_str) {
        Some("array") => node.get("items").is_some_and(has_type),
        Some("object") => {
            let values = node.get("additionalProperties").filter(|values| values.is_object());
            values.is_none_or(has_type)
        }
        Some(_) => true,
        None => node.get(INT_OR_STRING) == Some(&json!(true)),
    }
}

/// The schema with this rule at each of these nodes.
pub(super) fn ruled_at(schema: &Value, nodes: &[TypedNode], entry: &Value) -> Value {
    let mut schema = schema.clone();
    for node in nodes {
        if let Some(found) = schema.pointer_mut(&node.pointer) {
            found[RULES] = json!([entry]);
        }
    }
    schema
}
