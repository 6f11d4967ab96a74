//! Inserts a broken part into a valid schema.

use crdible_semantics::{Reason, Schema};
use serde_json::{Map, Value, json};

use super::model::{Broken, Causes, ROOT};
use crate::choice::Choices;
use crate::walk::nodes;

/// The property that holds the broken part; it is in no table of names.
const NAME: &str = "broken";

/// Inserts a node as a property, as `items`, or as the schema of `additionalProperties`, below any object.
pub(super) fn anywhere(c: &mut Choices, valid: &Schema, node: Value, causes: Causes) -> Option<Broken> {
    anywhere_below(c, valid, node, "", causes)
}

/// Like [`anywhere`], with the broken part at the path `below` inside the node.
pub(super) fn anywhere_below(
    c: &mut Choices,
    valid: &Schema,
    node: Value,
    below: &str,
    causes: Causes,
) -> Option<Broken> {
    let (node, step) = match c.weighted(&[3, 1, 1]) {
        0 => (node, ""),
        1 => (json!({"type": "array", "items": node}), ".items"),
        _ => (json!({"type": "object", "additionalProperties": node}), ".additionalProperties"),
    };
    let (json, path) = host(c, valid, node)?;
    Some((json, fields(&format!("{path}{step}{below}"), causes)))
}

/// Inserts a node as a property of any object.
pub(super) fn as_property(c: &mut Choices, valid: &Schema, node: Value, causes: Causes) -> Option<Broken> {
    let (json, path) = host(c, valid, node)?;
    Some((json, fields(&path, causes)))
}

/// Inserts a branch into a quantifier of a node below the root, at any depth; everything that the branches mention is
/// declared.
pub(super) fn in_quantifier(c: &mut Choices, valid: &Schema, branch: Value, causes: Causes) -> Option<Broken> {
    let mut path = String::new();
    let mut branch = branch;
    // From the inside out, so the path is built from its end.
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
        // The last round creates the node's own quantifier.
        if level + 1 == depth {
            merge(&mut branch, &declaring(4));
        }
    }
    let (json, host) = host(c, valid, branch)?;
    Some((json, fields(&format!("{host}{path}"), causes)))
}

/// An object that declares `q` and `metadata`, `depth` levels deep. Only the root's quantifiers must be complete
/// (STRUCT-006); the specification does not cover others, so these are complete too.
fn declaring(depth: usize) -> Value {
    if depth == 0 {
        return json!({"type": "object"});
    }
    json!({"type": "object", "properties": {"q": declaring(depth - 1), "metadata": {"type": "object"}}})
}

/// Adds a property to a random object of the schema. Returns the JSON and the property's path.
fn host(c: &mut Choices, valid: &Schema, node: Value) -> Option<(Value, String)> {
    let is_meta = |path: &str| {
        // Other rules apply to meta fields of the root and of embedded resources (STRUCT-017..020).
        path.contains(".properties[metadata]")
    };
    let hosts: Vec<String> = nodes(valid)
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
    let mut json = valid.to_json();
    let host = at(&mut json, valid, path)?;
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
                let is_on_path = wanted.len() == below.len() || wanted[below.len()..].starts_with('.');
                if inner && is_on_path {
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

/// Applies a merge patch (RFC 7386): null removes.
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

/// The causes with full field paths.
pub(super) fn fields(path: &str, causes: Causes) -> Vec<(String, Reason)> {
    causes.iter().map(|(field, reason)| (format!("{path}{field}"), *reason)).collect()
}
