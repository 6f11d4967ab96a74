//! Faults in defaulting.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use crdible::connection::Target;
use crdible_semantics::{
    Coercion, DecodeError, Decoded, Defaulting, FieldPath, Pruning, Schema, SchemaContext, Semantics, Validation,
    Violation, structural::Node, validate::Findings,
};
use serde_json::{Map, Value};

use crate::{
    server::Correct,
    table::{Fault, fault},
};

const DEFAULTING: &[&str] = &[
    "DEFAULT-001",
    "DEFAULT-002",
    "DEFAULT-004",
    "DEFAULT-005",
    "DEFAULT-006",
    "DEFAULT-020",
    "INV-009",
    "INV-010",
    "INV-015",
    "INV-018",
    "DEFAULT-019",
];

const STORED: &[&str] =
    &["DEFAULT-011", "DEFAULT-012", "DEFAULT-013", "DEFAULT-014", "DEFAULT-015", "INV-016", "LIFE-024"];

/// Applies defaults down to a depth.
fn default_down_to(levels: usize, value: &mut Value, schema: &Schema) {
    let Some(left) = levels.checked_sub(1) else { return };
    match value {
        Value::Object(object) => {
            for (name, property) in &schema.properties {
                if Correct.takes_default(object.get(name), property) {
                    object.extend(Correct.inserted_default(property).map(|default| (name.clone(), default)));
                } else if let Some(value) = object.get_mut(name) {
                    default_down_to(left, value, property);
                }
            }
            for (key, value) in object {
                if let Some(values) = schema.value_schema().filter(|_| !schema.properties.contains_key(key)) {
                    default_entry_down_to(left, value, values);
                }
            }
        }
        Value::Array(elements) => {
            for element in elements {
                if let Some(items) = schema.item_schema() {
                    default_entry_down_to(left, element, items);
                }
            }
        }
        _ => {}
    }
}

fn default_entry_down_to(levels: usize, value: &mut Value, schema: &Schema) {
    if Correct.takes_default(Some(value), schema) {
        *value = Correct.inserted_default(schema).unwrap_or_default();
    } else {
        default_down_to(levels, value, schema);
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(object) => object.is_empty(),
    }
}

/// What the correct [`RoundTrip::decode`] does before defaulting.
fn decode_without_defaults(
    semantics: &impl Semantics,
    object: &mut Value,
    schema: &Schema,
) -> Result<Decoded, DecodeError> {
    let mut unknown_fields = semantics.coerce_metadata(object)?;
    unknown_fields.extend(semantics.prune(object, schema, true));
    semantics.drop_nulls(object, schema);
    unknown_fields.extend(semantics.coerce_embedded(object, schema)?);
    Ok(Decoded { unknown_fields })
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("defaults-two-levels-only", "fields below the second level are not defaulted")
        .breaks(DEFAULTING)
        .caught_by(&["default-001-missing-property"])
        .server(wrong!(Defaulting {
            fn apply_defaults(&self, value: &mut Value, schema: &Schema) {
                default_down_to(2, value, schema);
            }
        })),
    fault("replaces-empty-values", "the default replaces an empty value")
        .breaks(DEFAULTING)
        .caught_by(&["inv-010-defaulting-only-adds", "default-004-recursion"])
        .within_lines(80)
        .server(wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                Correct.takes_default(present, schema)
                    || schema.default.is_some() && present.is_some_and(|value| !value.is_null() && is_empty(value))
            }
        })),
    fault("replaces-zeros", "the default replaces a 0")
        .breaks(DEFAULTING)
        .caught_by(&["inv-010-defaulting-only-adds"])
        .within_lines(100)
        .server(wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                Correct.takes_default(present, schema)
                    || schema.default.is_some() && present.is_some_and(|value| value.is_number() && is_empty(value))
            }
        })),
    fault("merges-the-default-of-the-parent", "keys of a parent's default are merged into a given object")
        .breaks(DEFAULTING)
        .caught_by(&["default-004-recursion"])
        .within_lines(30)
        .server(wrong!(Defaulting {
            fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
                if let (Some(Value::Object(given)), Some(Value::Object(default))) = (object.get_mut(name), &schema.default) {
                    for (key, value) in default {
                        given.entry(key).or_insert_with(|| value.clone());
                    }
                }
                if self.takes_default(object.get(name), schema) {
                    object.extend(self.inserted_default(schema).map(|default| (name.to_owned(), default)));
                } else if let Some(value) = object.get_mut(name) {
                    self.apply_defaults(value, schema);
                }
            }
        })),
    fault("defaults-no-elements", "objects in lists are not defaulted")
        .breaks(&["DEFAULT-001", "DEFAULT-002", "DEFAULT-004", "DEFAULT-005", "STRUCT-030", "INV-015"])
        .caught_by(&["default-001-missing-property", "struct-030-default-on-a-key"])
        .obvious()
        .server(wrong!(Defaulting {
            fn default_element(&self, _: &mut Value, _: &Schema) {}
        })),
    fault("defaults-no-map-values", "objects in maps are not defaulted")
        .breaks(&["DEFAULT-001", "DEFAULT-002", "DEFAULT-003", "DEFAULT-004", "DEFAULT-006"])
        .caught_by(&["default-001-missing-property", "default-006-map-values"])
        .obvious()
        .server(wrong!(Defaulting {
            fn default_map_value(&self, _: &mut Value, _: &Schema) {}
        })),
    fault("strips-empty-values-from-defaults", "empty values inside a default are left out")
        .breaks(DEFAULTING)
        .caught_by(&["inv-015-explicit-equals-implicit", "default-001-missing-property"])
        .within_lines(80)
        .server(wrong!(Defaulting {
            fn inserted_default(&self, schema: &Schema) -> Option<Value> {
                let mut value = schema.default.clone()?;
                if let Value::Object(object) = &mut value {
                    object.retain(|_, value| !is_empty(value));
                }
                self.apply_defaults(&mut value, schema);
                Some(value)
            }
        })),
    fault("replaces-values-of-the-wrong-type", "the default replaces a value of the wrong type")
        .breaks(&["DEFAULT-007"])
        .caught_by(&["default-007-type-mismatch"])
        .within_lines(30)
        .server(wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                let misfit = present.is_some_and(|value| !self.accepts_type(value, schema));
                schema.default.is_some() && (misfit || Correct.takes_default(present, schema))
            }
        })),
    fault("defaults-only-under-valid-quantifiers", "a property named by a branch is defaulted only if the branch holds")
        .breaks(&["DEFAULT-008"])
        .caught_by(&["default-008-quantifiers-never-default"])
        .within_lines(80)
        .server(wrong!(Defaulting {
            fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) {
                let given = Value::Object(object.clone());
                let branches = schema.any_of.iter().chain(&schema.one_of);
                let closed: Vec<&String> = branches
                    .filter(|branch| !self.value_violations(&given, branch).is_empty())
                    .flat_map(|branch| branch.properties.keys())
                    .collect();
                for (name, property) in &schema.properties {
                    if !closed.contains(&name) {
                        self.default_property(object, name, property);
                    }
                }
                let Some(values) = schema.value_schema() else { return };
                object.values_mut().for_each(|value| self.default_map_value(value, values));
            }
        })),
    fault("accepts-defaults-in-quantifiers", "a default inside a quantifier is accepted")
        .breaks(&["DEFAULT-008", "STRUCT-008"])
        .caught_by(&["default-008-quantifiers-never-default", "struct-008-forbidden-in-quantifiers"])
        .within_lines(90)
        .obvious()
        .server(wrong!(SchemaRules {
            fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
                keyword != "default" && Correct.branch_forbids(keyword, branch)
            }
        })),
    fault("counts-no-defaulted-keys", "minProperties and maxProperties do not count keys that have their default")
        .breaks(&["DEFAULT-009"])
        .caught_by(&["default-009-order"])
        .server(wrong!(Validation {
            fn check_key_count(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut own = object.clone();
                own.retain(|key, value| schema.properties.get(key).is_none_or(|property| property.default.as_ref() != Some(value)));
                Correct.check_key_count(&own, schema, path, findings);
            }
        })),
    fault("checks-required-before-defaulting", "required is checked before defaulting")
        .breaks(&["DEFAULT-009", "DEFAULT-017", "INV-014"])
        .caught_by(&[
            "inv-014-required-is-free-with-a-default",
            "default-009-order",
            "default-017-required-checks-presence",
        ])
        .within_lines(65)
        .obvious()
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
        })),
    fault("stores-no-defaults", "defaults are applied on read, never on write")
        .breaks(STORED)
        .caught_by(&["default-015-changed-default"])
        .within_lines(70)
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
        })),
    fault("defaults-no-updates", "defaults are stored on create, not on update")
        .breaks(&["INV-013", "DEFAULT-021", "REST-034"])
        .caught_by(&["inv-013-delete-equals-never-set"])
        .within_lines(60)
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = decode_without_defaults(self, object, schema)?;
                if !crate::metadata::was_stored(object) {
                    self.apply_defaults(object, schema);
                }
                Ok(decoded)
            }
        })),
    fault("defaults-by-the-storage-version-only", "a write at another version gets the defaults of the storage version")
        .breaks(&["DEFAULT-010", "DEFAULT-012", "DEFAULT-013", "DEFAULT-015"])
        .caught_by(&["default-010-request-defaulting", "default-013-double-defaulting"])
        .within_lines(60)
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
            fn encode(&self, object: &mut Value, storage_schema: &Schema) {
                self.convert(object, storage_schema);
                self.apply_defaults(object, storage_schema);
            }
        })),
    fault("defaults-no-reads", "defaults are applied on write, never on read")
        .breaks(STORED)
        .caught_by(&["default-011-storage-read", "inv-016-read-defaults-need-no-write"])
        .obvious()
        .server(wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                self.repair_metadata(stored);
                self.prune(stored, stored_schema, true);
                self.drop_nulls(stored, stored_schema);
                self.repair_embedded(stored, stored_schema);
                if !same_version {
                    self.convert(stored, requested_schema);
                }
            }
        })),
    fault("defaults-by-the-version-of-the-read", "a read at another version gets the defaults of that version")
        .breaks(&["DEFAULT-012", "DEFAULT-013"])
        .caught_by(&["default-012-no-defaulting-with-the-version-of-a-read"])
        .within_lines(50)
        .server(wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                Correct.read(stored, stored_schema, requested_schema, same_version);
                self.apply_defaults(stored, requested_schema);
            }
        })),
    fault("stores-storage-defaults", "a write at another version also stores defaults of the storage version")
        .breaks(&["DEFAULT-013"])
        .caught_by(&["default-013-double-defaulting"])
        .within_lines(110)
        .server(wrong!(RoundTrip {
            fn encode(&self, object: &mut Value, storage_schema: &Schema) {
                self.convert(object, storage_schema);
                self.apply_defaults(object, storage_schema);
            }
        })),
    fault("defaults-no-embedded-meta-fields", "defaults of meta fields of embedded objects are ignored")
        .breaks(&["DEFAULT-018", "STRUCT-020"])
        .caught_by(&["default-018-embedded-defaults", "struct-020-embedded-metadata-counts"])
        .obvious()
        .server(wrong!(Defaulting {
            fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) {
                for (name, property) in &schema.properties {
                    if !(schema.embedded_resource && ["apiVersion", "kind", "metadata"].contains(&name.as_str())) {
                        self.default_property(object, name, property);
                    }
                }
                let Some(values) = schema.value_schema() else { return };
                object.values_mut().for_each(|value| self.default_map_value(value, values));
            }
        })),
    fault("defaults-one-level-per-write", "an applied default gets its own defaults only by the next write")
        .breaks(DEFAULTING)
        .caught_by(&["default-020-idempotence", "inv-009-default-is-idempotent", "default-004-recursion"])
        .within_lines(60)
        .server(wrong!(Defaulting {
            fn inserted_default(&self, schema: &Schema) -> Option<Value> {
                schema.default.clone()
            }
        } RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                if !same_version {
                    Correct.read(stored, stored_schema, requested_schema, same_version);
                }
            }
        })),
    fault("shares-defaults", "all objects share one copy of a default, so that changing it in one changes it in all")
        .breaks(&["DEFAULT-019", "INV-018"])
        .caught_by(&["default-019-deep-copy", "inv-018-independent-copies"])
        .within_lines(140)
        .server(|| Target::embedded(Arc::new(SharesDefaults { changed: Mutex::default() }))),
    fault("accepts-defaults-that-need-defaults", "a default may lack a required field with a default of its own")
        .breaks(&["DEFAULT-009", "INV-014"])
        .caught_by(&["default-009-order"])
        .within_lines(60)
        .by_example_only()
        .server(wrong!(SchemaRules {
            fn default_violations(&self, root: &Node<'_>, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Correct.default_violations(root, &mut all);
                found.extend(all.into_iter().filter(|violation| violation.reason != crdible_semantics::Reason::Required));
            }
        })),
];

/// Shares one copy of each default: once a client changes it in one object, all objects with the default have the change.
#[derive(Debug)]
struct SharesDefaults {
    /// The changed default of each property.
    changed: Mutex<BTreeMap<String, Value>>,
}

implement_at_release!(SharesDefaults; SchemaRules {
    fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
        // A written definition is compiled again, with its defaults.
        self.changed.lock().unwrap().clear();
        Correct.schema_violations(root, context)
    }
} Defaulting {
    fn inserted_default(&self, schema: &Schema) -> Option<Value> {
        let changed = self.changed.lock().unwrap().get(&schema.to_json().to_string()).cloned();
        changed.or_else(|| Correct.inserted_default(schema))
    }

    fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
        match (object.get(name), &schema.default) {
            (Some(present @ (Value::Object(_) | Value::Array(_))), Some(default)) if present == default => {
                object.extend(self.inserted_default(schema).map(|shared| (name.to_owned(), shared)));
            }
            (Some(present @ (Value::Object(_) | Value::Array(_))), Some(_)) => {
                self.changed.lock().unwrap().insert(schema.to_json().to_string(), present.clone());
            }
            (Some(_), _) => {
                if let Some(value) = object.get_mut(name) {
                    self.apply_defaults(value, schema);
                }
            }
            (None, _) => object.extend(self.inserted_default(schema).map(|shared| (name.to_owned(), shared))),
        }
    }
});
