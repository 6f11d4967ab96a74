//! Schema nodes by the pattern of their values: `/spec/a/*`, where `*` matches any element or map key, and names are
//! escaped as in JSON pointers.

use crdible_generators::walk;
use crdible_semantics::{
    Schema, pointer,
    schema::{AdditionalProperties, Items},
};

const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The nodes below the root, parents first, starting with `/spec`. Without meta fields of the root and of embedded
/// resources, and the nodes below those.
pub(super) fn ordinary(root: &Schema) -> Vec<String> {
    let mut patterns: Vec<String> = walk::nodes(root).into_iter().map(|node| node.pattern).collect();
    patterns.retain(|pattern| !pattern.is_empty() && !is_meta(root, pattern));
    patterns.sort_by_key(|pattern| (pattern != "/spec", pattern.matches('/').count()));
    patterns
}

/// Whether a pattern leads to or through a meta field of the root or of an embedded resource.
pub(super) fn is_meta(root: &Schema, pattern: &str) -> bool {
    let mut node = root;
    for (depth, segment) in pointer::keys(pattern).enumerate() {
        if (depth == 0 || node.embedded_resource) && META_FIELDS.contains(&&*segment) {
            return true;
        }
        let Some(below) = child(node, &segment) else {
            return false;
        };
        node = below;
    }
    false
}

/// The pattern of a JSON pointer to a value in the structural part of the schema.
pub(super) fn pattern_of(root: &Schema, pointer: &str) -> String {
    let mut node = Some(root);
    let mut pattern = String::new();
    for segment in pointer::keys(pointer) {
        let is_declared = node.is_some_and(|node| node.properties.contains_key(&*segment));
        let step = if is_declared { &*segment } else { "*" };
        pattern = below(&pattern, step);
        node = node.and_then(|node| child(node, step));
    }
    pattern
}

/// The pattern of a property.
pub(super) fn below(pattern: &str, name: &str) -> String {
    pointer::join(pattern, name)
}

/// The pattern of the parent, and the name of the last segment.
pub(super) fn split(pattern: &str) -> Option<(&str, String)> {
    pointer::split(pattern).map(|(parent, name)| (parent, name.into_owned()))
}

/// The node at a pattern.
pub(super) fn node<'s>(root: &'s Schema, pattern: &str) -> Option<&'s Schema> {
    pointer::keys(pattern).try_fold(root, |node, segment| child(node, &segment))
}

/// The node at a pattern, mutable.
pub(super) fn node_mut<'s>(root: &'s mut Schema, pattern: &str) -> Option<&'s mut Schema> {
    pointer::keys(pattern).try_fold(root, |node, segment| {
        if node.properties.contains_key(&*segment) {
            return node.properties.get_mut(&*segment);
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
