//! Faults in pruning.

use crdible_semantics::{Child, FieldPath, Schema, Semantics, Upstream, schema::AdditionalProperties};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

/// How many links a path has.
fn depth(path: &FieldPath<'_>) -> usize {
    match path {
        FieldPath::Root | FieldPath::Text(_) => 0,
        FieldPath::Name(parent, _) | FieldPath::Index(parent, _) | FieldPath::Key(parent, _) => 1 + depth(parent),
    }
}

/// What the right [`Pruning::prune_node`] does, with the functions of this server below it.
fn prune_rightly(
    semantics: &impl Semantics,
    value: &mut Value,
    schema: Option<&Schema>,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    let Some(schema) = schema else { return semantics.prune_unspecified(value, path, removed) };
    if semantics.preserves_unknown_fields(schema) {
        return semantics.prune_preserved(value, schema, keeps_meta, path, removed);
    }
    match value {
        Value::Object(object) => semantics.prune_object(object, schema, keeps_meta, path, removed),
        Value::Array(elements) => semantics.prune_array(elements, schema, path, removed),
        _ => {}
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
    Fault {
        name: "prunes-two-levels-only",
        wrong: "what stands below the second level is kept",
        target: wrong!(Pruning {
            fn prune_node(&self, value: &mut Value, schema: Option<&Schema>, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                if depth(path) < 2 {
                    prune_rightly(self, value, schema, meta, path, removed);
                }
            }
        }),
        requirements: PRUNING,
        properties: &["prune-001-unknown-keys"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-arrays",
        wrong: "elements of lists are not pruned",
        target: wrong!(Pruning {
            fn prune_array(&self, _: &mut [Value], _: &Schema, _: &FieldPath<'_>, _: &mut Vec<String>) {}
        }),
        requirements: PRUNING,
        properties: &["prune-001-unknown-keys", "inv-007-arrays-are-element-wise"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-the-first-element-only",
        wrong: "of a list, only the first element is pruned",
        target: wrong!(Pruning {
            fn prune_array(&self, elements: &mut [Value], schema: &Schema, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                let items = schema.item_schema();
                let meta = items.is_some_and(|items| self.keeps_meta_fields(items, false));
                if let Some(first) = elements.first_mut() {
                    self.prune_node(first, items, meta, &path.index(0), removed);
                }
            }
        }),
        requirements: PRUNING,
        properties: &["inv-007-arrays-are-element-wise", "prune-001-unknown-keys"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-map-values",
        wrong: "values covered by additionalProperties are not pruned",
        target: wrong!(Pruning {
            fn prune_map_value(&self, _: &mut Value, _: Option<&Schema>, _: &FieldPath<'_>, _: &mut Vec<String>) {}
        }),
        requirements: PRUNING,
        properties: &["inv-008-maps-are-value-wise", "prune-001-unknown-keys"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-meta-keys-in-maps",
        wrong: "values of maps keep apiVersion, kind and metadata",
        target: wrong!(Pruning {
            fn prune_map_value(&self, value: &mut Value, schema: Option<&Schema>, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                self.prune_node(value, schema, true, path, removed);
            }
        }),
        requirements: PRUNING,
        properties: &["inv-008-maps-are-value-wise"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "quantifiers-declare",
        wrong: "a key that a branch of a quantifier requires counts as declared",
        target: wrong!(Pruning {
            fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
                let mut branches = schema.any_of.iter().chain(&schema.one_of);
                match Upstream.child(schema, key) {
                    Child::Unknown if branches.any(|branch| branch.values.required.iter().any(|name| name == key)) => Child::MapValue(None),
                    known => known,
                }
            }
        }),
        requirements: &["PRUNE-002"],
        properties: &["prune-002-only-structure-counts"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "required-declares",
        wrong: "a key that required names counts as declared",
        target: wrong!(Pruning {
            fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
                match Upstream.child(schema, key) {
                    Child::Unknown if schema.values.required.iter().any(|name| name == key) => Child::MapValue(None),
                    known => known,
                }
            }
        }),
        requirements: &["PRUNE-002"],
        properties: &["prune-002-only-structure-counts"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-lists-at-objects",
        wrong: "a list where an object is declared is left as it is",
        target: wrong!(Pruning {
            fn prune_array(&self, elements: &mut [Value], schema: &Schema, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                let Some(items) = schema.item_schema() else { return };
                for (index, element) in elements.iter_mut().enumerate() {
                    self.prune_node(element, Some(items), self.keeps_meta_fields(items, false), &path.index(index), removed);
                }
            }
        }),
        requirements: &["PRUNE-003", "PRUNE-005", "PRUNE-007"],
        properties: &["prune-003-wrong-containers"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-objects-at-scalars",
        wrong: "an object where a scalar is declared is left as it is",
        target: wrong!(Pruning {
            fn prune_node(&self, value: &mut Value, schema: Option<&Schema>, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                let scalar = schema.is_some_and(|schema| matches!(schema.type_name.as_str(), "string" | "integer" | "number" | "boolean"));
                if !scalar {
                    prune_rightly(self, value, schema, meta, path, removed);
                }
            }
        }),
        requirements: &["PRUNE-003", "PRUNE-005", "PRUNE-007"],
        properties: &["prune-007-kind-of-value"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "clears-booleans-at-texts",
        wrong: "a boolean where a text is declared is pruned to null",
        target: wrong!(Pruning {
            fn prune_node(&self, value: &mut Value, schema: Option<&Schema>, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                if value.is_boolean() && schema.is_some_and(|schema| schema.type_name == "string") {
                    *value = Value::Null;
                }
                prune_rightly(self, value, schema, meta, path, removed);
            }
        }),
        requirements: &["PRUNE-003", "PRUNE-007"],
        properties: &["prune-007-kind-of-value"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ignores-preserve-unknown-fields",
        wrong: "unknown keys are pruned where they should be preserved",
        target: wrong!(Pruning {
            fn preserves_unknown_fields(&self, _: &Schema) -> bool {
                false
            }
        }),
        requirements: &["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-029"],
        properties: &["inv-005-verbatim-regions"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "empties-preserved-regions-below-lists",
        wrong: "objects in lists of a preserved region are emptied",
        target: wrong!(Pruning {
            fn prune_preserved(&self, value: &mut Value, schema: &Schema, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                if let (Value::Array(elements), None) = (&mut *value, &schema.items) {
                    elements.iter_mut().for_each(|element| self.prune_unspecified(element, path, removed));
                }
                Upstream.prune_preserved(value, schema, meta, path, removed);
            }
        }),
        requirements: &["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-029"],
        properties: &["inv-005-verbatim-regions"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "preserves-whole-subtrees",
        wrong: "what is declared below a preserving node is not pruned either",
        target: wrong!(Pruning {
            fn prune_preserved(&self, _: &mut Value, _: &Schema, _: bool, _: &FieldPath<'_>, _: &mut Vec<String>) {}
        }),
        requirements: &["INV-006", "PRUNE-008", "PRUNE-011", "PRUNE-029"],
        properties: &["inv-006-restart-below-preserved"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-elements-of-preserving-lists",
        wrong: "x-kubernetes-preserve-unknown-fields on a list does not reach its elements",
        target: wrong!(Pruning {
            fn prune_preserved(&self, value: &mut Value, schema: &Schema, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                match value {
                    Value::Array(elements) if schema.items.is_some() => self.prune_array(elements, schema, path, removed),
                    _ => Upstream.prune_preserved(value, schema, meta, path, removed),
                }
            }
        }),
        requirements: &["PRUNE-009", "PRUNE-029"],
        properties: &["prune-009-preserved-lists"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-objects-with-one-key",
        wrong: "an object with a single key is taken as it is",
        target: wrong!(Pruning {
            fn prune_node(&self, value: &mut Value, schema: Option<&Schema>, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                if value.as_object().is_none_or(|object| object.len() != 1) {
                    prune_rightly(self, value, schema, meta, path, removed);
                }
            }
        }),
        requirements: PRUNING,
        properties: &["prune-012-fewer-keys-fewer-left"],
        largest: 70,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-nodes-with-one-property-as-wrappers",
        wrong: "an object that declares a single property is not pruned",
        target: wrong!(Pruning {
            fn prune_object(&self, object: &mut Map<String, Value>, schema: &Schema, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                if schema.properties.len() != 1 || schema.additional_properties.is_some() {
                    let mut value = Value::Object(std::mem::take(object));
                    Upstream.prune_node(&mut value, Some(schema), meta, path, removed);
                    if let Value::Object(pruned) = value {
                        *object = pruned;
                    }
                    return;
                }
                for (key, value) in object.iter_mut() {
                    if let Some(child) = schema.properties.get(key) {
                        self.prune_node(value, Some(child), self.keeps_meta_fields(child, false), &path.name(key), removed);
                    }
                }
            }
        }),
        requirements: PRUNING,
        properties: &["inv-003-schema-monotony"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "drops-empty-objects-before-pruning",
        wrong: "empty objects are dropped, but those that pruning empties only by the next write",
        target: wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                for (name, field) in value.as_object_mut().into_iter().flatten() {
                    if name != "metadata" {
                        drop_empty(field);
                    }
                }
                Upstream.prune(value, schema, root)
            }
        }),
        requirements: &["PRUNE-012", "INV-001", "INV-009", "DEFAULT-020"],
        properties: &["inv-001-prune-is-idempotent"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-the-type-of-map-values",
        wrong: "a map is pruned by the properties of its values",
        target: wrong!(Pruning {
            fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
                match &schema.additional_properties {
                    Some(AdditionalProperties::Schema(values)) if schema.properties.is_empty() && !values.properties.is_empty() => {
                        values.properties.get(key).map_or(Child::Unknown, |_| Child::MapValue(Some(values)))
                    }
                    _ => Upstream.child(schema, key),
                }
            }
        }),
        requirements: &["PRUNE-004", "INV-008"],
        properties: &["inv-008-maps-are-value-wise"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
];

/// Removes empty objects from objects, at any depth; those that are left empty by that stay.
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
