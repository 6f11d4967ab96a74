//! Faults in defaulting.

use std::{cell::RefCell, collections::BTreeMap};

use crdible_semantics::{DecodeError, Decoded, Defaulting, RoundTrip, Schema, SchemaRules, Semantics, with};
use serde_json::Value;

use crate::{
    server::{correct, embedded},
    table::{Fault, fault, obvious_fault},
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
                if correct().takes_default(object.get(name), property) {
                    object.extend(correct().inserted_default(property).map(|default| (name.clone(), default)));
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
    if correct().takes_default(Some(value), schema) {
        *value = correct().inserted_default(schema).unwrap_or_default();
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
fn decode_without_defaults(semantics: &Semantics, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
    let mut unknown_fields = semantics.coerce_metadata(object)?;
    unknown_fields.extend(semantics.prune(object, schema, true));
    semantics.drop_nulls(object, schema);
    unknown_fields.extend(semantics.coerce_embedded(object, schema)?);
    Ok(Decoded { unknown_fields })
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("defaults-two-levels-only", "fields below the second level are not defaulted")
        .breaks(DEFAULTING, &["default-001-missing-property"])
        .semantics(with::apply_defaults(|_, value, schema| default_down_to(2, value, schema))),
    fault("replaces-empty-values", "the default replaces an empty value")
        .breaks(DEFAULTING, &["inv-010-defaulting-only-adds", "default-004-recursion"])
        .within_lines(80)
        .semantics(with::takes_default(|_, present, schema| {
            correct().takes_default(present, schema)
                || schema.default.is_some() && present.is_some_and(|value| !value.is_null() && is_empty(value))
        })),
    fault("replaces-zeros", "the default replaces a 0")
        .breaks(DEFAULTING, &["inv-010-defaulting-only-adds"])
        .blamed(&["INV-010"])
        .within_lines(100)
        .semantics(with::takes_default(|_, present, schema| {
            correct().takes_default(present, schema)
                || schema.default.is_some() && present.is_some_and(|value| value.is_number() && is_empty(value))
        })),
    fault("merges-the-default-of-the-parent", "keys of a parent's default are merged into a given object")
        .breaks(DEFAULTING, &["default-004-recursion"])
        .within_lines(30)
        .semantics(with::default_property(|semantics, object, name, schema| {
            if let (Some(Value::Object(given)), Some(Value::Object(default))) = (object.get_mut(name), &schema.default)
            {
                for (key, value) in default {
                    given.entry(key).or_insert_with(|| value.clone());
                }
            }
            if semantics.takes_default(object.get(name), schema) {
                object.extend(semantics.inserted_default(schema).map(|default| (name.to_owned(), default)));
            } else if let Some(value) = object.get_mut(name) {
                semantics.apply_defaults(value, schema);
            }
        })),
    obvious_fault("defaults-no-elements", "objects in lists are not defaulted")
        .breaks(
            &["DEFAULT-001", "DEFAULT-002", "DEFAULT-004", "DEFAULT-005", "STRUCT-030", "INV-015"],
            &["default-001-missing-property", "struct-030-default-on-a-key"],
        )
        .semantics(with::default_element(|_, _, _| {})),
    obvious_fault("defaults-no-map-values", "objects in maps are not defaulted")
        .breaks(
            &["DEFAULT-001", "DEFAULT-002", "DEFAULT-003", "DEFAULT-004", "DEFAULT-006"],
            &["default-001-missing-property", "default-006-map-values"],
        )
        .semantics(with::default_map_value(|_, _, _| {})),
    fault("strips-empty-values-from-defaults", "empty values inside a default are left out")
        .breaks(DEFAULTING, &["inv-015-explicit-equals-implicit", "default-001-missing-property"])
        .within_lines(80)
        .semantics(with::inserted_default(|semantics, schema| {
            let mut value = schema.default.clone()?;
            if let Value::Object(object) = &mut value {
                object.retain(|_, value| !is_empty(value));
            }
            semantics.apply_defaults(&mut value, schema);
            Some(value)
        })),
    fault("replaces-values-of-the-wrong-type", "the default replaces a value of the wrong type")
        .breaks(&["DEFAULT-007"], &["default-007-type-mismatch"])
        .within_lines(30)
        .semantics(with::takes_default(|semantics, present, schema| {
            let misfit = present.is_some_and(|value| !semantics.accepts_type(value, schema));
            schema.default.is_some() && (misfit || correct().takes_default(present, schema))
        })),
    fault(
        "defaults-only-under-valid-quantifiers",
        "a property named by a branch is defaulted only if the branch holds",
    )
    .breaks(&["DEFAULT-008"], &["default-008-quantifiers-never-default"])
    .within_lines(80)
    .semantics(with::default_object(|semantics, object, schema| {
        let given = Value::Object(object.clone());
        let branches = schema.any_of.iter().chain(&schema.one_of);
        let closed: Vec<&String> = branches
            .filter(|branch| !semantics.value_violations(&given, branch).is_empty())
            .flat_map(|branch| branch.properties.keys())
            .collect();
        for (name, property) in &schema.properties {
            if !closed.contains(&name) {
                semantics.default_property(object, name, property);
            }
        }
        let Some(values) = schema.value_schema() else { return };
        object.values_mut().for_each(|value| semantics.default_map_value(value, values));
    })),
    obvious_fault("accepts-defaults-in-quantifiers", "a default inside a quantifier is accepted")
        .breaks(
            &["DEFAULT-008", "STRUCT-008"],
            &["default-008-quantifiers-never-default", "struct-008-forbidden-in-quantifiers"],
        )
        .within_lines(90)
        .semantics(with::branch_forbids(|_, keyword, branch| {
            keyword != "default" && correct().branch_forbids(keyword, branch)
        })),
    fault("counts-no-defaulted-keys", "minProperties and maxProperties do not count keys that have their default")
        .breaks(&["DEFAULT-009"], &["default-009-order"])
        .semantics(with::check_key_count(|_, object, schema, path, findings| {
            let mut own = object.clone();
            own.retain(|key, value| {
                schema.properties.get(key).is_none_or(|property| property.default.as_ref() != Some(value))
            });
            correct().check_key_count(&own, schema, path, findings);
        })),
    obvious_fault("checks-required-before-defaulting", "required is checked before defaulting")
        .breaks(
            &["DEFAULT-009", "DEFAULT-017", "INV-014"],
            &["inv-014-required-is-free-with-a-default", "default-009-order", "default-017-required-checks-presence"],
        )
        .within_lines(65)
        .semantics(with::decode(decode_without_defaults)),
    fault("stores-no-defaults", "defaults are applied on read, never on write")
        .breaks(STORED, &["default-015-changed-default"])
        .within_lines(70)
        .semantics(with::decode(decode_without_defaults)),
    fault("defaults-no-updates", "defaults are stored on create, not on update")
        .breaks(&["INV-013", "DEFAULT-021", "REST-034"], &["inv-013-delete-equals-never-set"])
        .within_lines(60)
        .semantics(with::decode(|semantics, object, schema| {
            let decoded = decode_without_defaults(semantics, object, schema)?;
            if !crate::metadata::was_stored(object) {
                semantics.apply_defaults(object, schema);
            }
            Ok(decoded)
        })),
    fault(
        "defaults-by-the-storage-version-only",
        "a write at another version gets the defaults of the storage version",
    )
    .breaks(
        &["DEFAULT-010", "DEFAULT-012", "DEFAULT-013", "DEFAULT-015"],
        &["default-010-request-defaulting", "default-013-double-defaulting"],
    )
    .within_lines(60)
    .semantics(Semantics {
        round_trip: RoundTrip {
            decode: decode_without_defaults,
            encode: |semantics, object, storage_schema| {
                semantics.convert(object, storage_schema);
                semantics.apply_defaults(object, storage_schema);
            },
            ..RoundTrip::CORRECT
        },
        ..Semantics::UPSTREAM
    }),
    obvious_fault("defaults-no-reads", "defaults are applied on write, never on read")
        .breaks(STORED, &["default-011-storage-read", "inv-016-read-defaults-need-no-write"])
        .blamed(&["DEFAULT-011", "INV-016"])
        .semantics(with::read(|semantics, stored, stored_schema, requested_schema, same_version| {
            semantics.repair_metadata(stored);
            semantics.prune(stored, stored_schema, true);
            semantics.drop_nulls(stored, stored_schema);
            semantics.repair_embedded(stored, stored_schema);
            if !same_version {
                semantics.convert(stored, requested_schema);
            }
        })),
    fault("defaults-by-the-version-of-the-read", "a read at another version gets the defaults of that version")
        .breaks(&["DEFAULT-012", "DEFAULT-013"], &["default-012-no-defaulting-with-the-version-of-a-read"])
        .within_lines(50)
        .semantics(with::read(|semantics, stored, stored_schema, requested_schema, same_version| {
            correct().read(stored, stored_schema, requested_schema, same_version);
            semantics.apply_defaults(stored, requested_schema);
        })),
    fault("stores-storage-defaults", "a write at another version also stores defaults of the storage version")
        .breaks(&["DEFAULT-013"], &["default-013-double-defaulting"])
        .within_lines(110)
        .semantics(with::encode(|semantics, object, storage_schema| {
            semantics.convert(object, storage_schema);
            semantics.apply_defaults(object, storage_schema);
        })),
    obvious_fault("defaults-no-embedded-meta-fields", "defaults of meta fields of embedded objects are ignored")
        .breaks(
            &["DEFAULT-018", "STRUCT-020"],
            &["default-018-embedded-defaults", "struct-020-embedded-metadata-counts"],
        )
        .semantics(with::default_object(|semantics, object, schema| {
            for (name, property) in &schema.properties {
                if !(schema.embedded_resource && ["apiVersion", "kind", "metadata"].contains(&name.as_str())) {
                    semantics.default_property(object, name, property);
                }
            }
            let Some(values) = schema.value_schema() else { return };
            object.values_mut().for_each(|value| semantics.default_map_value(value, values));
        })),
    fault("defaults-one-level-per-write", "an applied default gets its own defaults only by the next write")
        .breaks(DEFAULTING, &["default-020-idempotence", "inv-009-default-is-idempotent", "default-004-recursion"])
        .blamed(&["DEFAULT-004", "DEFAULT-020", "INV-009"])
        .within_lines(60)
        .semantics(Semantics {
            defaulting: Defaulting { inserted_default: |_, schema| schema.default.clone(), ..Defaulting::CORRECT },
            round_trip: RoundTrip {
                read: |_, stored, stored_schema, requested_schema, same_version| {
                    if !same_version {
                        correct().read(stored, stored_schema, requested_schema, same_version);
                    }
                },
                ..RoundTrip::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
    fault("shares-defaults", "all objects share one copy of a default, so that changing it in one changes it in all")
        .breaks(&["DEFAULT-019", "INV-018"], &["default-019-deep-copy", "inv-018-independent-copies"])
        .within_lines(140)
        .server(|| {
            CHANGED.take();
            embedded(SHARES_DEFAULTS)
        }),
    fault("accepts-defaults-that-need-defaults", "a default may lack a required field with a default of its own")
        .breaks(&["DEFAULT-009", "INV-014"], &["default-009-order"])
        .within_lines(60)
        .by_example_only()
        .semantics(with::default_violations(|_, root, found| {
            let mut all = Vec::new();
            correct().default_violations(root, &mut all);
            found.extend(all.into_iter().filter(|violation| violation.reason != crdible_semantics::Reason::Required));
        })),
];

thread_local! {
    /// The changed default of each property, which all objects of the server of this thread share.
    static CHANGED: RefCell<BTreeMap<String, Value>> = const { RefCell::new(BTreeMap::new()) };
}

/// Shares one copy of each default: once a client changes it in one object, all objects with the default have
/// the change.
const SHARES_DEFAULTS: Semantics = Semantics {
    schema_rules: SchemaRules {
        schema_violations: |_, root, context| {
            // A written definition is compiled again, with its defaults.
            CHANGED.take();
            correct().schema_violations(root, context)
        },
        ..SchemaRules::CORRECT
    },
    defaulting: Defaulting {
        inserted_default: |_, schema| {
            let changed = CHANGED.with_borrow(|changed| changed.get(&schema.to_json().to_string()).cloned());
            changed.or_else(|| correct().inserted_default(schema))
        },
        default_property: |semantics, object, name, schema| match (object.get(name), &schema.default) {
            (Some(present @ (Value::Object(_) | Value::Array(_))), Some(default)) if present == default => {
                object.extend(semantics.inserted_default(schema).map(|shared| (name.to_owned(), shared)));
            }
            (Some(present @ (Value::Object(_) | Value::Array(_))), Some(_)) => {
                CHANGED.with_borrow_mut(|changed| changed.insert(schema.to_json().to_string(), present.clone()));
            }
            (Some(_), _) => {
                if let Some(value) = object.get_mut(name) {
                    semantics.apply_defaults(value, schema);
                }
            }
            (None, _) => object.extend(semantics.inserted_default(schema).map(|shared| (name.to_owned(), shared))),
        },
        ..Defaulting::CORRECT
    },
    ..Semantics::UPSTREAM
};
