//! The rules of schemas.

use serde_json::Value;

use crate::{
    FieldPath, Schema, SchemaContext, Violation,
    structural::{self, DefaultNode, Node},
};

area! {
    /// The violations of the schema of a version (chapter 2, and the rules of chapter 1 that it relies on).
    ///
    /// Methods named `rule_…` each check one rule at one node and add the violations to the given list. Paths start
    /// with `openAPIV3Schema` (CRDVAL-024).
    pub struct SchemaRules as schema_rules;

    /// All violations of the schema of one version, sorted. Defaults are not checked if there are structural errors. A
    /// schema without a structural form gets no structural errors (CRDVAL-025).
    fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> = structural::violations;
    /// Applies the rules of structural schemas to a node and to all nodes that `properties`, `items` and
    /// `additionalProperties` reach from it.
    fn structural_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) = structural::structural_node;
    /// Applies the rules of all schemas, structural or not, to a node and to all nodes below it.
    fn definition_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) = structural::definition_node;
    /// STRUCT-001: the root has the type object.
    fn rule_root_type(node: &Node<'_>, found: &mut Vec<Violation>) = structural::types::root_type;
    /// STRUCT-002: every other node has a type, unless an extension replaces it.
    fn rule_node_type(node: &Node<'_>, found: &mut Vec<Violation>) = structural::types::node_type;
    /// STRUCT-003: arrays have items.
    fn rule_array_items(node: &Node<'_>, found: &mut Vec<Violation>) = structural::types::array_items;
    /// STRUCT-004: no `additionalProperties` at the root or at an embedded object.
    fn rule_root_additional_properties(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::types::root_additional_properties;
    /// STRUCT-005: the nodes that the root's quantifiers mention exist. `node` is the root.
    fn rule_completeness(node: &Node<'_>, found: &mut Vec<Violation>) = structural::completeness::completeness;
    /// STRUCT-008, STRUCT-010..012: all branches below a structural node.
    fn rule_quantifiers(&self, node: &Node<'_>, found: &mut Vec<Violation>) = structural::quantifiers::quantifiers;
    /// STRUCT-008: the forbidden keywords of one branch.
    fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::quantifiers::branch_keywords;
    /// STRUCT-010: no branch mentions `metadata`.
    fn rule_branch_metadata(node: &Node<'_>, found: &mut Vec<Violation>) = structural::quantifiers::branch_metadata;
    /// STRUCT-013: keywords that cannot be combined with int-or-string.
    fn rule_int_or_string_combinations(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::int_or_string::combinations;
    /// STRUCT-016: the shape of an embedded object.
    fn rule_embedded_shape(node: &Node<'_>, found: &mut Vec<Violation>) = structural::extensions::embedded_shape;
    /// STRUCT-017: no embedded object inside metadata.
    fn rule_embedded_inside_meta(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::extensions::embedded_inside_meta;
    /// STRUCT-018: the types of `apiVersion`, `kind` and `metadata`.
    fn rule_meta_property_types(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::extensions::meta_property_types;
    /// STRUCT-019: root `metadata` restricts names only.
    fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) =
        |semantics, node, found| structural::extensions::root_metadata(semantics.release, node, found);
    /// STRUCT-022, CRDVAL-027: the root is not nullable. `node` is the root.
    fn rule_root_nullable(node: &Node<'_>, found: &mut Vec<Violation>) = structural::nullable::root_nullable;
    /// STRUCT-023: the values of list-type, and the node type that it requires.
    fn rule_list_type(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::list_type;
    /// STRUCT-024: the values of map-type, and the node type that it requires.
    fn rule_map_type(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::map_type;
    /// STRUCT-025: list-map-keys require list-type `map`.
    fn rule_keys_imply_map(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::keys_imply_map;
    /// STRUCT-026: elements of sets are atomic.
    fn rule_set_items(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::set_items;
    /// STRUCT-027: the form of map lists.
    fn rule_map_list_form(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::map_list_form;
    /// STRUCT-028: the keys of map lists name scalar properties, each once.
    fn rule_map_list_keys(node: &Node<'_>, found: &mut Vec<Violation>) = structural::topology::map_list_keys;
    /// STRUCT-029: the keys of map lists are required or have a default.
    fn rule_keys_always_present(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::topology::keys_always_present;
    /// STRUCT-031: elements of set and map lists are not nullable.
    fn rule_list_items_not_nullable(node: &Node<'_>, found: &mut Vec<Violation>) = structural::nullable::list_items;
    /// STRUCT-032: the keys of map lists are not nullable.
    fn rule_keys_not_nullable(node: &Node<'_>, found: &mut Vec<Violation>) = structural::nullable::keys;
    /// CRDVAL-034: patterns compile. `node` is a structural node or a branch of its quantifiers.
    fn rule_pattern(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::pattern;
    /// CRDVAL-029: the names of types.
    fn rule_type_names(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::type_names;
    /// CRDVAL-030: the forbidden keywords.
    fn rule_unsupported_keywords(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::unsupported;
    /// CRDVAL-032: no `uniqueItems`.
    fn rule_unique_items(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::unique_items;
    /// CRDVAL-033: `properties` and `additionalProperties` exclude each other.
    fn rule_properties_or_additional(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::keywords::properties_or_additional;
    /// CRDVAL-035: preserve-unknown-fields is not `false`.
    fn rule_preserve_is_true(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::preserve_is_true;
    /// CRDVAL-040: the keywords that the status subresource allows at the root. `node` is the root.
    fn rule_root_keywords_under_status(node: &Node<'_>, found: &mut Vec<Violation>) =
        structural::keywords::root_under_status;
    /// CRDVAL-051: no defaults in root metadata, nor in map values of metadata.
    fn rule_default_positions(node: &Node<'_>, found: &mut Vec<Violation>) = structural::keywords::default_positions;
    /// Whether a branch has a keyword that is forbidden in branches (STRUCT-008). `keyword` is one of the list in
    /// STRUCT-008.
    fn branch_forbids(keyword: &str, branch: &Schema) -> bool = structural::quantifiers::forbids;
    /// Whether the branches are exactly an integer and a string, in this order, which may have a type (STRUCT-011).
    fn is_int_or_string_pair(branches: &[Schema]) -> bool = structural::int_or_string::is_pair;
    /// CRDVAL-052, CRDVAL-053, DEFAULT-018: all defaults. `root` is the root.
    fn default_violations(&self, root: &Node<'_>, found: &mut Vec<Violation>) = structural::defaults::violations;
    /// Checks one default. Its causes start with `path`.
    fn default_value_violations(
        &self, at: &DefaultNode<'_>, default: &Value, path: &FieldPath<'_>, found: &mut Vec<Violation>,
    ) = structural::defaults::value;
}
