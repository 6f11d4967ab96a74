//! Coercion of metadata.

use serde_json::Value;

use crate::{
    DecodeError, FieldPath, Schema, Semantics,
    coerce::{self, WrongType},
};

area! {
    /// How unknown fields and wrong types in metadata are handled, at the root and in embedded objects (chapter 3.2).
    ///
    /// A request with a value of the wrong type is rejected (`coerce_…`). A stored object is repaired and never
    /// rejected (`repair_…`).
    pub struct Coercion as coercion;

    /// Converts `metadata` of a whole object to the type `ObjectMeta` (PRUNE-016). Returns the sorted paths of unknown
    /// fields.
    ///
    /// # Errors
    /// For the first field of the wrong type, including `apiVersion` and `kind`. The object may then be partly
    /// converted.
    fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> = coerce::refuse;
    /// Repairs `metadata` of a stored object: drops fields that are unknown or of the wrong type, and sets a missing
    /// generation to 1 (PRUNE-019).
    fn repair_metadata(&self, object: &mut Value) = coerce::repair;
    /// Converts the metadata of all embedded objects that the structural part of the schema reaches (PRUNE-017).
    /// Returns the sorted paths of unknown fields.
    ///
    /// # Errors
    /// For the first field of the wrong type. The value may then be partly converted.
    fn coerce_embedded(&self, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> = coerce_embedded;
    /// Repairs the metadata of all embedded objects of a stored value: drops fields that are unknown or of the wrong
    /// type (PRUNE-019).
    fn repair_embedded(&self, value: &mut Value, schema: &Schema) = repair_embedded;
    /// Converts the metadata of a value, if it is an embedded object, and of all embedded objects below it.
    ///
    /// # Errors
    /// For the first wrong type, if `wrong` rejects them.
    fn coerce_node(
        &self, value: &mut Value, schema: &Schema, path: &FieldPath<'_>, wrong: WrongType, unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> = coerce::node;
    /// Whether values of this schema are embedded objects.
    fn coerces_embedded(&self, schema: &Schema) -> bool = |_, schema| schema.embedded_resource;
    /// Converts a value of `metadata` in place: removes unknown fields and empty known ones, and writes times in UTC.
    ///
    /// # Errors
    /// For a field of the wrong type, if `wrong` rejects them, and always for a value that is neither an object nor
    /// null.
    fn coerce_object_meta(
        metadata: &mut Value, path: &FieldPath<'_>, wrong: WrongType, unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> = coerce::object_meta;
}

fn coerce_embedded(semantics: &Semantics, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> {
    let mut unknown = Vec::new();
    semantics.coerce_node(value, schema, &FieldPath::Root, WrongType::Refused, &mut unknown)?;
    unknown.sort();
    Ok(unknown)
}

fn repair_embedded(semantics: &Semantics, value: &mut Value, schema: &Schema) {
    // `WrongType::Dropped` rejects nothing, so this cannot fail.
    let _ = semantics.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut Vec::new());
}
