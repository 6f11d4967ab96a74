//! Faults in what is told of unknown fields.

use crdible_semantics::{Coercion, DecodeError, Decoded, Defaulting, Schema, Upstream};
use serde_json::Value;

use crate::table::{Fault, Finder};

const REPORT: &[&str] = &["INV-019", "INV-021", "PRUNE-016", "PRUNE-017", "PRUNE-028", "PRUNE-029", "PRUNE-020"];

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "tells-of-no-unknown-fields",
        wrong: "unknown fields are pruned without a word",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                Upstream.decode(object, schema).map(|_| Decoded::default())
            }
        }),
        requirements: REPORT,
        properties: &["inv-019-strict-iff-warn-is-silent", "inv-021-warnings-list-the-difference", "prune-028-report"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-of-no-unknown-fields-in-lists",
        wrong: "unknown fields of elements are pruned without a word",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let mut decoded = Upstream.decode(object, schema)?;
                decoded.unknown_fields.retain(|path| !path.contains("]."));
                Ok(decoded)
            }
        }),
        requirements: REPORT,
        properties: &["inv-021-warnings-list-the-difference", "inv-019-strict-iff-warn-is-silent"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-of-unknown-fields-in-another-order",
        wrong: "pruned fields are told in descending order",
        target: wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                let mut removed = Upstream.prune(value, schema, root);
                removed.reverse();
                removed
            }
        }),
        requirements: REPORT,
        properties: &["prune-028-report", "inv-021-warnings-list-the-difference"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-of-dropped-nulls",
        wrong: "a null at a declared property is told as an unknown field",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let mut nulls = Vec::new();
                nulls_in(object, schema, "", &mut nulls);
                let mut decoded = Upstream.decode(object, schema)?;
                decoded.unknown_fields.append(&mut nulls);
                Ok(decoded)
            }
        }),
        requirements: &["PRUNE-030"],
        properties: &["prune-030-dropped-nulls"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-reads-only",
        wrong: "what is written is not pruned, what is read is",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let unknown_fields = self.coerce_metadata(object)?;
                self.drop_nulls(object, schema);
                self.coerce_embedded(object, schema)?;
                self.apply_defaults(object, schema);
                Ok(Decoded { unknown_fields })
            }
        }),
        requirements: REPORT,
        properties: &["prune-020-requested-version"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// The paths of the nulls at declared properties.
fn nulls_in(value: &Value, schema: &Schema, path: &str, found: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let Some(property) = schema.properties.get(key) else { continue };
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if value.is_null() && Upstream.drops_null(property) {
            found.push(path);
        } else {
            nulls_in(value, property, &path, found);
        }
    }
}
