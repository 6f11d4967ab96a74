//! 2.7: list types and map types.

use std::collections::HashSet;

use super::{Node, node::report_at};
use crate::{
    FieldPath,
    Reason::{Invalid, NotSupported, Required},
    Schema, Violation,
    go_text::quoted,
    message,
    schema::shown,
};

/// STRUCT-023.
pub fn list_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    let keyword = ("x-kubernetes-list-type", node.schema.list_type.as_deref());
    topology_type(node, keyword, &["atomic", "set", "map"], "array", "STRUCT-023", found);
}

/// STRUCT-024.
pub fn map_type(node: &Node<'_>, found: &mut Vec<Violation>) {
    let keyword = ("x-kubernetes-map-type", node.schema.map_type.as_deref());
    topology_type(node, keyword, &["atomic", "granular"], "object", "STRUCT-024", found);
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
        node.report_type(found, requirement, &format!("must be {type_name} if {keyword} is specified"));
    }
    if !allowed.contains(&value) {
        let detail = message::unsupported(quoted(value), allowed.iter().copied());
        node.report_keyword(found, keyword, NotSupported, requirement, &detail);
    }
}

/// STRUCT-025.
pub fn keys_imply_map(node: &Node<'_>, found: &mut Vec<Violation>) {
    if node.schema.list_map_keys.is_empty() {
        return;
    }
    let rule = "must be map if x-kubernetes-list-map-keys is non-empty";
    let (reason, detail) = match node.schema.list_type.as_deref() {
        Some("map") => return,
        Some(other) => (Invalid, message::about_text(other, rule)),
        None => (Required, rule.to_owned()),
    };
    node.report_keyword(found, "x-kubernetes-list-type", reason, "STRUCT-025", &detail);
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
    // Upstream shows the list type in both cases.
    let shown = items.list_type.as_deref().map_or_else(|| "null".to_owned(), quoted);
    let detail = message::about(shown, "must be atomic as item of a list with x-kubernetes-list-type=set");
    report_at(found, &path.name(keyword), Invalid, "STRUCT-026", &detail);
}

/// STRUCT-027.
pub fn map_list_form(node: &Node<'_>, found: &mut Vec<Violation>) {
    let schema = node.schema;
    if schema.list_type.as_deref() != Some("map") {
        return;
    }
    if schema.list_map_keys.is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        node.report_keyword(found, "x-kubernetes-list-map-keys", Required, "STRUCT-027", detail);
    }
    match (&schema.items, schema.item_schema()) {
        (None, _) => {
            let detail = "must have a schema if x-kubernetes-list-type is map";
            node.report_keyword(found, "items", Required, "STRUCT-027", detail);
        }
        (Some(_), None) => {
            let shown = shown::items(&schema.to_json()["items"]);
            let fault = "must only have a single schema if x-kubernetes-list-type is map";
            node.report_keyword(found, "items", Invalid, "STRUCT-027", &message::about(shown, fault));
        }
        (_, Some(items)) if items.type_name != "object" => {
            let path = node.path.name("items");
            let rule = "must be object if parent array's x-kubernetes-list-type is map";
            let detail = message::about_text(&items.type_name, rule);
            report_at(found, &path.name("type"), Invalid, "STRUCT-027", &detail);
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
    let report_keys = |rule: &str, found: &mut Vec<Violation>| {
        let keys = schema.list_map_keys.iter().map(String::as_str).collect();
        let detail = message::about(message::shown(&keys), rule);
        node.report_keyword(found, "x-kubernetes-list-map-keys", Invalid, "STRUCT-028", &detail);
    };
    let mut seen = HashSet::new();
    for key in &schema.list_map_keys {
        match items.properties.get(key) {
            None => {
                report_keys("entries must all be names of item properties", found);
            }
            Some(property) if matches!(property.type_name.as_str(), "array" | "object") => {
                // Upstream shows the type of the elements.
                let rule = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                let detail = message::about_text(&items.type_name, rule);
                report_at(found, &properties.key(key).name("type"), Invalid, "STRUCT-028", &detail);
            }
            Some(_) => {}
        }
        if !seen.insert(key) {
            report_keys("must not contain duplicate entries", found);
        }
    }
}

/// STRUCT-029.
pub fn keys_always_present(node: &Node<'_>, found: &mut Vec<Violation>) {
    let Some(items) = node.schema.item_schema() else { return };
    for_each_key(node, &mut |key, path| {
        let FieldPath::Key(_, name) = path else { return };
        if key.default.is_none() && !items.values.required.iter().any(|required| required == name) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required \
                          property";
            report_at(found, &path.name("default"), Required, "STRUCT-029", detail);
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
