//! The round trip of a whole object.

use serde_json::Value;

use crate::{DecodeError, Schema, Semantics};

/// The result of decoding a request body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The unknown fields in three groups, each sorted: root metadata, pruned fields, metadata of embedded objects
    /// (PRUNE-028).
    pub unknown_fields: Vec<String>,
}

area! {
    /// The steps of a whole object between the request and the store, and between the store and the response: the order
    /// in which it is coerced, pruned and defaulted (chapters 3.3 and 4).
    ///
    /// Only decoding can fail.
    pub struct RoundTrip as round_trip;

    /// Decodes a request body, or the result of a patch, before admission and validation (PRUNE-020, DEFAULT-009): root
    /// metadata, pruning, nulls, embedded metadata, defaults, in this order. The schema is that of the version in the
    /// request.
    ///
    /// # Errors
    /// For the first metadata field of the wrong type. The object is then partly decoded and must not be used.
    fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> = decode;
    /// Converts an object to another version, on a write or on a read: prunes it by the schema of that version and sets
    /// no defaults (PRUNE-021, DEFAULT-012). Reports no unknown fields.
    fn convert(&self, object: &mut Value, schema: &Schema) = convert;
    /// Encodes a validated object for the store, if the storage version is not that of the request (PRUNE-021). The
    /// schema is that of the storage version.
    fn encode(&self, object: &mut Value, storage_schema: &Schema) =
        |semantics, object, storage_schema| semantics.convert(object, storage_schema);
    /// Reads a stored object for a response (PRUNE-019, PRUNE-022, DEFAULT-011, DEFAULT-012): repairs, prunes and
    /// defaults it by the schema of its stored version, then converts it if the response is at another version. Never
    /// fails. `apiVersion` stays as stored.
    fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) = read;
    /// Reads a stored object at the version in which it is stored: the first half of [`RoundTrip::read`], and what a
    /// conversion webhook gets (CONV-010).
    fn read_stored(&self, stored: &mut Value, stored_schema: &Schema) = read_stored;
}

fn decode(semantics: &Semantics, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
    let mut unknown_fields = semantics.coerce_metadata(object)?;
    unknown_fields.extend(semantics.prune(object, schema, true));
    semantics.drop_nulls(object, schema);
    unknown_fields.extend(semantics.coerce_embedded(object, schema)?);
    semantics.apply_defaults(object, schema);
    Ok(Decoded { unknown_fields })
}

fn convert(semantics: &Semantics, object: &mut Value, schema: &Schema) {
    semantics.prune(object, schema, true);
    semantics.drop_nulls(object, schema);
    semantics.repair_embedded(object, schema);
}

fn read(
    semantics: &Semantics,
    stored: &mut Value,
    stored_schema: &Schema,
    requested_schema: &Schema,
    same_version: bool,
) {
    semantics.read_stored(stored, stored_schema);
    if !same_version {
        semantics.convert(stored, requested_schema);
    }
}

fn read_stored(semantics: &Semantics, stored: &mut Value, stored_schema: &Schema) {
    semantics.repair_metadata(stored);
    semantics.prune(stored, stored_schema, true);
    semantics.drop_nulls(stored, stored_schema);
    semantics.repair_embedded(stored, stored_schema);
    semantics.apply_defaults(stored, stored_schema);
}
