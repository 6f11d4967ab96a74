//! The ways of a whole object.

use serde_json::Value;

use super::AsSemantics;
use crate::{DecodeError, Schema};

/// What decoding a request body found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The unknown fields in three groups: root metadata, pruned fields, metadata of embedded objects; each sorted as text
    /// (PRUNE-028).
    pub unknown_fields: Vec<String>,
}

/// The way of a whole object from a request into the store, and from the store into an answer: chapters 3.3 and 4, as the order in
/// which it is coerced, pruned and defaulted.
///
/// Only decoding can fail.
pub trait RoundTrip: AsSemantics {
    /// What happens to a request body, or to the result of a patch, before admission and validation (PRUNE-020, DEFAULT-009): root
    /// metadata, pruning, nulls, embedded metadata, defaults, in this order. The schema is that of the version in the request.
    ///
    /// # Errors
    /// The first metadata field of a wrong type; the object is then half decoded and of no use.
    fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
        let semantics = self.as_semantics();
        let mut unknown_fields = semantics.coerce_metadata(object)?;
        unknown_fields.extend(semantics.prune(object, schema, true));
        semantics.drop_nulls(object, schema);
        unknown_fields.extend(semantics.coerce_embedded(object, schema)?);
        semantics.default(object, schema);
        Ok(Decoded { unknown_fields })
    }

    /// What happens to an object when it is converted to another version, by a write or by a read: pruning by the schema of that
    /// version, without defaults (PRUNE-021, DEFAULT-012). Nothing is reported.
    fn convert(&self, object: &mut Value, schema: &Schema) {
        let semantics = self.as_semantics();
        semantics.prune(object, schema, true);
        semantics.drop_nulls(object, schema);
        semantics.repair_embedded(object, schema);
    }

    /// What happens to an object between validation and the store, if the storage version is not that of the request (PRUNE-021).
    /// The schema is that of the storage version.
    fn encode(&self, object: &mut Value, storage_schema: &Schema) {
        self.convert(object, storage_schema);
    }

    /// What happens to an object between the store and an answer (PRUNE-019, PRUNE-022, DEFAULT-011, DEFAULT-012): repaired, pruned
    /// and defaulted by the schema of the version that it was stored in, then, for an answer at another version, converted.
    /// It never fails. `apiVersion` stays as stored.
    fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
        let semantics = self.as_semantics();
        semantics.repair_metadata(stored);
        semantics.prune(stored, stored_schema, true);
        semantics.drop_nulls(stored, stored_schema);
        semantics.repair_embedded(stored, stored_schema);
        semantics.default(stored, stored_schema);
        if !same_version {
            self.convert(stored, requested_schema);
        }
    }
}
