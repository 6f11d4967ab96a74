//! Faults in storing and reading objects: other versions, changed schemas, later writes.

use crdible_semantics::with;
use serde_json::{Map, Value};

use crate::{
    json::remove,
    metadata::was_stored,
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("prunes-no-reads", "stored fields that the schema no longer declares are still shown")
        .breaks(&["INV-017", "PRUNE-022", "LIFE-024"], &["inv-017-tighten-and-loosen", "prune-022-storage-read"])
        .semantics(with::read(|semantics, stored, stored_schema, requested_schema, same_version| {
            semantics.repair_metadata(stored);
            semantics.apply_defaults(stored, stored_schema);
            if !same_version {
                semantics.convert(stored, requested_schema);
            }
        })),
    fault("prunes-reads-by-the-requested-version-only", "a read is not pruned by the schema of the stored version")
        .breaks(&["PRUNE-022"], &["prune-022-storage-read"])
        .semantics(with::read(|semantics, stored, stored_schema, requested_schema, same_version| {
            if same_version {
                return correct().read(stored, stored_schema, requested_schema, same_version);
            }
            semantics.repair_metadata(stored);
            semantics.apply_defaults(stored, stored_schema);
            semantics.convert(stored, requested_schema);
        })),
    fault("stores-undeclared-fields", "a write at another version stores fields that the storage version lacks")
        .breaks(&["PRUNE-021"], &["prune-021-storage-write"])
        .within_lines(70)
        .semantics(with::encode(|_, _, _| {})),
    fault("prunes-creates-only", "an object is no longer pruned once it was changed")
        .breaks(&["PRUNE-020"], &["prune-020-every-write"])
        .semantics(with::prune(|_, value, schema, root| {
            let was_changed =
                value.pointer("/metadata/generation").and_then(Value::as_i64).is_some_and(|generation| generation > 1);
            if root && (was_changed || was_stored(value)) {
                return Vec::new();
            }
            correct().prune(value, schema, root)
        })),
    fault("repairs-no-stored-embedded-metadata", "invalid stored metadata of a field that became embedded is shown")
        .breaks(&["PRUNE-019"], &["prune-019-metadata-at-rest"])
        .within_lines(40)
        .semantics(with::repair_embedded(|_, _, _| {})),
    fault("drops-empty-objects-on-update", "an update drops empty objects, a create does not")
        .breaks(
            &["PRUNE-012", "INV-013", "DEFAULT-021", "REST-034", "INV-001", "DEFAULT-020"],
            &["inv-013-delete-equals-never-set", "inv-001-prune-is-idempotent", "default-020-idempotence"],
        )
        .semantics(with::decode(|_, object, schema| {
            let decoded = correct().decode(object, schema)?;
            if was_stored(object) {
                for (name, value) in object.as_object_mut().into_iter().flatten() {
                    if let (false, Value::Object(fields)) = (name == "metadata", value) {
                        fields.retain(|_, value| !value.as_object().is_some_and(Map::is_empty));
                    }
                }
            }
            Ok(decoded)
        })),
    fault("shows-no-annotations", "a stored object is shown without its annotations")
        .breaks(&["PRUNE-013"], &["prune-013-root-meta-fields"])
        .within_lines(20)
        .semantics(with::read(|_, stored, stored_schema, requested_schema, same_version| {
            correct().read(stored, stored_schema, requested_schema, same_version);
            remove(stored, "/metadata/annotations");
        })),
    fault("drops-labels-on-update", "an update drops the labels of an object")
        .breaks(&["PRUNE-013"], &["prune-013-root-meta-fields"])
        .within_lines(20)
        .semantics(with::decode(|_, object, schema| {
            if was_stored(object) {
                remove(object, "/metadata/labels");
            }
            correct().decode(object, schema)
        })),
];
