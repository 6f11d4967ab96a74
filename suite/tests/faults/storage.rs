//! Faults on the way to the store and back: other versions, changed schemas, later writes.

use crdible_semantics::{Coercion, DecodeError, Decoded, Defaulting, Schema, Upstream};
use serde_json::{Map, Value};

use crate::{
    coercion::was_stored,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "prunes-no-reads",
        wrong: "what was stored is shown whatever the schema says now",
        target: wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                self.repair_metadata(stored);
                self.apply_defaults(stored, stored_schema);
                if !same_version {
                    self.convert(stored, requested_schema);
                }
            }
        }),
        requirements: &["INV-017", "PRUNE-022", "LIFE-024"],
        properties: &["inv-017-tighten-and-loosen", "prune-022-storage-read"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-reads-by-the-requested-version-only",
        wrong: "a read is not pruned by the version that is stored",
        target: wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                if same_version {
                    return Upstream.read(stored, stored_schema, requested_schema, same_version);
                }
                self.repair_metadata(stored);
                self.apply_defaults(stored, stored_schema);
                self.convert(stored, requested_schema);
            }
        }),
        requirements: &["PRUNE-022"],
        properties: &["prune-022-storage-read"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-what-the-storage-version-lacks",
        wrong: "a write at another version stores keys that the stored version does not declare",
        target: wrong!(RoundTrip {
            fn encode(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: &["PRUNE-021"],
        properties: &["prune-021-storage-write"],
        largest: 70,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-creates-only",
        wrong: "an object that was changed is not pruned any more",
        target: wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                let was_changed = value.pointer("/metadata/generation").and_then(Value::as_i64).is_some_and(|generation| generation > 1);
                if root && (was_changed || was_stored(value)) {
                    return Vec::new();
                }
                Upstream.prune(value, schema, root)
            }
        }),
        requirements: &["PRUNE-020"],
        properties: &["prune-020-every-write"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "repairs-no-stored-embedded-metadata",
        wrong: "stored metadata of a field that became embedded is shown as it is",
        target: wrong!(Coercion {
            fn repair_embedded(&self, _: &mut Value, _: &Schema) {}
        }),
        requirements: &["PRUNE-019"],
        properties: &["prune-019-metadata-at-rest"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "drops-what-an-update-empties",
        wrong: "an update drops empty objects, a create does not",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = Upstream.decode(object, schema)?;
                if was_stored(object) {
                    for (name, value) in object.as_object_mut().into_iter().flatten() {
                        if let (false, Value::Object(fields)) = (name == "metadata", value) {
                            fields.retain(|_, value| !value.as_object().is_some_and(Map::is_empty));
                        }
                    }
                }
                Ok(decoded)
            }
        }),
        requirements: &["PRUNE-012", "INV-013", "DEFAULT-021", "REST-034", "INV-001", "DEFAULT-020"],
        properties: &["inv-013-delete-equals-never-set", "inv-001-prune-is-idempotent", "default-020-idempotence"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-annotations-at-reads",
        wrong: "a stored object is read without its annotations",
        target: wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                Upstream.read(stored, stored_schema, requested_schema, same_version);
                forget(stored, "annotations");
            }
        }),
        requirements: &["PRUNE-013"],
        properties: &["prune-013-root-meta-fields"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-labels-on-update",
        wrong: "an update loses the labels of an object",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                if was_stored(object) {
                    forget(object, "labels");
                }
                Upstream.decode(object, schema)
            }
        }),
        requirements: &["PRUNE-013"],
        properties: &["prune-013-root-meta-fields"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
];

fn forget(object: &mut Value, field: &str) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.remove(field);
    }
}
