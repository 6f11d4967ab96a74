//! Faults around metadata and embedded objects.

use crdible_semantics::{
    DecodeError, FieldPath, Schema, Upstream, Validation, ValidationContext, Violation, WrongType, coerce,
};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

const EMBEDDED: &[&str] = &["PRUNE-014", "PRUNE-015", "PRUNE-017", "PRUNE-018", "STRUCT-021"];

/// Whether an object was stored before: only then it names a revision.
pub(crate) fn was_stored(object: &Value) -> bool {
    object.pointer("/metadata/resourceVersion").is_some()
}

/// A finding as all of them are here; the field is below an embedded object.
fn is_about(violation: &Violation, field: &str) -> bool {
    violation.field == field || violation.field.ends_with(&format!(".{field}"))
}

/// What the right function finds in an embedded object, but for what `forgets` names.
fn embedded_but(
    object: &Map<String, Value>,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
    forgets: fn(&Violation) -> bool,
) {
    let mut all = Vec::new();
    Upstream.check_embedded_object(object, path, &mut all);
    found.extend(all.into_iter().filter(|violation| !forgets(violation)));
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "prunes-root-metadata-by-schema",
        wrong: "root metadata is pruned by what the schema declares of it",
        target: wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                if let (true, Some(declared), Some(metadata)) = (root, schema.properties.get("metadata"), value.get_mut("metadata"))
                    && !declared.properties.is_empty()
                {
                    let keeps = ["resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "name"];
                    metadata.as_object_mut().into_iter().for_each(|metadata| {
                        metadata.retain(|key, _| keeps.contains(&key.as_str()) || declared.properties.contains_key(key));
                    });
                }
                Upstream.prune(value, schema, root)
            }
        }),
        requirements: &["PRUNE-013"],
        properties: &["prune-013-root-meta-fields"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-embedded-metadata",
        wrong: "apiVersion, kind and metadata of embedded objects are pruned unless they are declared",
        target: wrong!(Pruning {
            fn keeps_meta_fields(&self, _: &Schema, root: bool) -> bool {
                root
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-014-embedded-meta-fields", "prune-017-embedded-metadata"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-declared-embedded-metadata",
        wrong: "metadata of embedded objects is pruned by the schema if it declares properties",
        target: wrong!(Pruning {
            fn keeps_meta_fields(&self, schema: &Schema, root: bool) -> bool {
                let declares = schema.properties.get("metadata").is_some_and(|metadata| !metadata.properties.is_empty());
                root || schema.embedded_resource && !(declares && schema.properties.len() == 2)
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-014-embedded-meta-fields"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-meta-keys-everywhere",
        wrong: "every object keeps undeclared apiVersion, kind and metadata",
        target: wrong!(Pruning {
            fn keeps_meta_fields(&self, _: &Schema, _: bool) -> bool {
                true
            }
        }),
        requirements: &["PRUNE-001", "PRUNE-014", "PRUNE-015", "STRUCT-021"],
        properties: &["struct-021-user-metadata", "prune-014-embedded-meta-fields"],
        largest: 60,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "keeps-unknown-root-metadata",
        wrong: "root metadata is taken as it comes",
        target: wrong!(Coercion {
            fn coerce_metadata(&self, _: &mut Value) -> Result<Vec<String>, DecodeError> {
                Ok(Vec::new())
            }
        }),
        requirements: &["PRUNE-016"],
        properties: &["prune-016-root-metadata"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-nothing-of-root-metadata",
        wrong: "unknown keys of root metadata are dropped without a word",
        target: wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                Upstream.coerce_metadata(object).map(|_| Vec::new())
            }
        }),
        requirements: &["PRUNE-016"],
        properties: &["prune-016-root-metadata"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-metadata-verbatim",
        wrong: "metadata of embedded objects is not rewritten",
        target: wrong!(Coercion {
            fn coerce_embedded(&self, _: &mut Value, _: &Schema) -> Result<Vec<String>, DecodeError> {
                Ok(Vec::new())
            }
            fn repair_embedded(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: EMBEDDED,
        properties: &["prune-017-embedded-metadata"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "rewrites-no-embedded-metadata-in-lists",
        wrong: "embedded objects in lists keep unknown keys in their metadata",
        target: wrong!(Coercion {
            fn coerce_node(
                &self,
                value: &mut Value,
                schema: &Schema,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                let mut without_lists = schema.clone();
                forget_items(&mut without_lists);
                Upstream.coerce_node(value, &without_lists, path, wrong, unknown)
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-017-embedded-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "rewrites-no-embedded-metadata-in-maps",
        wrong: "embedded objects in maps keep unknown keys in their metadata",
        target: wrong!(Coercion {
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
        }),
        requirements: EMBEDDED,
        properties: &["prune-017-embedded-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-generation-zero",
        wrong: "a generation of 0 in root metadata is refused",
        target: wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                if object.pointer("/metadata/generation").and_then(Value::as_i64) == Some(0) {
                    return Err(refusal("metadata.generation"));
                }
                Upstream.coerce_metadata(object)
            }
        }),
        requirements: &["PRUNE-016"],
        properties: &["prune-016-root-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "refuses-objects-without-metadata",
        wrong: "an object without metadata cannot be read, where only its name is lacking",
        target: wrong!(Coercion {
            fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
                if object.get("metadata").is_none() {
                    return Err(refusal("metadata"));
                }
                Upstream.coerce_metadata(object)
            }
        }),
        requirements: &["PRUNE-016"],
        properties: &["prune-016-root-metadata"],
        largest: 40,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "keeps-empty-labels",
        wrong: "empty labels in metadata stay",
        target: wrong!(Coercion {
            fn coerce_object_meta(
                &self,
                metadata: &mut Value,
                path: &FieldPath<'_>,
                wrong: WrongType,
                unknown: &mut Vec<String>,
            ) -> Result<(), DecodeError> {
                let empty = metadata.get("labels").filter(|labels| labels.as_object().is_some_and(Map::is_empty)).cloned();
                let outcome = Upstream.coerce_object_meta(metadata, path, wrong, unknown);
                if let (Some(labels), Value::Object(metadata)) = (empty, metadata) {
                    metadata.insert("labels".to_owned(), labels);
                }
                outcome
            }
        }),
        requirements: &["PRUNE-016", "PRUNE-017"],
        properties: &["prune-016-root-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "keeps-null-as-embedded-metadata",
        wrong: "a null as metadata of an embedded object stays a null",
        target: wrong!(Coercion {
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
                Upstream.coerce_object_meta(metadata, path, wrong, unknown)
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-017-embedded-corners"],
        largest: 110,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "drops-embedded-types-of-the-wrong-kind",
        wrong: "an apiVersion of an embedded object that is no text is dropped, not refused",
        target: wrong!(Coercion {
            fn coerce_embedded(&self, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> {
                let mut unknown = Vec::new();
                self.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut unknown)?;
                unknown.sort();
                Ok(unknown)
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-017-embedded-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-embedded-objects",
        wrong: "embedded objects need neither apiVersion nor kind",
        target: wrong!(Validation {
            fn check_embedded_object(&self, _: &Map<String, Value>, _: &FieldPath<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: EMBEDDED,
        properties: &["prune-018-embedded-validation", "prune-018-no-ratcheting"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-objects-without-kind",
        wrong: "embedded objects need no kind",
        target: wrong!(Validation {
            fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                embedded_but(object, path, found, |violation| is_about(violation, "kind"));
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-018-embedded-validation", "prune-018-no-ratcheting"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-embedded-metadata",
        wrong: "labels and names of embedded objects may be anything",
        target: wrong!(Validation {
            fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                embedded_but(object, path, found, |violation| violation.field.contains("metadata"));
            }
        }),
        requirements: EMBEDDED,
        properties: &["prune-018-embedded-validation"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-embedded-objects",
        wrong: "embedded objects are validated when an object is created, not when it is updated",
        target: wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Upstream.object_violations(object, schema, context);
                found.retain(|violation| context.old.is_none() || violation.requirement != "PRUNE-018");
                found
            }
        }),
        requirements: &["PRUNE-018"],
        properties: &["prune-018-no-ratcheting"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "coerces-any-metadata",
        wrong: "a property metadata below the root is rewritten as if it were that of a resource",
        target: wrong!(Coercion {
            fn coerces_embedded(&self, schema: &Schema) -> bool {
                schema.embedded_resource || schema.properties.get("metadata").is_some_and(|metadata| metadata.type_name == "object")
            }
        } Validation {
            fn check_embedded(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                Upstream.check_embedded(value, schema, path, found);
            }
        }),
        requirements: &["STRUCT-021", "PRUNE-015"],
        properties: &["struct-021-user-metadata"],
        largest: 60,
        subtle: true,
        finder: Finder::Examples,
    },
];

fn refusal(field: &str) -> DecodeError {
    DecodeError { field: field.to_owned(), detail: "is not taken".to_owned() }
}

/// Takes `items` out of a schema, but for lists without embedded objects, where it makes no difference.
fn forget_items(schema: &mut Schema) {
    schema.items = None;
    schema.properties.values_mut().for_each(forget_items);
    if let Some(crdible_semantics::schema::AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        forget_items(values);
    }
}
