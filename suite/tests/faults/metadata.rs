//! Faults around metadata and embedded objects.

use crdible_semantics::{Coercion, DecodeError, FieldPath, Schema, Semantics, Validation, Violation, WrongType, with};
use serde_json::{Map, Value};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

const EMBEDDED: &[&str] = &["PRUNE-014", "PRUNE-015", "PRUNE-017", "PRUNE-018", "STRUCT-021"];

/// Whether an object was stored before: only then it has a revision.
pub(crate) fn was_stored(object: &Value) -> bool {
    object.pointer("/metadata/resourceVersion").is_some()
}

/// Whether a violation is reported at this field of an embedded object.
fn is_at(violation: &Violation, field: &str) -> bool {
    violation.field == field || violation.field.ends_with(&format!(".{field}"))
}

/// Reports what the correct function finds in an embedded object, except for some violations.
fn check_embedded_except(
    object: &Map<String, Value>,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
    is_omitted: fn(&Violation) -> bool,
) {
    let mut all = Vec::new();
    correct().check_embedded_object(object, path, &mut all);
    found.extend(all.into_iter().filter(|violation| !is_omitted(violation)));
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("prunes-root-metadata-by-schema", "root metadata is pruned by the schema")
        .breaks(&["PRUNE-013"], &["prune-013-root-meta-fields"])
        .within_lines(30)
        .semantics(with::prune(|_, value, schema, root| {
            if let (true, Some(declared), Some(metadata)) =
                (root, schema.properties.get("metadata"), value.get_mut("metadata"))
                && !declared.properties.is_empty()
            {
                let keeps = ["resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "name"];
                metadata.as_object_mut().into_iter().for_each(|metadata| {
                    metadata.retain(|key, _| keeps.contains(&key.as_str()) || declared.properties.contains_key(key));
                });
            }
            correct().prune(value, schema, root)
        })),
    obvious_fault(
        "prunes-embedded-metadata",
        "undeclared apiVersion, kind and metadata of embedded objects are pruned",
    )
    .breaks(EMBEDDED, &["prune-014-embedded-meta-fields", "prune-017-embedded-metadata"])
    .blamed(&["PRUNE-014", "PRUNE-015", "PRUNE-017"])
    .semantics(with::keeps_meta_fields(|_, _, root| root)),
    fault("prunes-declared-embedded-metadata", "metadata of embedded objects is pruned if it declares properties")
        .breaks(EMBEDDED, &["prune-014-embedded-meta-fields"])
        .within_lines(40)
        .blamed(&["PRUNE-014"])
        .semantics(with::keeps_meta_fields(|_, schema, root| {
            let declares = schema.properties.get("metadata").is_some_and(|metadata| !metadata.properties.is_empty());
            root || schema.embedded_resource && !(declares && schema.properties.len() == 2)
        })),
    fault("keeps-meta-keys-everywhere", "every object keeps undeclared apiVersion, kind and metadata")
        .breaks(
            &["PRUNE-001", "PRUNE-014", "PRUNE-015", "STRUCT-021"],
            &["struct-021-user-metadata", "prune-014-embedded-meta-fields"],
        )
        .blamed(&["STRUCT-021", "PRUNE-015", "PRUNE-014"])
        .by_example_only()
        .semantics(with::keeps_meta_fields(|_, _, _| true)),
    obvious_fault("keeps-unknown-root-metadata", "unknown fields of root metadata are kept")
        .breaks(&["PRUNE-016"], &["prune-016-root-metadata"])
        .within_lines(30)
        .semantics(with::coerce_metadata(|_, _| Ok(Vec::new()))),
    fault("reports-no-unknown-root-metadata", "unknown fields of root metadata are dropped but not reported")
        .breaks(&["PRUNE-016"], &["prune-016-root-metadata"])
        .within_lines(30)
        .semantics(with::coerce_metadata(|_, object| correct().coerce_metadata(object).map(|_| Vec::new()))),
    obvious_fault("keeps-unknown-embedded-metadata", "unknown fields in the metadata of embedded objects are kept")
        .breaks(EMBEDDED, &["prune-017-embedded-metadata"])
        .blamed(&["PRUNE-017"])
        .semantics(Semantics {
            coercion: Coercion {
                coerce_embedded: |_, _, _| Ok(Vec::new()),
                repair_embedded: |_, _, _| {},
                ..Coercion::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
    fault(
        "keeps-unknown-embedded-metadata-in-lists",
        "embedded objects in lists keep unknown fields in their metadata",
    )
    .breaks(EMBEDDED, &["prune-017-embedded-metadata"])
    .blamed(&["PRUNE-017"])
    .semantics(with::coerce_node(|_, value, schema, path, wrong, unknown| {
        let mut without_lists = schema.clone();
        remove_items(&mut without_lists);
        correct().coerce_node(value, &without_lists, path, wrong, unknown)
    })),
    fault("keeps-unknown-embedded-metadata-in-maps", "embedded objects in maps keep unknown fields in their metadata")
        .breaks(EMBEDDED, &["prune-017-embedded-metadata"])
        .blamed(&["PRUNE-017"])
        .semantics(with::coerce_node(|semantics, value, schema, path, wrong, unknown| {
            if schema.value_schema().is_some() {
                return Ok(());
            }
            (Coercion::CORRECT.coerce_node)(semantics, value, schema, path, wrong, unknown)
        })),
    fault("rejects-generation-zero", "a generation of 0 in root metadata is rejected")
        .breaks(&["PRUNE-016"], &["prune-016-root-metadata"])
        .by_example_only()
        .semantics(with::coerce_metadata(|_, object| {
            if object.pointer("/metadata/generation").and_then(Value::as_i64) == Some(0) {
                return Err(decode_error("metadata.generation"));
            }
            correct().coerce_metadata(object)
        })),
    fault("rejects-bodies-without-metadata", "a body without metadata cannot be decoded")
        .breaks(&["PRUNE-016"], &["prune-016-root-metadata"])
        .within_lines(40)
        .by_example_only()
        .semantics(with::coerce_metadata(|_, object| {
            if object.get("metadata").is_none() {
                return Err(decode_error("metadata"));
            }
            correct().coerce_metadata(object)
        })),
    fault("keeps-empty-labels", "empty labels in metadata are kept")
        .breaks(&["PRUNE-016", "PRUNE-017"], &["prune-016-root-metadata"])
        .blamed(&["PRUNE-016"])
        .by_example_only()
        .semantics(with::coerce_object_meta(|_, metadata, path, wrong, unknown| {
            let empty = metadata.get("labels").filter(|labels| labels.as_object().is_some_and(Map::is_empty)).cloned();
            let outcome = correct().coerce_object_meta(metadata, path, wrong, unknown);
            if let (Some(labels), Value::Object(metadata)) = (empty, metadata) {
                metadata.insert("labels".to_owned(), labels);
            }
            outcome
        })),
    fault("keeps-null-as-embedded-metadata", "metadata: null of an embedded object is kept")
        .breaks(EMBEDDED, &["prune-017-embedded-corners"])
        .blamed(&["PRUNE-017"])
        .within_lines(110)
        .by_example_only()
        .semantics(with::coerce_object_meta(|_, metadata, path, wrong, unknown| {
            if metadata.is_null() {
                return Ok(());
            }
            correct().coerce_object_meta(metadata, path, wrong, unknown)
        })),
    fault("drops-invalid-embedded-api-versions", "an apiVersion of an embedded object that is no string is dropped")
        .breaks(EMBEDDED, &["prune-017-embedded-metadata"])
        .blamed(&["PRUNE-017"])
        .semantics(with::coerce_embedded(|semantics, value, schema| {
            let mut unknown = Vec::new();
            semantics.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut unknown)?;
            unknown.sort();
            Ok(unknown)
        })),
    obvious_fault("validates-no-embedded-objects", "embedded objects need neither apiVersion nor kind")
        .breaks(EMBEDDED, &["prune-018-embedded-validation", "prune-018-no-ratcheting"])
        .within_lines(40)
        .blamed(&["PRUNE-018"])
        .semantics(with::check_embedded_object(|_, _, _, _| {})),
    fault("accepts-embedded-objects-without-kind", "embedded objects need no kind")
        .breaks(EMBEDDED, &["prune-018-embedded-validation", "prune-018-no-ratcheting"])
        .within_lines(40)
        .blamed(&["PRUNE-018"])
        .semantics(with::check_embedded_object(|_, object, path, found| {
            check_embedded_except(object, path, found, |violation| is_at(violation, "kind"))
        })),
    fault("validates-no-embedded-metadata", "labels and names of embedded objects are not validated")
        .breaks(EMBEDDED, &["prune-018-embedded-validation"])
        .blamed(&["PRUNE-018"])
        .within_lines(30)
        .semantics(with::check_embedded_object(|_, object, path, found| {
            check_embedded_except(object, path, found, |violation| violation.field.contains("metadata"))
        })),
    fault("ratchets-embedded-objects", "embedded objects are validated on create, not on update")
        .breaks(&["PRUNE-018"], &["prune-018-no-ratcheting"])
        .within_lines(40)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            found.retain(|violation| old.is_none() || violation.requirement != "PRUNE-018");
            found
        })),
    fault("coerces-any-metadata", "a property metadata below the root is coerced like that of a resource")
        .breaks(&["STRUCT-021", "PRUNE-015"], &["struct-021-user-metadata"])
        .blamed(&["STRUCT-021"])
        .by_example_only()
        .semantics(Semantics {
            coercion: Coercion {
                coerces_embedded: |_, schema| {
                    schema.embedded_resource
                        || schema.properties.get("metadata").is_some_and(|metadata| metadata.type_name == "object")
                },
                ..Coercion::CORRECT
            },
            validation: Validation {
                check_embedded: |_, value, schema, path, found| correct().check_embedded(value, schema, path, found),
                ..Validation::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
];

fn decode_error(field: &str) -> DecodeError {
    DecodeError { field: field.to_owned(), detail: "is not accepted".to_owned() }
}

/// Removes `items` from a schema.
fn remove_items(schema: &mut Schema) {
    schema.items = None;
    schema.properties.values_mut().for_each(remove_items);
    if let Some(crdible_semantics::schema::AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        remove_items(values);
    }
}
