//! Faults in storing and reading objects: other versions, changed schemas, later writes.

use crdible_semantics::{Coercion, DecodeError, Decoded, Defaulting, Schema};
use serde_json::{Map, Value};

use crate::{
    metadata::was_stored,
    server::Correct,
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("prunes-no-reads", "stored fields that the schema no longer declares are still shown")
        .breaks(&["INV-017", "PRUNE-022", "LIFE-024"])
        .caught_by(&["inv-017-tighten-and-loosen", "prune-022-storage-read"])
        .within_lines(60)
        .obvious()
        .server(wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                self.repair_metadata(stored);
                self.apply_defaults(stored, stored_schema);
                if !same_version {
                    self.convert(stored, requested_schema);
                }
            }
        })),
    fault("prunes-reads-by-the-requested-version-only", "a read is not pruned by the schema of the stored version")
        .breaks(&["PRUNE-022"])
        .caught_by(&["prune-022-storage-read"])
        .within_lines(60)
        .server(wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                if same_version {
                    return Correct.read(stored, stored_schema, requested_schema, same_version);
                }
                self.repair_metadata(stored);
                self.apply_defaults(stored, stored_schema);
                self.convert(stored, requested_schema);
            }
        })),
    fault("stores-undeclared-fields", "a write at another version stores fields that the storage version lacks")
        .breaks(&["PRUNE-021"])
        .caught_by(&["prune-021-storage-write"])
        .within_lines(70)
        .server(wrong!(RoundTrip {
            fn encode(&self, _: &mut Value, _: &Schema) {}
        })),
    fault("prunes-creates-only", "an object is no longer pruned once it was changed")
        .breaks(&["PRUNE-020"])
        .caught_by(&["prune-020-every-write"])
        .within_lines(60)
        .server(wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                let was_changed = value.pointer("/metadata/generation").and_then(Value::as_i64).is_some_and(|generation| generation > 1);
                if root && (was_changed || was_stored(value)) {
                    return Vec::new();
                }
                Correct.prune(value, schema, root)
            }
        })),
    fault("repairs-no-stored-embedded-metadata", "invalid stored metadata of a field that became embedded is shown")
        .breaks(&["PRUNE-019"])
        .caught_by(&["prune-019-metadata-at-rest"])
        .server(wrong!(Coercion {
            fn repair_embedded(&self, _: &mut Value, _: &Schema) {}
        })),
    fault("drops-empty-objects-on-update", "an update drops empty objects, a create does not")
        .breaks(&["PRUNE-012", "INV-013", "DEFAULT-021", "REST-034", "INV-001", "DEFAULT-020"])
        .caught_by(&["inv-013-delete-equals-never-set", "inv-001-prune-is-idempotent", "default-020-idempotence"])
        .within_lines(60)
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = Correct.decode(object, schema)?;
                if was_stored(object) {
                    for (name, value) in object.as_object_mut().into_iter().flatten() {
                        if let (false, Value::Object(fields)) = (name == "metadata", value) {
                            fields.retain(|_, value| !value.as_object().is_some_and(Map::is_empty));
                        }
                    }
                }
                Ok(decoded)
            }
        })),
    fault("shows-no-annotations", "a stored object is shown without its annotations")
        .breaks(&["PRUNE-013"])
        .caught_by(&["prune-013-root-meta-fields"])
        .within_lines(20)
        .server(wrong!(RoundTrip {
            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                Correct.read(stored, stored_schema, requested_schema, same_version);
                drop_metadata(stored, "annotations");
            }
        })),
    fault("drops-labels-on-update", "an update drops the labels of an object")
        .breaks(&["PRUNE-013"])
        .caught_by(&["prune-013-root-meta-fields"])
        .within_lines(20)
        .server(wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                if was_stored(object) {
                    drop_metadata(object, "labels");
                }
                Correct.decode(object, schema)
            }
        })),
];

fn drop_metadata(object: &mut Value, field: &str) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.remove(field);
    }
}
