//! Putting a broken part somewhere into a valid schema.

use crdible_semantics::{Reason, Schema};
use serde_json::{Map, Value, json};

use super::{Broken, Causes, ROOT};
use crate::choice::Choices;
use crate::edit::nodes;

/// The property that holds what is broken; no table of names has it.
const NAME: &str = "broken";

/// As a property, as `items`, or as the schema of `additionalProperties`, below any object.
pub(super) fn anywhere(c: &mut Choices, whole: &Schema, node: Value, causes: Causes) -> Option<Broken> {
    anywhere_below(c, whole, node, "", causes)
}

/// The same, the broken part being so far below the node.
pub(super) fn anywhere_below(
    c: &mut Choices,
    whole: &Schema,
    node: Value,
    below: &str,
    causes: Causes,
) -> Option<Broken> {
    let (node, behind) = match c.weighted(&[3, 1, 1]) {
        0 => (node, ""),
        1 => (json!({"type": "array", "items": node}), ".items"),
        _ => (json!({"type": "object", "additionalProperties": node}), ".additionalProperties"),
    };
    let (json, path) = host(c, whole, node)?;
    Some((json, fields(&format!("{path}{behind}{below}"), causes)))
}

pub(super) fn as_property(c: &mut Choices, whole: &Schema, node: Value, causes: Causes) -> Option<Broken> {
    let (json, path) = host(c, whole, node)?;
    Some((json, fields(&path, causes)))
}

/// As a branch of a quantifier of a node below the root, at any depth; whatever the branch and those around it mention is declared.
pub(super) fn in_quantifier(c: &mut Choices, whole: &Schema, branch: Value, causes: Causes) -> Option<Broken> {
    let mut path = String::new();
    let mut branch = branch;
    // From the inside out: so the path is built from the back.
    let depth = 1 + c.draw(1);
    for level in 0..depth {
        if c.chance(1, 3) {
            branch = json!({"properties": {"q": branch}});
            path = format!(".properties[q]{path}");
        }
        let (quantifier, step) =
            *c.pick(&[("allOf", ".allOf[0]"), ("anyOf", ".anyOf[1]"), ("oneOf", ".oneOf[1]"), ("not", ".not")]);
        path = format!("{step}{path}");
        let branches = match quantifier {
            "allOf" => json!([branch]),
            "not" => branch,
            _ => json!([{}, branch]),
        };
        branch = Value::Object(Map::from_iter([(quantifier.to_owned(), branches)]));
        // The last round makes the node's own quantifier.
        if level + 1 == depth {
            merge(&mut branch, &declaring(4));
        }
    }
    let (json, host) = host(c, whole, branch)?;
    Some((json, fields(&format!("{host}{path}"), causes)))
}

/// An object that declares `q` and `metadata`, so many levels deep: completeness is only demanded of the root's quantifiers (STRUCT-006),
/// and whether also of others is left open.
fn declaring(depth: usize) -> Value {
    if depth == 0 {
        return json!({"type": "object"});
    }
    json!({"type": "object", "properties": {"q": declaring(depth - 1), "metadata": {"type": "object"}}})
}

/// Adds a property to a random object of the schema; gives the JSON and the property's path.
fn host(c: &mut Choices, whole: &Schema, node: Value) -> Option<(Value, String)> {
    let is_meta = |path: &str| {
        // Meta fields of the root and of embedded resources have rules of their own (STRUCT-017..020).
        path.contains(".properties[metadata]")
    };
    let hosts: Vec<String> = nodes(whole)
        .into_iter()
        .filter(|node| {
            node.schema.type_name == "object" && node.schema.additional_properties.is_none() && !is_meta(&node.path)
        })
        .map(|node| node.path)
        .collect();
    if hosts.is_empty() {
        return None;
    }
    let path = c.pick(&hosts);
    let mut json = whole.to_json();
    let host = at(&mut json, whole, path)?;
    let properties = host.as_object_mut()?.entry("properties").or_insert_with(|| json!({}));
    properties.as_object_mut()?.insert(NAME.to_owned(), node);
    Some((json, format!("{ROOT}{path}.properties[{NAME}]")))
}

/// The JSON of the node at a path of [`nodes`].
fn at<'a>(json: &'a mut Value, schema: &Schema, wanted: &str) -> Option<&'a mut Value> {
    fn find<'a>(json: &'a mut Value, schema: &Schema, path: &str, wanted: &str) -> Option<&'a mut Value> {
        if path == wanted {
            return Some(json);
        }
        for (name, property) in &schema.properties {
            let below = format!("{path}.properties[{name}]");
            if wanted.starts_with(&below) {
                let inner = json.get("properties")?.get(name).is_some();
                let is_way = wanted.len() == below.len() || wanted[below.len()..].starts_with('.');
                if inner && is_way {
                    return find(json.get_mut("properties")?.get_mut(name)?, property, &below, wanted);
                }
            }
        }
        if let Some(items) = schema.item_schema() {
            let below = format!("{path}.items");
            if wanted.starts_with(&below) {
                return find(json.get_mut("items")?, items, &below, wanted);
            }
        }
        let values = schema.value_schema()?;
        find(json.get_mut("additionalProperties")?, values, &format!("{path}.additionalProperties"), wanted)
    }
    find(json, schema, "", wanted)
}

/// A merge patch (RFC 7386) on a schema: null removes.
pub(super) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    let Value::Object(object) = target else {
        return;
    };
    for (key, value) in patch {
        if value.is_null() {
            object.remove(key);
        } else {
            merge(object.entry(key).or_insert(Value::Null), value);
        }
    }
}

pub(super) fn fields(path: &str, causes: Causes) -> Vec<(String, Reason)> {
    causes.iter().map(|(behind, reason)| (format!("{path}{behind}"), *reason)).collect()
}
