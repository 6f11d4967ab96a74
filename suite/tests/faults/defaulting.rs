//! Faults in filling in defaults.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use crdible::connection::Target;
use crdible_semantics::{
    Coercion, DecodeError, Decoded, Defaulting, FieldPath, Pruning, Schema, SchemaContext, Semantics, Upstream,
    Validation, Violation, implement_semantics, structural::Node, validate::Findings,
};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

const FILLING: &[&str] = &[
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

/// Fills in defaults down to a depth.
fn default_down_to(levels: usize, value: &mut Value, schema: &Schema) {
    let Some(left) = levels.checked_sub(1) else { return };
    match value {
        Value::Object(object) => {
            for (name, property) in &schema.properties {
                if Upstream.takes_default(object.get(name), property) {
                    object.extend(Upstream.inserted_default(property).map(|default| (name.clone(), default)));
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
    if Upstream.takes_default(Some(value), schema) {
        *value = Upstream.inserted_default(schema).unwrap_or_default();
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

/// What the right [`RoundTrip::decode`] does before it fills in defaults.
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
    Fault {
        name: "defaults-two-levels-only",
        wrong: "nothing is filled in below the second level",
        target: wrong!(Defaulting {
            fn apply_defaults(&self, value: &mut Value, schema: &Schema) {
                default_down_to(2, value, schema);
            }
        }),
        requirements: FILLING,
        properties: &["default-001-missing-property"],
        largest: 45,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-empty-values",
        wrong: "a default is applied to a present empty value",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                Upstream.takes_default(present, schema) || schema.default.is_some() && present.is_some_and(|value| !value.is_null() && is_empty(value))
            }
        }),
        requirements: FILLING,
        properties: &["inv-010-defaulting-only-adds", "default-004-recursion"],
        largest: 80,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-zeros",
        wrong: "a default is applied to a present 0",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                Upstream.takes_default(present, schema) || schema.default.is_some() && present.is_some_and(|value| value.is_number() && is_empty(value))
            }
        }),
        requirements: FILLING,
        properties: &["inv-010-defaulting-only-adds"],
        largest: 100,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "merges-the-default-of-the-parent",
        wrong: "keys of a parent's default are added to the object that is given",
        target: wrong!(Defaulting {
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
        }),
        requirements: FILLING,
        properties: &["default-004-recursion"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-elements",
        wrong: "objects in lists get no defaults",
        target: wrong!(Defaulting {
            fn default_element(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: &["DEFAULT-001", "DEFAULT-002", "DEFAULT-004", "DEFAULT-005", "STRUCT-030", "INV-015"],
        properties: &["default-001-missing-property", "struct-030-default-on-a-key"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-map-values",
        wrong: "objects in maps get no defaults",
        target: wrong!(Defaulting {
            fn default_map_value(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: &["DEFAULT-001", "DEFAULT-002", "DEFAULT-003", "DEFAULT-004", "DEFAULT-006"],
        properties: &["default-001-missing-property", "default-006-map-values"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "strips-inserted-defaults",
        wrong: "empty values inside a default are not inserted",
        target: wrong!(Defaulting {
            fn inserted_default(&self, schema: &Schema) -> Option<Value> {
                let mut value = schema.default.clone()?;
                if let Value::Object(object) = &mut value {
                    object.retain(|_, value| !is_empty(value));
                }
                self.apply_defaults(&mut value, schema);
                Some(value)
            }
        }),
        requirements: FILLING,
        properties: &["inv-015-explicit-equals-implicit", "default-001-missing-property"],
        largest: 80,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-values-of-the-wrong-type",
        wrong: "a value of the wrong type is replaced by the default",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                let misfit = present.is_some_and(|value| !self.accepts_type(value, schema));
                schema.default.is_some() && (misfit || Upstream.takes_default(present, schema))
            }
        }),
        requirements: &["DEFAULT-007"],
        properties: &["default-007-type-mismatch"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "leaves-defaults-to-branches",
        wrong: "a property that a branch speaks of is filled in only if the branch holds",
        target: wrong!(Defaulting {
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
        }),
        requirements: &["DEFAULT-008"],
        properties: &["default-008-quantifiers-never-default"],
        largest: 80,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "allows-defaults-in-branches",
        wrong: "a default inside a quantifier is accepted",
        target: wrong!(SchemaRules {
            fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
                keyword != "default" && Upstream.branch_forbids(keyword, branch)
            }
        }),
        requirements: &["DEFAULT-008", "STRUCT-008"],
        properties: &["default-008-quantifiers-never-default", "struct-008-forbidden-in-quantifiers"],
        largest: 90,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-keys-without-defaults",
        wrong: "keys that hold their default do not count for minProperties and maxProperties",
        target: wrong!(Validation {
            fn check_key_count(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut own = object.clone();
                own.retain(|key, value| schema.properties.get(key).is_none_or(|property| property.default.as_ref() != Some(value)));
                Upstream.check_key_count(&own, schema, path, findings);
            }
        }),
        requirements: &["DEFAULT-009"],
        properties: &["default-009-order"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "requires-what-has-a-default",
        wrong: "required is checked before defaults are filled in",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
        }),
        requirements: &["DEFAULT-009", "DEFAULT-017", "INV-014"],
        properties: &[
            "inv-014-required-is-free-with-a-default",
            "default-009-order",
            "default-017-required-checks-presence",
        ],
        largest: 65,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-no-defaults",
        wrong: "defaults are filled in when an object is read, never when it is written",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
        }),
        requirements: STORED,
        properties: &["default-015-changed-default"],
        largest: 70,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-updates",
        wrong: "defaults are stored when an object is created, not when it is updated",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = decode_without_defaults(self, object, schema)?;
                if !crate::coercion::was_stored(object) {
                    self.apply_defaults(object, schema);
                }
                Ok(decoded)
            }
        }),
        requirements: &["INV-013", "DEFAULT-021", "REST-034"],
        properties: &["inv-013-delete-equals-never-set"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-by-the-storage-version-only",
        wrong: "a write at another version gets the defaults of the version that is stored",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                decode_without_defaults(self, object, schema)
            }
            fn encode(&self, object: &mut Value, storage_schema: &Schema) {
                self.convert(object, storage_schema);
                self.apply_defaults(object, storage_schema);
            }
        }),
        requirements: &["DEFAULT-010", "DEFAULT-012", "DEFAULT-013", "DEFAULT-015"],
        properties: &["default-010-request-defaulting", "default-013-double-defaulting"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-reads",
        wrong: "defaults are filled in when an object is written, never when it is read",
        target: wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                self.repair_metadata(stored);
                self.prune(stored, stored_schema, true);
                self.drop_nulls(stored, stored_schema);
                self.repair_embedded(stored, stored_schema);
                if !same_version {
                    self.convert(stored, requested_schema);
                }
            }
        }),
        requirements: STORED,
        properties: &["default-011-storage-read", "inv-016-read-defaults-need-no-write"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-by-the-version-of-the-read",
        wrong: "a read at another version gets the defaults of that version",
        target: wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                Upstream.read(stored, stored_schema, requested_schema, same_version);
                self.apply_defaults(stored, requested_schema);
            }
        }),
        requirements: &["DEFAULT-012", "DEFAULT-013"],
        properties: &["default-012-no-defaulting-with-the-version-of-a-read"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-the-defaults-of-the-stored-version",
        wrong: "a write at another version stores the defaults of the stored version, too",
        target: wrong!(RoundTrip {
            fn encode(&self, object: &mut Value, storage_schema: &Schema) {
                self.convert(object, storage_schema);
                self.apply_defaults(object, storage_schema);
            }
        }),
        requirements: &["DEFAULT-013"],
        properties: &["default-013-double-defaulting"],
        largest: 110,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-embedded-types",
        wrong: "declared defaults of apiVersion, kind and metadata of embedded objects are ignored",
        target: wrong!(Defaulting {
            fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) {
                for (name, property) in &schema.properties {
                    if !(schema.embedded_resource && ["apiVersion", "kind", "metadata"].contains(&name.as_str())) {
                        self.default_property(object, name, property);
                    }
                }
                let Some(values) = schema.value_schema() else { return };
                object.values_mut().for_each(|value| self.default_map_value(value, values));
            }
        }),
        requirements: &["DEFAULT-018", "STRUCT-020"],
        properties: &["default-018-embedded-defaults", "struct-020-embedded-metadata-counts"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "completes-one-level-a-write",
        wrong: "an inserted default is completed only by the next write",
        target: wrong!(Defaulting {
            fn inserted_default(&self, schema: &Schema) -> Option<Value> {
                schema.default.clone()
            }
        } RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                if !same_version {
                    Upstream.read(stored, stored_schema, requested_schema, same_version);
                }
            }
        }),
        requirements: FILLING,
        properties: &["default-020-idempotence", "inv-009-default-is-idempotent", "default-004-recursion"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "shares-defaults",
        wrong: "all objects share one copy of a default, so that changing it in one changes it in all",
        target: || Target::embedded(Arc::new(Shared { changed: Mutex::default() })),
        requirements: &["DEFAULT-019", "INV-018"],
        properties: &["default-019-deep-copy", "inv-018-independent-copies"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-defaults-that-need-completing",
        wrong: "a default that lacks a required key with a default of its own is accepted",
        target: wrong!(SchemaRules {
            fn default_violations(&self, root: &Node<'_>, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.default_violations(root, &mut all);
                found.extend(all.into_iter().filter(|violation| violation.reason != crdible_semantics::Reason::Required));
            }
        }),
        requirements: &["DEFAULT-009", "INV-014"],
        properties: &["default-009-order"],
        largest: 60,
        subtle: true,
        finder: Finder::Examples,
    },
];

/// Hands out one copy of each default: once a client has changed it in one object, every object that has it has the change.
#[derive(Debug)]
struct Shared {
    /// What became of the default of each property.
    changed: Mutex<BTreeMap<String, Value>>,
}

implement_semantics!(Shared; SchemaRules {
    fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
        // A definition is compiled anew, and its defaults with it.
        self.changed.lock().unwrap().clear();
        Upstream.schema_violations(root, context)
    }
} Defaulting {
    fn inserted_default(&self, schema: &Schema) -> Option<Value> {
        let changed = self.changed.lock().unwrap().get(&schema.to_json().to_string()).cloned();
        changed.or_else(|| Upstream.inserted_default(schema))
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
