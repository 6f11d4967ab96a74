//! Faults in pruning.

use crdible_semantics::{Child, FieldPath, Pruning, schema::AdditionalProperties, with};
use serde_json::{Map, Value};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The number of segments of a path.
fn depth(path: &FieldPath<'_>) -> usize {
    match path {
        FieldPath::Root | FieldPath::Text(_) | FieldPath::Part(_) => 0,
        FieldPath::Name(parent, _)
        | FieldPath::MapValue(parent, _)
        | FieldPath::Index(parent, _)
        | FieldPath::Key(parent, _) => 1 + depth(parent),
    }
}

const PRUNING: &[&str] = &[
    "PRUNE-001",
    "PRUNE-003",
    "PRUNE-004",
    "PRUNE-005",
    "PRUNE-007",
    "PRUNE-012",
    "PRUNE-015",
    "INV-002",
    "INV-003",
    "INV-007",
    "INV-008",
];

pub(crate) const FAULTS: &[Fault] = &[
    fault("prunes-two-levels-only", "unknown fields below the second level are kept")
        .breaks(PRUNING, &["prune-001-unknown-keys"])
        .blamed(&["PRUNE-001", "INV-002"])
        .semantics(with::prune_node(|semantics, value, schema, meta, path, removed| {
            if depth(path) < 2 {
                (Pruning::CORRECT.prune_node)(semantics, value, schema, meta, path, removed);
            }
        })),
    obvious_fault("prunes-no-arrays", "elements of lists are not pruned")
        .breaks(PRUNING, &["prune-001-unknown-keys", "inv-007-arrays-are-element-wise"])
        .blamed(&["PRUNE-001", "INV-002", "INV-007", "PRUNE-003"])
        .within_lines(60)
        .semantics(with::prune_array(|_, _, _, _, _| {})),
    fault("prunes-the-first-element-only", "only the first element of a list is pruned")
        .breaks(PRUNING, &["inv-007-arrays-are-element-wise", "prune-001-unknown-keys"])
        .blamed(&["INV-007", "PRUNE-003", "PRUNE-001", "INV-002"])
        .within_lines(50)
        .semantics(with::prune_array(|semantics, elements, schema, path, removed| {
            let items = schema.item_schema();
            let meta = items.is_some_and(|items| semantics.keeps_meta_fields(items, false));
            if let Some(first) = elements.first_mut() {
                semantics.prune_node(first, items, meta, &path.index(0), removed);
            }
        })),
    obvious_fault("prunes-no-map-values", "values under additionalProperties are not pruned")
        .breaks(PRUNING, &["inv-008-maps-are-value-wise", "prune-001-unknown-keys"])
        .blamed(&["PRUNE-004", "INV-008", "PRUNE-001", "INV-002"])
        .semantics(with::prune_map_value(|_, _, _, _, _| {})),
    fault("keeps-meta-keys-in-maps", "values of maps keep undeclared apiVersion, kind and metadata")
        .breaks(PRUNING, &["inv-008-maps-are-value-wise"])
        .blamed(&["INV-008", "PRUNE-004"])
        .within_lines(50)
        .semantics(with::prune_map_value(|semantics, value, schema, path, removed| {
            semantics.prune_node(value, schema, true, path, removed)
        })),
    obvious_fault(
        "keeps-fields-required-in-quantifiers",
        "a field that is required in a quantifier counts as declared",
    )
    .breaks(&["PRUNE-002"], &["prune-002-only-structure-counts"])
    .semantics(with::child(|_, schema, key| {
        let mut branches = schema.any_of.iter().chain(&schema.one_of);
        match correct().child(schema, key) {
            Child::Unknown if branches.any(|branch| branch.values.required.iter().any(|name| name == key)) => {
                Child::MapValue(None)
            }
            known => known,
        }
    })),
    fault("keeps-required-fields", "a required field counts as declared")
        .breaks(&["PRUNE-002"], &["prune-002-only-structure-counts"])
        .semantics(with::child(|_, schema, key| match correct().child(schema, key) {
            Child::Unknown if schema.values.required.iter().any(|name| name == key) => Child::MapValue(None),
            known => known,
        })),
    fault("keeps-lists-at-objects", "a list where an object is declared is not pruned")
        .breaks(&["PRUNE-003", "PRUNE-005", "PRUNE-007"], &["prune-003-wrong-containers"])
        .semantics(with::prune_array(|semantics, elements, schema, path, removed| {
            let Some(items) = schema.item_schema() else { return };
            for (index, element) in elements.iter_mut().enumerate() {
                semantics.prune_node(
                    element,
                    Some(items),
                    semantics.keeps_meta_fields(items, false),
                    &path.index(index),
                    removed,
                );
            }
        })),
    fault("keeps-objects-at-scalars", "an object where a scalar is declared is not pruned")
        .breaks(&["PRUNE-003", "PRUNE-005", "PRUNE-007"], &["prune-007-kind-of-value"])
        .blamed(&["PRUNE-007"])
        .semantics(with::prune_node(|semantics, value, schema, meta, path, removed| {
            let scalar = schema
                .is_some_and(|schema| matches!(schema.type_name.as_str(), "string" | "integer" | "number" | "boolean"));
            if !scalar {
                (Pruning::CORRECT.prune_node)(semantics, value, schema, meta, path, removed);
            }
        })),
    fault("replaces-booleans-at-strings", "a boolean where a string is declared becomes null")
        .breaks(&["PRUNE-003", "PRUNE-007"], &["prune-007-kind-of-value"])
        .blamed(&["PRUNE-007"])
        .semantics(with::prune_node(|semantics, value, schema, meta, path, removed| {
            if value.is_boolean() && schema.is_some_and(|schema| schema.type_name == "string") {
                *value = Value::Null;
            }
            (Pruning::CORRECT.prune_node)(semantics, value, schema, meta, path, removed);
        })),
    obvious_fault("ignores-preserve-unknown-fields", "unknown fields are pruned even where they should be preserved")
        .breaks(&["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-029"], &["inv-005-verbatim-regions"])
        .blamed(&["PRUNE-010", "INV-005", "PRUNE-008"])
        .semantics(with::preserves_unknown_fields(|_, _| false)),
    fault("prunes-lists-of-preserved-regions", "objects in lists of a preserved region are emptied")
        .breaks(&["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-029"], &["inv-005-verbatim-regions"])
        .blamed(&["INV-005", "PRUNE-008", "PRUNE-010"])
        .semantics(with::prune_preserved(|semantics, value, schema, meta, path, removed| {
            if let (Value::Array(elements), None) = (&mut *value, &schema.items) {
                elements.iter_mut().for_each(|element| semantics.prune_unspecified(element, path, removed));
            }
            correct().prune_preserved(value, schema, meta, path, removed);
        })),
    obvious_fault(
        "preserves-whole-subtrees",
        "declared objects below a node that preserves unknown fields are not pruned",
    )
    .breaks(&["INV-006", "PRUNE-008", "PRUNE-011", "PRUNE-029"], &["inv-006-restart-below-preserved"])
    .blamed(&["PRUNE-008", "PRUNE-011", "INV-006"])
    .semantics(with::prune_preserved(|_, _, _, _, _, _| {})),
    fault("prunes-elements-of-preserving-lists", "preserve-unknown-fields on a list does not apply to its elements")
        .breaks(&["PRUNE-009", "PRUNE-029"], &["prune-009-preserved-lists"])
        .blamed(&["PRUNE-009"])
        .semantics(with::prune_preserved(|semantics, value, schema, meta, path, removed| match value {
            Value::Array(elements) if schema.items.is_some() => semantics.prune_array(elements, schema, path, removed),
            _ => correct().prune_preserved(value, schema, meta, path, removed),
        })),
    fault("keeps-objects-with-one-key", "an object with a single key is not pruned")
        .breaks(PRUNING, &["prune-012-fewer-keys-fewer-left"])
        .blamed(&["PRUNE-012"])
        .within_lines(70)
        .semantics(with::prune_node(|semantics, value, schema, meta, path, removed| {
            if value.as_object().is_none_or(|object| object.len() != 1) {
                (Pruning::CORRECT.prune_node)(semantics, value, schema, meta, path, removed);
            }
        })),
    fault("prunes-no-objects-with-one-property", "an object that declares a single property is not pruned")
        .breaks(PRUNING, &["inv-003-schema-monotony"])
        .blamed(&["INV-003", "PRUNE-012"])
        .semantics(with::prune_object(|semantics, object, schema, meta, path, removed| {
            if schema.properties.len() != 1 || schema.additional_properties.is_some() {
                let mut value = Value::Object(std::mem::take(object));
                correct().prune_node(&mut value, Some(schema), meta, path, removed);
                if let Value::Object(pruned) = value {
                    *object = pruned;
                }
                return;
            }
            for (key, value) in object.iter_mut() {
                if let Some(child) = schema.properties.get(key) {
                    semantics.prune_node(
                        value,
                        Some(child),
                        semantics.keeps_meta_fields(child, false),
                        &path.name(key),
                        removed,
                    );
                }
            }
        })),
    fault("drops-empty-objects-before-pruning", "objects that pruning empties are dropped by the next write")
        .breaks(&["PRUNE-012", "INV-001", "INV-009", "DEFAULT-020"], &["inv-001-prune-is-idempotent"])
        .blamed(&["INV-001", "PRUNE-012"])
        .semantics(with::prune(|_, value, schema, root| {
            for (name, field) in value.as_object_mut().into_iter().flatten() {
                if name != "metadata" {
                    drop_empty(field);
                }
            }
            correct().prune(value, schema, root)
        })),
    obvious_fault("prunes-maps-like-their-values", "a map is pruned by the properties of its values")
        .breaks(&["PRUNE-004", "INV-008"], &["inv-008-maps-are-value-wise"])
        .semantics(with::child(|_, schema, key| match &schema.additional_properties {
            Some(AdditionalProperties::Schema(values))
                if schema.properties.is_empty() && !values.properties.is_empty() =>
            {
                values.properties.get(key).map_or(Child::Unknown, |_| Child::MapValue(Some(values)))
            }
            _ => correct().child(schema, key),
        })),
];

/// Removes empty objects from objects, at any depth; objects that this empties are kept.
fn drop_empty(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|_, value| !value.as_object().is_some_and(Map::is_empty));
            object.values_mut().for_each(drop_empty);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_empty),
        _ => {}
    }
}
