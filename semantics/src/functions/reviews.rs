//! Conversion by webhooks.

use serde_json::{Map, Value};

use crate::{
    DecodeError, Schema, Semantics,
    review::{self, Asked, Unconverted},
};

area! {
    /// What a conversion webhook is asked, what is demanded of its answer, and what is taken of it (chapter 9).
    ///
    /// Calling it is not part of the semantics.
    pub struct Reviews as reviews;

    /// The version of the reviews that are sent: the first listed one that is known (CONV-009).
    fn known_review<'v>(listed: &'v [String]) -> Option<&'v str> = review::known_version;
    /// Whether the webhook is asked: not for an object that has the desired `apiVersion` already, nor for one with
    /// nothing but `apiVersion` and `kind` (CONV-006).
    fn needs_webhook(object: &Value, desired: &str) -> bool = review::needs_webhook;
    /// The review that is sent (CONV-010).
    fn conversion_review(asked: &Asked<'_>) -> Value = review::write;
    /// The converted objects of an answer, with the metadata that they have from now on (CONV-011..018).
    ///
    /// # Errors
    /// For the first demand that is not met; then no object of the call is converted.
    fn converted_objects(&self, asked: &Asked<'_>, answer: Value) -> Result<Vec<Value>, Unconverted> =
        review::converted_objects;
    /// Checks that the answer is a review with a response to this call (CONV-011).
    fn check_review(asked: &Asked<'_>, answer: &Value) -> Result<(), Unconverted> = review::check_review;
    /// Checks that the response reports success (CONV-012).
    fn check_result(response: &Value) -> Result<(), Unconverted> = review::check_result;
    /// Checks that there is one converted object for each that was sent (CONV-013).
    fn check_count(asked: &Asked<'_>, count: usize) -> Result<(), Unconverted> = review::check_count;
    /// One converted object, if it is acceptable (CONV-014..017).
    fn take_converted(&self, original: &Value, converted: Value, desired: &str) -> Result<Value, Unconverted> =
        review::take_converted;
    /// Checks that a converted object has the desired `apiVersion` and its former kind (CONV-014).
    fn check_converted_type(original: &Value, converted: &Value, desired: &str) -> Result<(), Unconverted> =
        review::check_type;
    /// Checks that a converted object has its former name, namespace and uid (CONV-015).
    fn check_identity(original: &Value, converted: &Value) -> Result<(), Unconverted> = review::check_identity;
    /// Gives a converted object its former metadata, except for labels and annotations (CONV-016, CONV-017).
    fn restore_metadata(&self, original: &Value, converted: &mut Value) -> Result<(), Unconverted> = review::restore;
    /// Takes `labels` or `annotations` from the metadata that a webhook returned: all of them, in place of the former
    /// ones (CONV-016).
    fn take_converted_map(
        &self, field: &str, metadata: &mut Map<String, Value>, given: &Map<String, Value>,
    ) -> Result<(), Unconverted> = review::take_map;
    /// Validates changed `labels` or `annotations` (CONV-016).
    fn check_converted_map(field: &str, map: &Map<String, Value>) -> Result<(), Unconverted> = review::check_map;
    /// Fits an object that a webhook converted to the schema of its new version: prunes it, drops nulls, and coerces
    /// its metadata and that of embedded objects. Sets no defaults, and validates nothing (CONV-019, PRUNE-023).
    ///
    /// # Errors
    /// For the first metadata field of the wrong type.
    fn settle_converted(&self, object: &mut Value, schema: &Schema) -> Result<(), DecodeError> = settle_converted;
}

fn settle_converted(semantics: &Semantics, object: &mut Value, schema: &Schema) -> Result<(), DecodeError> {
    semantics.coerce_metadata(object)?;
    semantics.prune(object, schema, true);
    semantics.drop_nulls(object, schema);
    semantics.coerce_embedded(object, schema).map(drop)
}
