//! 2.7: list types and map types.

use std::collections::HashSet;

use super::{Node, node::report_at};
use crate::{
    FieldPath,
    Reason::{Invalid, NotSupported, Required},
    Schema, Violation,
};

/// STRUCT-023.
pub fn list_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    let keyword = ("x-kubernetes-list-type", node.schema.list_type.as_deref());
    topology_type(node, keyword, &["atomic", "set", "map"], "array", "STRUCT-023", found);
}

/// STRUCT-024.
pub fn map_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    let keyword = ("x-kubernetes-map-type", node.schema.map_type.as_deref());
    topology_type(node, keyword, &["granular", "atomic"], "object", "STRUCT-024", found);
}

fn topology_type(
    node: &Node<'_>,
    (keyword, value): (&str, Option<&str>),
    allowed: &[&str],
    type_name: &str,
    requirement: &'static str,
    found: &mut Vec<Violation>,
) {
    let Some(value) = value else { return };
    if node.schema.type_name != type_name {
        let reason = if node.schema.type_name.is_empty() { Required } else { Invalid };
        node.report_keyword(found, "type", reason, requirement, &format!("must be {type_name} with {keyword}"));
    }
    if !allowed.contains(&value) {
        let detail = format!("must be one of {}", allowed.join(", "));
        node.report_keyword(found, keyword, NotSupported, requirement, &detail);
    }
}

/// STRUCT-025.
pub fn keys_imply_map(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.list_map_keys.is_empty() {
        return;
    }
    let reason = match node.schema.list_type.as_deref() {
        Some("map") => return,
        Some(_) => Invalid,
        None => Required,
    };
    let detail = "must be map with x-kubernetes-list-map-keys";
    node.report_keyword(found, "x-kubernetes-list-type", reason, "STRUCT-025", detail);
}

/// STRUCT-026.
pub fn set_items(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    let Some(items) =
        schema.item_schema().filter(|_| schema.type_name == "array" && schema.list_type.as_deref() == Some("set"))
    else {
        return;
    };
    let keyword = match items.type_name.as_str() {
        "array" if !matches!(items.list_type.as_deref(), None | Some("atomic")) => "x-kubernetes-list-type",
        "object" if items.map_type.as_deref() != Some("atomic") => "x-kubernetes-map-type",
        _ => return,
    };
    let path = node.path.name("items");
    report_at(found, &path.name(keyword), Invalid, "STRUCT-026", "elements of a set must be atomic");
}

/// STRUCT-027.
pub fn map_list_form(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    if schema.list_type.as_deref() != Some("map") {
        return;
    }
    if schema.list_map_keys.is_empty() {
        node.report_keyword(found, "x-kubernetes-list-map-keys", Required, "STRUCT-027", "a map list needs keys");
    }
    match (&schema.items, schema.item_schema()) {
        (None, _) => {
            node.report_keyword(found, "items", Required, "STRUCT-027", "a map list needs the schema of its elements")
        }
        (Some(_), None) => {
            node.report_keyword(found, "items", Invalid, "STRUCT-027", "must be a single schema in a map list");
        }
        (_, Some(items)) if items.type_name != "object" => {
            let path = node.path.name("items");
            report_at(found, &path.name("type"), Invalid, "STRUCT-027", "elements of a map list must be objects");
        }
        _ => {}
    }
}

/// STRUCT-028.
pub fn map_list_keys(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    let Some(items) =
        schema.item_schema().filter(|items| schema.list_type.as_deref() == Some("map") && items.type_name == "object")
    else {
        return;
    };
    let list = node.path.name("items");
    let properties = list.name("properties");
    let mut seen = HashSet::new();
    for key in &schema.list_map_keys {
        match items.properties.get(key) {
            None => {
                let detail = format!("{key:?} is no property");
                node.report_keyword(found, "x-kubernetes-list-map-keys", Invalid, "STRUCT-028", &detail);
            }
            Some(property) if matches!(property.type_name.as_str(), "array" | "object") => {
                report_at(found, &properties.key(key).name("type"), Invalid, "STRUCT-028", "a key must be a scalar");
            }
            Some(_) => {}
        }
        if !seen.insert(key) {
            let detail = format!("{key:?} is repeated");
            node.report_keyword(found, "x-kubernetes-list-map-keys", Invalid, "STRUCT-028", &detail);
        }
    }
}

/// STRUCT-029.
pub fn keys_always_present(node: &Node<'_>, found: &mut Vec<Violation>) {
    let Some(items) = node.schema.item_schema() else { return };
    for_each_key(node, &mut |key, path| {
        let FieldPath::Key(_, name) = path else { return };
        if key.default.is_none() && !items.values.required.iter().any(|required| required == name) {
            report_at(found, &path.name("default"), Required, "STRUCT-029", "a key must be required or have a default");
        }
    });
}

/// Visits the properties that the keys of a map list name, once per key.
pub(super) fn for_each_key(node: &Node<'_>, visit: &mut dyn FnMut(&Schema, &FieldPath<'_>)) {
    let schema = node.schema;
    let Some(items) = schema.item_schema().filter(|_| schema.list_type.as_deref() == Some("map")) else { return };
    let list = node.path.name("items");
    let properties = list.name("properties");
    for key in &schema.list_map_keys {
        if let Some(property) = items.properties.get(key) {
            visit(property, &properties.key(key));
        }
    }
}
