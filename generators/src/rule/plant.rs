//! Inserts a broken part into a valid schema.

use crdible_semantics::{Cause, Schema, pointer};
use serde_json::{Value, json};

use super::row::{Broken, Row, Site};
use crate::choice::Choices;

/// The prefix of all field paths.
pub(super) const ROOT: &str = "openAPIV3Schema";

/// The property that holds the broken part; it is in no table of names.
const NAME: &str = "broken";

/// The properties of the root that other rules are about (STRUCT-017..020).
const META: &[&str] = &["apiVersion", "kind", "metadata"];

/// Violates a rule in a valid schema as a row says; `None` if the schema has no place for it.
pub(super) fn planted(c: &mut Choices, valid: &Schema, row: &Row) -> Option<Broken> {
    match row.site {
        Site::Node | Site::Branch => {
            let (node, causes) = row.drawn(c);
            anywhere(c, valid, node, causes)
        }
        Site::Root => Some((with_keywords(valid.to_json(), &row.schema), row.causes_at(ROOT))),
        Site::BareRoot => Some((bare_root(&valid.to_json(), &row.schema), row.causes_at(ROOT))),
        Site::Whole => None,
        Site::Made(make) => make(c, valid),
    }
}

/// Inserts a node as a property, as `items`, or as the schema of `additionalProperties`, below any object. The causes
/// have paths relative to the node.
pub(super) fn anywhere(c: &mut Choices, valid: &Schema, node: Value, mut causes: Vec<Cause>) -> Option<Broken> {
    let (node, step) = match c.weighted(&[3, 1, 1]) {
        0 => (node, ""),
        1 => (json!({ "type": "array", "items": node }), ".items"),
        _ => (json!({ "type": "object", "additionalProperties": node }), ".additionalProperties"),
    };
    let mut json = valid.to_json();
    let mut hosts = Vec::new();
    add_hosts(&json, (String::new(), ROOT.to_owned()), &mut hosts);
    if hosts.is_empty() {
        return None;
    }
    let (pointer, path) = c.pick(&hosts);
    json.pointer_mut(pointer)?["properties"][NAME] = node;
    for cause in &mut causes {
        cause.field.insert_str(0, &format!("{path}.properties[{NAME}]{step}"));
    }
    Some((json, causes))
}

/// The pointers and paths of all objects that can get one more property. Fields named metadata are left out: other
/// rules apply to those of the root and of embedded resources (STRUCT-017..020).
fn add_hosts(node: &Value, (pointer, path): (String, String), found: &mut Vec<(String, String)>) {
    for (name, property) in node["properties"].as_object().into_iter().flatten() {
        if name != "metadata" {
            let pointer = pointer::join(&format!("{pointer}/properties"), name);
            add_hosts(property, (pointer, format!("{path}.properties[{name}]")), found);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = node.get(keyword).filter(|child| child.is_object()) {
            add_hosts(child, (format!("{pointer}/{keyword}"), format!("{path}.{keyword}")), found);
        }
    }
    if node["type"] == "object" && node["additionalProperties"].is_null() {
        found.push((pointer, path));
    }
}

/// A root with these keywords, and with the properties of another root that it does not declare itself, except for meta
/// fields.
pub fn bare_root(host: &Value, keywords: &Value) -> Value {
    let mut root = json!({ "type": "object" });
    for (name, property) in host["properties"].as_object().into_iter().flatten() {
        if !META.contains(&name.as_str()) {
            root["properties"][name] = property.clone();
        }
    }
    with_keywords(root, keywords)
}

/// The root with these keywords and properties instead of its own.
fn with_keywords(mut root: Value, keywords: &Value) -> Value {
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(properties) if keyword == "properties" => {
                for (name, property) in properties {
                    root["properties"][name] = property.clone();
                }
            }
            _ => root[keyword] = value.clone(),
        }
    }
    root
}
