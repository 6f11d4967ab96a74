//! Schema nodes by the pattern of the values that they are about: `/spec/a/*`, where `*` is any element or map key, and names are
//! escaped as in JSON pointers.

use crdible_generators::edit;
use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};

const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The nodes below the root that are no meta field of the root or of an embedded resource, and not below one: parents before
/// children, `/spec` first.
pub(super) fn ordinary(root: &Schema) -> Vec<String> {
    let mut patterns: Vec<String> = edit::nodes(root).into_iter().map(|node| node.pattern).collect();
    patterns.retain(|pattern| !pattern.is_empty() && !is_meta(root, pattern));
    patterns.sort_by_key(|pattern| (pattern != "/spec", pattern.matches('/').count()));
    patterns
}

/// Whether a pattern leads to or through a meta field of the root or of an embedded resource.
pub(super) fn is_meta(root: &Schema, pattern: &str) -> bool {
    let mut node = root;
    for (depth, segment) in segments(pattern).enumerate() {
        if (depth == 0 || node.embedded_resource) && META_FIELDS.contains(&segment.as_str()) {
            return true;
        }
        let Some(below) = child(node, &segment) else {
            return false;
        };
        node = below;
    }
    false
}

/// The pattern of a JSON pointer that leads along the structural part of the schema.
pub(super) fn pattern_of(root: &Schema, pointer: &str) -> String {
    let mut node = Some(root);
    let mut pattern = String::new();
    for segment in segments(pointer) {
        let is_declared = node.is_some_and(|node| node.properties.contains_key(&segment));
        let step = if is_declared { segment.as_str() } else { "*" };
        pattern = below(&pattern, step);
        node = node.and_then(|node| child(node, step));
    }
    pattern
}

/// The pattern of a property of what a pattern is about.
pub(super) fn below(pattern: &str, name: &str) -> String {
    format!("{pattern}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The pattern of what holds the last link of a pattern, and the name of that link.
pub(super) fn split(pattern: &str) -> Option<(&str, String)> {
    pattern.rsplit_once('/').map(|(parent, segment)| (parent, unescaped(segment)))
}

/// The node at a pattern.
pub(super) fn node<'s>(root: &'s Schema, pattern: &str) -> Option<&'s Schema> {
    segments(pattern).try_fold(root, |node, segment| child(node, &segment))
}

/// The node at a pattern, to be changed.
pub(super) fn node_mut<'s>(root: &'s mut Schema, pattern: &str) -> Option<&'s mut Schema> {
    segments(pattern).try_fold(root, |node, segment| {
        if node.properties.contains_key(&segment) {
            return node.properties.get_mut(&segment);
        }
        match (&mut node.items, &mut node.additional_properties) {
            (Some(Items::Each(items)), _) => Some(&mut **items),
            (_, Some(AdditionalProperties::Schema(values))) => Some(&mut **values),
            _ => None,
        }
    })
}

fn child<'s>(node: &'s Schema, segment: &str) -> Option<&'s Schema> {
    node.properties.get(segment).or_else(|| node.item_schema()).or_else(|| node.value_schema())
}

fn segments(path: &str) -> impl Iterator<Item = String> {
    path.split('/').skip(1).map(unescaped)
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
