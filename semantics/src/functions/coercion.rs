//! Metadata, read as what it is.

use serde_json::Value;

use super::AsSemantics;
use crate::{
    DecodeError, FieldPath, Schema,
    coerce::{self, WrongType},
};

/// What becomes of metadata whose fields are unknown or of the wrong type, at the root and in embedded objects: chapter 3.2.
///
/// A request is refused for a wrong type (`coerce_…`); what was stored is repaired, and never refused (`repair_…`).
pub trait Coercion: AsSemantics {
    /// Rewrites `metadata` of a whole object through the type `ObjectMeta` (PRUNE-016). Returns the paths of unknown fields, sorted.
    ///
    /// # Errors
    /// The first field of a wrong type, `apiVersion` and `kind` included; the object may then be half rewritten.
    fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
        coerce::refuse(self.as_semantics(), object)
    }

    /// The same for what was stored: fields that are wrong or unknown are dropped, and a missing generation is 1 (PRUNE-019).
    fn repair_metadata(&self, object: &mut Value) {
        coerce::repair(self.as_semantics(), object);
    }

    /// Rewrites the metadata of all embedded objects that the structural part reaches (PRUNE-017). Returns the paths of unknown
    /// fields, sorted.
    ///
    /// # Errors
    /// The first field of a wrong type; the value may then be half rewritten.
    fn coerce_embedded(&self, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> {
        let mut unknown = Vec::new();
        self.coerce_node(value, schema, &FieldPath::Root, WrongType::Refused, &mut unknown)?;
        unknown.sort();
        Ok(unknown)
    }

    /// The same for what was stored: fields that are wrong or unknown are dropped (PRUNE-019).
    fn repair_embedded(&self, value: &mut Value, schema: &Schema) {
        // Nothing is refused here, so there is no error.
        let _ = self.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut Vec::new());
    }

    /// Rewrites the metadata of a value, if it is an embedded object, and of all below it.
    ///
    /// # Errors
    /// If wrong types are refused, the first of them.
    fn coerce_node(
        &self,
        value: &mut Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        wrong: WrongType,
        unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> {
        coerce::node(self.as_semantics(), value, schema, path, wrong, unknown)
    }

    /// Whether values here are embedded objects.
    fn coerces_embedded(&self, schema: &Schema) -> bool {
        schema.embedded_resource
    }

    /// Rewrites a value of `metadata` in place: unknown and empty known fields go, times are written in UTC.
    ///
    /// # Errors
    /// A field of a wrong type, if these are refused; in any case a value that is neither object nor null.
    fn coerce_object_meta(
        &self,
        metadata: &mut Value,
        path: &FieldPath<'_>,
        wrong: WrongType,
        unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> {
        coerce::object_meta(metadata, path, wrong, unknown)
    }
}
