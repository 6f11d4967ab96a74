//! The rules of schemas.

use serde_json::Value;

use super::AsSemantics;
use crate::{
    FieldPath, Schema, SchemaContext, Violation,
    structural::{self, DefaultNode, Node},
};

/// The violations of the schema of a version (chapter 2, and the rules of chapter 1 that it relies on).
///
/// Methods named `rule_…` each check one rule at one node and add the violations to the given list. Paths start with
/// `openAPIV3Schema` (CRDVAL-024).
pub trait SchemaRules: AsSemantics {
    /// All violations of the schema of one version, sorted. Defaults are not checked if there are structural errors. A
    /// schema without a structural form gets no structural errors (CRDVAL-025).
    fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
        structural::violations(self.as_semantics(), root, context)
    }

    /// Applies the rules of structural schemas to a node and to all nodes that `properties`, `items` and `additionalProperties` reach
    /// from it.
    fn structural_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::structural_node(self.as_semantics(), node, found);
    }

    /// Applies the rules of all schemas, structural or not, to a node and to all nodes below it.
    fn definition_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::definition_node(self.as_semantics(), node, found);
    }

    /// STRUCT-001: the root has the type object.
    fn rule_root_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::root_type(node, found);
    }

    /// STRUCT-002: every other node has a type, unless an extension replaces it.
    fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::node_type(node, found);
    }

    /// STRUCT-003: arrays have items.
    fn rule_array_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::array_items(node, found);
    }

    /// STRUCT-004: no `additionalProperties` at the root or at an embedded object.
    fn rule_root_additional_properties(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::root_additional_properties(node, found);
    }

    /// STRUCT-005: the nodes that the root's quantifiers mention exist. `node` is the root.
    fn rule_completeness(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::completeness::completeness(node, found);
    }

    /// STRUCT-008, STRUCT-010..012: all branches below a structural node.
    fn rule_quantifiers(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::quantifiers(self.as_semantics(), node, found);
    }

    /// STRUCT-008: the forbidden keywords of one branch.
    fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::branch_keywords(self.as_semantics(), node, found);
    }

    /// STRUCT-010: no branch mentions `metadata`.
    fn rule_branch_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::branch_metadata(node, found);
    }

    /// STRUCT-013: keywords that cannot be combined with int-or-string.
    fn rule_int_or_string_combinations(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::int_or_string::combinations(node, found);
    }

    /// STRUCT-016: the shape of an embedded object.
    fn rule_embedded_shape(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::embedded_shape(node, found);
    }

    /// STRUCT-017: no embedded object inside metadata.
    fn rule_embedded_inside_meta(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::embedded_inside_meta(node, found);
    }

    /// STRUCT-018: the types of `apiVersion`, `kind` and `metadata`.
    fn rule_meta_property_types(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::meta_property_types(node, found);
    }

    /// STRUCT-019: root `metadata` restricts names only.
    fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::root_metadata(self.as_semantics().release(), node, found);
    }

    /// STRUCT-022, CRDVAL-027: the root is not nullable. `node` is the root.
    fn rule_root_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::root_nullable(node, found);
    }

    /// STRUCT-023: the values of list-type, and the node type that it requires.
    fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::list_type(node, found);
    }

    /// STRUCT-024: the values of map-type, and the node type that it requires.
    fn rule_map_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_type(node, found);
    }

    /// STRUCT-025: list-map-keys require list-type `map`.
    fn rule_keys_imply_map(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::keys_imply_map(node, found);
    }

    /// STRUCT-026: elements of sets are atomic.
    fn rule_set_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::set_items(node, found);
    }

    /// STRUCT-027: the form of map lists.
    fn rule_map_list_form(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_list_form(node, found);
    }

    /// STRUCT-028: the keys of map lists name scalar properties, each once.
    fn rule_map_list_keys(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_list_keys(node, found);
    }

    /// STRUCT-029: the keys of map lists are required or have a default.
    fn rule_keys_always_present(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::keys_always_present(node, found);
    }

    /// STRUCT-031: elements of set and map lists are not nullable.
    fn rule_list_items_not_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::list_items(node, found);
    }

    /// STRUCT-032: the keys of map lists are not nullable.
    fn rule_keys_not_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::keys(node, found);
    }

    /// CRDVAL-034: patterns compile. `node` is a structural node or a branch of its quantifiers.
    fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::pattern(node, found);
    }

    /// CRDVAL-029: the names of types.
    fn rule_type_names(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::type_names(node, found);
    }

    /// CRDVAL-030: the forbidden keywords.
    fn rule_unsupported_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::unsupported(node, found);
    }

    /// CRDVAL-032: no `uniqueItems`.
    fn rule_unique_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::unique_items(node, found);
    }

    /// CRDVAL-033: `properties` and `additionalProperties` exclude each other.
    fn rule_properties_or_additional(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::properties_or_additional(node, found);
    }

    /// CRDVAL-035: preserve-unknown-fields is not `false`.
    fn rule_preserve_is_true(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::preserve_is_true(node, found);
    }

    /// CRDVAL-040: the keywords that the status subresource allows at the root. `node` is the root.
    fn rule_root_keywords_under_status(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::root_under_status(node, found);
    }

    /// CRDVAL-051: no defaults in root metadata, nor in map values of metadata.
    fn rule_default_positions(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::default_positions(node, found);
    }

    /// Whether a branch has a keyword that is forbidden in branches (STRUCT-008). `keyword` is one of the list in
    /// STRUCT-008.
    fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
        structural::quantifiers::forbids(keyword, branch)
    }

    /// Whether the branches are exactly an integer and a string, in this order, which may have a type (STRUCT-011).
    fn is_int_or_string_pair(&self, branches: &[Schema]) -> bool {
        structural::int_or_string::is_pair(branches)
    }

    /// CRDVAL-052, CRDVAL-053, DEFAULT-018: all defaults. `root` is the root.
    fn default_violations(&self, root: &Node<'_>, found: &mut Vec<Violation>) {
        structural::defaults::violations(self.as_semantics(), root, found);
    }

    /// Checks one default. Its causes start with `path`.
    fn default_value_violations(
        &self,
        at: &DefaultNode<'_>,
        default: &Value,
        path: &FieldPath<'_>,
        found: &mut Vec<Violation>,
    ) {
        structural::defaults::value(self.as_semantics(), at, default, path, found);
    }
}
