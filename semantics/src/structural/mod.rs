//! The violations of a schema: the rules of chapter 2, and the rules of chapter 1 that they rely on. One file per
//! section.
//!
//! CEL rules are judged by themselves ([`crate::rules`]), except for defaults that break them.

pub mod completeness;
pub mod defaults;
pub mod extensions;
pub mod int_or_string;
pub mod keywords;
mod node;
pub mod nullable;
pub mod quantifiers;
pub mod topology;
pub mod types;

pub use defaults::DefaultNode;
pub use node::{Node, Position};

use crate::{FieldPath, Reason::Invalid, Schema, Semantics, Violation, message};

/// The start of all paths of chapter 2.
pub(crate) const ROOT: &str = "openAPIV3Schema";

/// The circumstances that the rules depend on, apart from the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchemaContext {
    /// Whether the version has the status subresource or, if all versions share one schema, whether any version has it
    /// (CRDVAL-040).
    pub status_subresource: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "a row of a table, whose callers pass a reference")]
pub(crate) fn violations(semantics: &Semantics, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
    let path = FieldPath::Text(ROOT);
    let node = Node::root(root, &path);
    let mut found = Vec::new();
    if context.status_subresource {
        semantics.rule_root_keywords_under_status(&node, &mut found);
    }
    semantics.rule_root_nullable(&node, &mut found);
    let buildable = is_buildable(root);
    if buildable {
        let mut structural = Vec::new();
        semantics.structural_node(&node, &mut structural);
        semantics.rule_completeness(&node, &mut structural);
        if structural.is_empty() {
            // Defaults are not checked if there are structural errors (CRDVAL-025).
            semantics.default_violations(&node, &mut structural);
        }
        found.append(&mut structural);
    }
    semantics.definition_node(&node, &mut found);
    if found.is_empty() && !buildable {
        let detail = message::about_text("", keywords::unstructured(root));
        node::report_at(&mut found, &path, Invalid, "CRDVAL-025", &detail);
    }
    found.sort();
    found
}

/// Whether the schema has a structural form. If it has none, the structural rules do not apply (chapter 2, head).
fn is_buildable(root: &Schema) -> bool {
    !root.nodes().any(keywords::prevents_structural_form)
}

pub(crate) fn structural_node(semantics: &Semantics, node: &Node<'_>, found: &mut Vec<Violation>) {
    semantics.rule_root_type(node, found);
    semantics.rule_node_type(node, found);
    semantics.rule_array_items(node, found);
    semantics.rule_root_additional_properties(node, found);
    semantics.rule_int_or_string_combinations(node, found);
    semantics.rule_embedded_shape(node, found);
    semantics.rule_meta_property_types(node, found);
    semantics.rule_root_metadata(node, found);
    semantics.rule_quantifiers(node, found);
    semantics.rule_pattern(node, found);

    let schema = node.schema;
    if let Some(items) = schema.item_schema() {
        semantics.structural_node(&node.below(items, &node.path.name("items"), Position::Item), found);
    }
    let properties = node.path.name("properties");
    for (name, property) in &schema.properties {
        semantics.structural_node(&node.below(property, &properties.key(name), Position::Field), found);
    }
    if let Some(values) = schema.value_schema() {
        semantics.structural_node(&node.below(values, &node.path.name("additionalProperties"), Position::Field), found);
    }
}

pub(crate) fn definition_node(semantics: &Semantics, node: &Node<'_>, found: &mut Vec<Violation>) {
    semantics.rule_type_names(node, found);
    semantics.rule_default_positions(node, found);
    semantics.rule_unsupported_keywords(node, found);
    semantics.rule_embedded_inside_meta(node, found);
    semantics.rule_unique_items(node, found);
    semantics.rule_properties_or_additional(node, found);
    semantics.rule_preserve_is_true(node, found);
    semantics.rule_map_type(node, found);
    semantics.rule_list_type(node, found);
    semantics.rule_set_items(node, found);
    semantics.rule_keys_imply_map(node, found);
    semantics.rule_map_list_form(node, found);
    semantics.rule_map_list_keys(node, found);
    semantics.rule_keys_always_present(node, found);
    semantics.rule_list_items_not_nullable(node, found);
    semantics.rule_keys_not_nullable(node, found);

    for_each_definition_child(node, &mut |child| semantics.definition_node(child, found));
}

/// The fields of a resource that every resource has, and what messages call their place at the root.
const ROOT_META_FIELDS: [(&str, &str); 3] =
    [("apiVersion", "in top-level apiVersion"), ("kind", "in top-level kind"), ("metadata", "in top-level metadata")];

/// Visits every schema directly below a node, including those in forbidden keywords.
fn for_each_definition_child(node: &Node<'_>, visit: &mut dyn FnMut(&Node<'_>)) {
    let (schema, path) = (node.schema, node.path);
    if let Some(values) = schema.value_schema() {
        let mut child = node.below(values, path, Position::Field);
        if node.inside_meta {
            child.defaults_forbidden = Some("inside additionalProperties applying to object metadata");
        }
        let path = path.name("additionalProperties");
        visit(&Node { path: &path, ..child });
    }
    let properties = path.name("properties");
    for (name, property) in &schema.properties {
        let path = properties.key(name);
        let mut child = node.below(property, &path, Position::Field);
        let meta_field = ROOT_META_FIELDS.iter().find(|(field, _)| *field == name.as_str());
        if let Some((_, place)) = meta_field.filter(|_| node.is_resource()) {
            child.inside_meta = true;
            if node.position == Position::Root {
                child.defaults_forbidden = Some(place);
            }
        }
        visit(&child);
    }
    if let Some(items) = schema.item_schema() {
        visit(&node.below(items, &path.name("items"), Position::Item));
    }
    if let Some(crate::schema::Items::ByPosition(items)) = &schema.items {
        let list = path.name("items");
        for (index, items) in items.iter().enumerate() {
            visit(&node.below(items, &list.index(index), Position::Item));
        }
    }
    quantifiers::for_each_branch(node, &mut |_, _, branch| visit(branch));
    keywords::for_each_unsupported_schema(node, visit);
}
