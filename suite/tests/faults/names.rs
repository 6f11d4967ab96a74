//! Faults with names: those that break paths and pointers which are not escaped, and those of objects.

use crdible_semantics::{Child, DecodeError, Decoded, FieldPath, Schema, Upstream, default, validate::Findings};
use serde_json::{Map, Value};

use crate::{
    coercion::was_stored,
    table::{Fault, Finder},
};

/// Whether a name breaks a path or a pointer that is not escaped.
fn is_odd(name: &str) -> bool {
    name.is_empty() || name.contains(['.', '/', '~', '['])
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "keeps-unknown-keys-beside-odd-names",
        wrong: "an object of which a declared name has a dot or a slash keeps unknown keys",
        target: wrong!(Pruning {
            fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
                match Upstream.child(schema, key) {
                    Child::Unknown if schema.properties.keys().any(|name| is_odd(name)) => Child::MapValue(None),
                    known => known,
                }
            }
        }),
        requirements: &["PRUNE-001", "INV-002", "INV-020"],
        properties: &["prune-001-unknown-keys", "inv-020-modes-store-the-same"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-odd-names-as-undeclared",
        wrong: "a declared key with a dot or a slash is pruned",
        target: wrong!(Pruning {
            fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
                match Upstream.child(schema, key) {
                    Child::Declared(_) if is_odd(key) => Child::Unknown,
                    known => known,
                }
            }
        }),
        requirements: &["PRUNE-020", "PRUNE-022", "INV-017", "DEFAULT-003"],
        properties: &[
            "prune-020-every-write",
            "prune-022-storage-read",
            "inv-017-tighten-and-loosen",
            "default-003-null-without-default",
        ],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "defaults-no-odd-names",
        wrong: "a key with a dot or a slash gets no default",
        target: wrong!(Defaulting {
            fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
                if !is_odd(name) {
                    default::property(self, object, name, schema);
                }
            }
        }),
        requirements: &["DEFAULT-001", "DEFAULT-002", "DEFAULT-004", "INV-015"],
        properties: &["default-001-missing-property", "default-002-null-property", "inv-015-explicit-equals-implicit"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "loses-odd-names-on-update",
        wrong: "an update loses declared keys with a dot or a slash",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let decoded = Upstream.decode(object, schema)?;
                if was_stored(object) {
                    lose(object, schema);
                }
                Ok(decoded)
            }
        }),
        requirements: &["PRUNE-012", "INV-001", "DEFAULT-020"],
        properties: &["inv-001-prune-is-idempotent", "default-020-idempotence"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "restricts-names-of-objects-by-length-only",
        wrong: "an enum of metadata.name or metadata.generateName is not looked at",
        target: wrong!(Validation {
            fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if !path.to_string().starts_with("metadata.") {
                    Upstream.check_enumeration(value, schema, path, findings);
                }
            }
        }),
        requirements: &["STRUCT-019"],
        properties: &["struct-019-restricted-names"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// Removes declared keys with odd names from objects, as far as properties lead.
fn lose(value: &mut Value, schema: &Schema) {
    let Value::Object(object) = value else { return };
    object.retain(|key, _| !(is_odd(key) && schema.properties.contains_key(key)));
    for (key, value) in object {
        if let Some(below) = schema.properties.get(key) {
            lose(value, below);
        }
    }
}
