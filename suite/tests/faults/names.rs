//! Faults with names of fields that need escaping in paths and pointers, and with names of objects.

use crdible_semantics::{Child, Defaulting, Schema, with};
use serde_json::Value;

use crate::{
    metadata::was_stored,
    server::correct,
    table::{Fault, fault},
};

/// Whether a name needs escaping in a path or a pointer.
fn is_odd(name: &str) -> bool {
    name.is_empty() || name.contains(['.', '/', '~', '['])
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("keeps-unknown-fields-next-to-odd-names", "objects with names like a.b or a/b keep unknown fields")
        .breaks(&["PRUNE-001", "INV-002", "INV-020"], &["prune-001-unknown-keys", "inv-020-modes-store-the-same"])
        .semantics(with::child(|_, schema, key| match correct().child(schema, key) {
            Child::Unknown if schema.properties.keys().any(|name| is_odd(name)) => Child::MapValue(None),
            known => known,
        })),
    fault("prunes-odd-names", "a declared field whose name has a dot or a slash is pruned")
        .breaks(
            &["PRUNE-020", "PRUNE-022", "INV-017", "DEFAULT-003"],
            &[
                "prune-020-every-write",
                "prune-022-storage-read",
                "inv-017-tighten-and-loosen",
                "default-003-null-without-default",
            ],
        )
        .within_lines(60)
        .semantics(with::child(|_, schema, key| match correct().child(schema, key) {
            Child::Declared(_) if is_odd(key) => Child::Unknown,
            known => known,
        })),
    fault("defaults-no-odd-names", "a field whose name has a dot or a slash gets no default")
        .breaks(
            &["DEFAULT-001", "DEFAULT-002", "DEFAULT-004", "INV-015"],
            &["default-001-missing-property", "default-002-null-property", "inv-015-explicit-equals-implicit"],
        )
        .within_lines(60)
        .semantics(with::default_property(|semantics, object, name, schema| {
            if !is_odd(name) {
                (Defaulting::CORRECT.default_property)(semantics, object, name, schema);
            }
        })),
    fault("drops-odd-names-on-update", "an update drops declared fields whose names have a dot or a slash")
        .breaks(&["PRUNE-012", "INV-001", "DEFAULT-020"], &["inv-001-prune-is-idempotent", "default-020-idempotence"])
        .semantics(with::decode(|_, object, schema| {
            let decoded = correct().decode(object, schema)?;
            if was_stored(object) {
                drop_odd_names(object, schema);
            }
            Ok(decoded)
        })),
    fault("ignores-enums-of-object-names", "an enum of metadata.name or metadata.generateName is not enforced")
        .breaks(&["STRUCT-019"], &["struct-019-restricted-names"])
        .within_lines(25)
        .semantics(with::check_enumeration(|_, value, schema, path, findings| {
            if !path.to_string().starts_with("metadata.") {
                correct().check_enumeration(value, schema, path, findings);
            }
        })),
];

/// Removes declared keys with odd names from objects, in declared properties.
fn drop_odd_names(value: &mut Value, schema: &Schema) {
    let Value::Object(object) = value else { return };
    object.retain(|key, _| !(is_odd(key) && schema.properties.contains_key(key)));
    for (key, value) in object {
        if let Some(below) = schema.properties.get(key) {
            drop_odd_names(value, below);
        }
    }
}
