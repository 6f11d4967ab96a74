//! Faults in the rules of list and map types.

#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "fields, not files")]

use crdible_semantics::{
    Schema, SchemaRules, Semantics,
    schema::{AdditionalProperties, Items},
    structural::{Node, Position},
    with,
};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported},
};

const ANY: &[&str] = &[
    "STRUCT-022",
    "STRUCT-023",
    "STRUCT-024",
    "STRUCT-025",
    "STRUCT-026",
    "STRUCT-027",
    "STRUCT-028",
    "STRUCT-029",
    "STRUCT-031",
    "STRUCT-032",
    "STRUCT-033",
    "STRUCT-034",
    "CRDVAL-030",
    "INV-095",
];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("accepts-any-list-type", "list-type may be any text")
        .breaks(ANY, &["struct-023-list-type", "struct-033-topology-everywhere"])
        .blamed(&["STRUCT-023", "STRUCT-033"])
        .within_lines(30)
        .semantics(with::rule_list_type(|_, node, found| {
            let all = reported(|all| correct().rule_list_type(node, all));
            add_except(found, all, |violation| violation.field.ends_with("list-type"));
        })),
    fault("accepts-empty-list-types", "an empty list-type is accepted")
        .breaks(ANY, &["struct-023-list-type"])
        .blamed(&["STRUCT-023"])
        .semantics(with::rule_list_type(|_, node, found| {
            if node.schema.list_type.as_deref() != Some("") {
                correct().rule_list_type(node, found);
            }
        })),
    fault("accepts-list-types-of-other-types", "list-type is accepted at a node that is no array")
        .breaks(ANY, &["struct-023-list-type"])
        .blamed(&["STRUCT-023"])
        .semantics(with::rule_list_type(|_, node, found| {
            let all = reported(|all| correct().rule_list_type(node, all));
            add_except(found, all, |violation| violation.field.ends_with(".type"));
        })),
    obvious_fault("accepts-any-map-type", "map-type is not checked")
        .breaks(ANY, &["struct-024-map-type"])
        .blamed(&["STRUCT-024"])
        .semantics(with::rule_map_type(|_, _, _| {})),
    fault("accepts-map-types-of-other-types", "map-type is accepted at a node that is no object")
        .breaks(ANY, &["struct-024-map-type"])
        .blamed(&["STRUCT-024"])
        .semantics(with::rule_map_type(|_, node, found| {
            let all = reported(|all| correct().rule_map_type(node, all));
            add_except(found, all, |violation| violation.field.ends_with(".type"));
        })),
    obvious_fault("accepts-keys-with-any-list-type", "list-map-keys may be combined with any list-type")
        .breaks(ANY, &["struct-025-keys-imply-map"])
        .blamed(&["STRUCT-025"])
        .semantics(with::rule_keys_imply_map(|_, _, _| {})),
    fault("accepts-keys-without-a-list-type", "list-map-keys without list-type is accepted")
        .breaks(ANY, &["struct-025-keys-imply-map"])
        .blamed(&["STRUCT-025"])
        .semantics(with::rule_keys_imply_map(|_, node, found| {
            if node.schema.list_type.is_some() {
                correct().rule_keys_imply_map(node, found);
            }
        })),
    obvious_fault("accepts-sets-of-anything", "elements of sets need not be atomic")
        .breaks(ANY, &["struct-026-set-items-atomic", "inv-095-one-violation"])
        .blamed(&["STRUCT-026", "INV-095"])
        .within_lines(35)
        .semantics(with::rule_set_items(|_, _, _| {})),
    fault("accepts-sets-of-sets", "lists in a set need not be atomic")
        .breaks(ANY, &["struct-026-set-items-atomic"])
        .blamed(&["STRUCT-026"])
        .semantics(with::rule_set_items(|_, node, found| {
            let all = reported(|all| correct().rule_set_items(node, all));
            add_except(found, all, |violation| violation.field.ends_with("list-type"));
        })),
    obvious_fault("accepts-map-lists-of-any-form", "a map list needs neither keys nor objects")
        .breaks(ANY, &["struct-027-map-list-form"])
        .blamed(&["STRUCT-027", "CRDVAL-030"])
        .semantics(with::rule_map_list_form(|_, _, _| {})),
    obvious_fault("accepts-undeclared-keys", "list-map-keys may name undeclared properties")
        .breaks(ANY, &["struct-028-keys-name-properties"])
        .blamed(&["STRUCT-028"])
        .within_lines(30)
        .semantics(with::rule_map_list_keys(|_, _, _| {})),
    fault("accepts-repeated-keys", "list-map-keys may repeat a key")
        .breaks(ANY, &["struct-028-keys-name-properties"])
        .blamed(&["STRUCT-028"])
        .within_lines(30)
        .semantics(with::rule_map_list_keys(|_, node, found| {
            let mut schema = node.schema.clone();
            schema.list_map_keys.sort();
            schema.list_map_keys.dedup();
            correct().rule_map_list_keys(&Node { schema: &schema, ..*node }, found);
        })),
    obvious_fault("accepts-optional-keys", "keys of a map list need be neither required nor defaulted")
        .breaks(ANY, &["struct-029-keys-always-present", "struct-034-exceptions"])
        .blamed(&["STRUCT-029", "STRUCT-034"])
        .within_lines(30)
        .semantics(with::rule_keys_always_present(|_, _, _| {})),
    fault("accepts-all-but-one-optional-keys", "it is enough that one key of a map list is required")
        .breaks(ANY, &["struct-029-keys-always-present"])
        .blamed(&["STRUCT-029"])
        .within_lines(35)
        .semantics(with::rule_keys_always_present(|_, node, found| {
            let mut all = Vec::new();
            correct().rule_keys_always_present(node, &mut all);
            if all.len() == node.schema.list_map_keys.len() {
                found.append(&mut all);
            }
        })),
    fault("compares-the-last-key-only", "elements of a map list are duplicates if their last keys are equal")
        .breaks(&["STRUCT-030"], &["struct-030-default-on-a-key"])
        .within_lines(40)
        .semantics(with::check_map_list(|_, elements, keys, path, found| {
            correct().check_map_list(elements, &keys[keys.len().saturating_sub(1)..], path, found)
        })),
    obvious_fault("accepts-nullable-items", "items of sets and map lists may be nullable")
        .breaks(ANY, &["struct-031-items-not-nullable"])
        .blamed(&["STRUCT-031"])
        .semantics(with::rule_list_items_not_nullable(|_, _, _| {})),
    obvious_fault("accepts-nullable-keys", "keys of map lists may be nullable")
        .breaks(ANY, &["struct-032-keys-not-nullable"])
        .blamed(&["STRUCT-032"])
        .within_lines(35)
        .semantics(with::rule_keys_not_nullable(|_, _, _| {})),
    fault("checks-no-lists-below-preserving-nodes", "list and map types below a preserving node are not checked")
        .breaks(&["STRUCT-033"], &["struct-033-topology-everywhere"])
        .within_lines(30)
        .semantics(with::schema_violations(|_, root, context| {
            let mut root = root.clone();
            remove_topology(&mut root, false);
            correct().schema_violations(&root, context)
        })),
    fault("checks-no-lists-in-embedded-metadata", "list and map types in metadata of embedded objects are not checked")
        .breaks(ANY, &["struct-033-topology-everywhere"])
        .blamed(&["STRUCT-033"])
        .within_lines(35)
        .semantics(Semantics {
            schema_rules: SchemaRules {
                rule_map_type: |_, node, found| {
                    if !(node.inside_meta && node.position == Position::Field) {
                        correct().rule_map_type(node, found);
                    }
                },
                rule_list_type: |_, node, found| {
                    if !(node.inside_meta && node.position == Position::Field) {
                        correct().rule_list_type(node, found);
                    }
                },
                ..SchemaRules::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
];

/// Removes list and map types below nodes that preserve unknown fields.
fn remove_topology(schema: &mut Schema, is_below: bool) {
    if is_below {
        schema.list_type = None;
        schema.map_type = None;
        schema.list_map_keys.clear();
    }
    let is_below = is_below || schema.is_preserving();
    schema.properties.values_mut().for_each(|property| remove_topology(property, is_below));
    if let Some(Items::Each(items)) = &mut schema.items {
        remove_topology(items, is_below);
    }
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        remove_topology(values, is_below);
    }
}
