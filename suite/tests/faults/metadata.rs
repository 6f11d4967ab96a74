//! Faults around metadata and embedded objects.

use crdible_semantics::{DecodeError, FieldPath, Schema, Validation, ValidationContext, Violation, WrongType, coerce};
use serde_json::{Map, Value};

use crate::{
    server::Correct,
    table::{Fault, fault},
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
    Correct.check_embedded_object(object, path, &mut all);
    found.extend(all.into_iter().filter(|violation| !is_omitted(violation)));
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("prunes-root-metadata-by-schema", "root metadata is pruned by the schema")
        .breaks(&["PRUNE-013"])
        .blamed(&["PRUNE-013"])
        .caught_by(&["prune-013-root-meta-fields"])
        .within_lines(30)
        .server(wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                if let (true, Some(declared), Some(metadata)) = (root, schema.properties.get("metadata"), value.get_mut("metadata"))
                    && !declared.properties.is_empty()
                {
                    let keeps = ["resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "name"];
                    metadata.as_object_mut().into_iter().for_each(|metadata| {
                        metadata.retain(|key, _| keeps.contains(&key.as_str()) || declared.properties.contains_key(key));
                    });
                }
                Correct.prune(value, schema, root)
            }
        })),
    fault("prunes-embedded-metadata", "undeclared apiVersion, kind and metadata of embedded objects are pruned")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-014", "PRUNE-015", "PRUNE-017"])
        .caught_by(&["prune-014-embedded-meta-fields", "prune-017-embedded-metadata"])
        .within_lines(60)
        .obvious()
        .server(wrong!(Pruning {
            fn keeps_meta_fields(&self, _: &Schema, root: bool) -> bool {
                root
            }
        })),
    fault("prunes-declared-embedded-metadata", "metadata of embedded objects is pruned if it declares properties")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-014"])
        .caught_by(&["prune-014-embedded-meta-fields"])
        .server(wrong!(Pruning {
            fn keeps_meta_fields(&self, schema: &Schema, root: bool) -> bool {
                let declares = schema.properties.get("metadata").is_some_and(|metadata| !metadata.properties.is_empty());
                root || schema.embedded_resource && !(declares && schema.properties.len() == 2)
            }
        })),
    fault("keeps-meta-keys-everywhere", "every object keeps undeclared apiVersion, kind and metadata")
        .breaks(&["PRUNE-001", "PRUNE-014", "PRUNE-015", "STRUCT-021"])
        .blamed(&["STRUCT-021", "PRUNE-015", "PRUNE-014"])
        .caught_by(&["struct-021-user-metadata", "prune-014-embedded-meta-fields"])
        .within_lines(60)
        .by_example_only()
        .server(wrong!(Pruning {
            fn keeps_meta_fields(&self, _: &Schema, _: bool) -> bool {
                true
            }
        })),
    fault("keeps-unknown-root-metadata", "unknown fields of root metadata are kept")
        .breaks(&["PRUNE-016"])
        .blamed(&["PRUNE-016"])
        .caught_by(&["prune-016-root-metadata"])
        .within_lines(30)
        .obvious()
        .server(wrong!(Coercion {
            fn coerce_metadata(&self, _: &mut Value) -> Result<Vec<String>, DecodeError> {
                Ok(Vec::new())
            }
        })),
    fault("reports-no-unknown-root-metadata", "unknown fields of root metadata are dropped but not reported")
        .breaks(&["PRUNE-016"])
        .blamed(&["PRUNE-016"])
        .caught_by(&["prune-016-root-metadata"])
        .within_lines(30)
        .server(wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                Correct.coerce_metadata(object).map(|_| Vec::new())
            }
        })),
    fault("keeps-unknown-embedded-metadata", "unknown fields in the metadata of embedded objects are kept")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-017"])
        .caught_by(&["prune-017-embedded-metadata"])
        .within_lines(60)
        .obvious()
        .server(wrong!(Coercion {
            fn coerce_embedded(&self, _: &mut Value, _: &Schema) -> Result<Vec<String>, DecodeError> {
                Ok(Vec::new())
            }
            fn repair_embedded(&self, _: &mut Value, _: &Schema) {}
        })),
    fault("keeps-unknown-embedded-metadata-in-lists", "embedded objects in lists keep unknown fields in their metadata")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-017"])
        .caught_by(&["prune-017-embedded-metadata"])
        .within_lines(60)
        .server(wrong!(Coercion {
            fn coerce_node(
                &self,
                value: &mut Value,
                schema: &Schema,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                let mut without_lists = schema.clone();
                remove_items(&mut without_lists);
                Correct.coerce_node(value, &without_lists, path, wrong, unknown)
            }
        })),
    fault("keeps-unknown-embedded-metadata-in-maps", "embedded objects in maps keep unknown fields in their metadata")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-017"])
        .caught_by(&["prune-017-embedded-metadata"])
        .within_lines(60)
        .server(wrong!(Coercion {
            fn coerce_node(
                &self,
                value: &mut Value,
                schema: &Schema,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                if schema.value_schema().is_some() {
                    return Ok(());
                }
                coerce::node(self, value, schema, path, wrong, unknown)
            }
        })),
    fault("rejects-generation-zero", "a generation of 0 in root metadata is rejected")
        .breaks(&["PRUNE-016"])
        .blamed(&["PRUNE-016"])
        .caught_by(&["prune-016-root-metadata"])
        .within_lines(60)
        .by_example_only()
        .server(wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                if object.pointer("/metadata/generation").and_then(Value::as_i64) == Some(0) {
                    return Err(decode_error("metadata.generation"));
                }
                Correct.coerce_metadata(object)
            }
        })),
    fault("rejects-bodies-without-metadata", "a body without metadata cannot be decoded")
        .breaks(&["PRUNE-016"])
        .blamed(&["PRUNE-016"])
        .caught_by(&["prune-016-root-metadata"])
        .by_example_only()
        .server(wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                if object.get("metadata").is_none() {
                    return Err(decode_error("metadata"));
                }
                Correct.coerce_metadata(object)
            }
        })),
    fault("keeps-empty-labels", "empty labels in metadata are kept")
        .breaks(&["PRUNE-016", "PRUNE-017"])
        .blamed(&["PRUNE-016"])
        .caught_by(&["prune-016-root-metadata"])
        .within_lines(60)
        .by_example_only()
        .server(wrong!(Coercion {
            fn coerce_object_meta(
                &self,
                metadata: &mut Value,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                let empty = metadata.get("labels").filter(|labels| labels.as_object().is_some_and(Map::is_empty)).cloned();
                let outcome = Correct.coerce_object_meta(metadata, path, wrong, unknown);
                if let (Some(labels), Value::Object(metadata)) = (empty, metadata) {
                    metadata.insert("labels".to_owned(), labels);
                }
                outcome
            }
        })),
    fault("keeps-null-as-embedded-metadata", "metadata: null of an embedded object is kept")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-017"])
        .caught_by(&["prune-017-embedded-corners"])
        .within_lines(110)
        .by_example_only()
        .server(wrong!(Coercion {
            fn coerce_object_meta(
                &self,
                metadata: &mut Value,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                if metadata.is_null() {
                    return Ok(());
                }
                Correct.coerce_object_meta(metadata, path, wrong, unknown)
            }
        })),
    fault("drops-invalid-embedded-api-versions", "an apiVersion of an embedded object that is no string is dropped")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-017"])
        .caught_by(&["prune-017-embedded-metadata"])
        .within_lines(60)
        .server(wrong!(Coercion {
            fn coerce_embedded(&self, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> {
                let mut unknown = Vec::new();
                self.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut unknown)?;
                unknown.sort();
                Ok(unknown)
            }
        })),
    fault("validates-no-embedded-objects", "embedded objects need neither apiVersion nor kind")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-018"])
        .caught_by(&["prune-018-embedded-validation", "prune-018-no-ratcheting"])
        .obvious()
        .server(wrong!(Validation {
            fn check_embedded_object(&self, _: &Map<String, Value>, _: &FieldPath<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("accepts-embedded-objects-without-kind", "embedded objects need no kind")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-018"])
        .caught_by(&["prune-018-embedded-validation", "prune-018-no-ratcheting"])
        .server(wrong!(Validation {
            fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                check_embedded_except(object, path, found, |violation| is_at(violation, "kind"));
            }
        })),
    fault("validates-no-embedded-metadata", "labels and names of embedded objects are not validated")
        .breaks(EMBEDDED)
        .blamed(&["PRUNE-018"])
        .caught_by(&["prune-018-embedded-validation"])
        .within_lines(30)
        .server(wrong!(Validation {
            fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                check_embedded_except(object, path, found, |violation| violation.field.contains("metadata"));
            }
        })),
    fault("ratchets-embedded-objects", "embedded objects are validated on create, not on update")
        .breaks(&["PRUNE-018"])
        .blamed(&["PRUNE-018"])
        .caught_by(&["prune-018-no-ratcheting"])
        .server(wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Correct.object_violations(object, schema, context);
                found.retain(|violation| context.old.is_none() || violation.requirement != "PRUNE-018");
                found
            }
        })),
    fault("coerces-any-metadata", "a property metadata below the root is coerced like that of a resource")
        .breaks(&["STRUCT-021", "PRUNE-015"])
        .blamed(&["STRUCT-021"])
        .caught_by(&["struct-021-user-metadata"])
        .within_lines(60)
        .by_example_only()
        .server(wrong!(Coercion {
            fn coerces_embedded(&self, schema: &Schema) -> bool {
                schema.embedded_resource || schema.properties.get("metadata").is_some_and(|metadata| metadata.type_name == "object")
            }
        } Validation {
            fn check_embedded(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                Correct.check_embedded(value, schema, path, found);
            }
        })),
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
