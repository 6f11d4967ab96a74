//! Field management.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    Schema, Semantics,
    managed_fields::{
        self, Comparison, Duplicates, FieldSet, FieldType, Malformed, Managers, ScaleFields, Tracked, Untyped, Writer,
    },
};

area! {
    /// Who manages which fields of an object: `metadata.managedFields` (REST-041, SUB-026, SUB-029).
    pub struct ManagedFields as managed_fields;

    /// The name of a manager: the `fieldManager` of its request, or else the program in its `User-Agent`, or else
    /// `unknown` (REST-041).
    fn manager_name(field_manager: &str, user_agent: &str) -> String = managed_fields::manager_name;
    /// Sets the `managedFields` of `after`, which is a new object or replaces `before`. Returns whether fields could be
    /// tracked; if not, `after` has no `managedFields`.
    fn track_fields(&self, tracked: &dyn Tracked, writer: &Writer, before: Option<&Value>, after: &mut Value) -> bool =
        managed_fields::track;
    /// The same for an object whose number of replicas was written through `/scale`: `object` already has the number
    /// of the Scale `after` (SUB-026, SUB-029).
    fn track_scale(
        &self, fields: &ScaleFields<'_>, writer: &Writer, before: &Value, after: &Value, object: &mut Value,
    ) = track_scale;
    /// The managers before a write: those in its body, or else those of the object that it replaces. Writes of
    /// subresources cannot state managers.
    fn managers_before(&self, tracked: &dyn Tracked, before: Option<&Value>, given: Option<&Value>) -> Managers =
        managed_fields::managers_before;
    /// The managers of `after`, which replaces `before`.
    ///
    /// # Errors
    /// One of the objects cannot be tracked in the version of the write or of a manager. Upstream then skips the
    /// tracking.
    fn managers_after(
        &self, tracked: &dyn Tracked, writer: &Writer, before: &Value, after: &Value, managers: Managers,
    ) -> Result<Managers, Untyped> = managed_fields::managers_after;
    /// The type of the objects of a definition in one version. `metadata` is the type of their metadata.
    fn type_of_fields(schema: &Schema, metadata: &Arc<FieldType>) -> FieldType = managed_fields::of_instances;
    /// Checks whether a value can be tracked by its type: only the kinds of values matter, not whether they are valid
    /// (REST-036). Null matches every type.
    ///
    /// # Errors
    /// It cannot.
    fn check_tracked(known: &FieldType, value: &Value, duplicates: Duplicates) -> Result<(), Untyped> =
        managed_fields::check;
    /// Compares two values that match their type.
    ///
    /// # Errors
    /// Elements of a list cannot be distinguished.
    fn compare_fields(known: &FieldType, before: &Value, after: &Value) -> Result<Comparison, Untyped> =
        managed_fields::compare;
    /// Adapts a set of fields that was written under an older schema: what has become atomic since is owned as a whole.
    fn reconcile_fields(fields: FieldSet, known: &FieldType) -> FieldSet = managed_fields::reconciled;
    /// The fields that a write owns: what it added or changed, without the fields that the server sets.
    fn written_fields(comparison: &Comparison) -> FieldSet = managed_fields::written;
    /// The part of its fields that a manager keeps after a write.
    fn remaining_fields(fields: FieldSet, comparison: &Comparison) -> FieldSet = managed_fields::remaining;
    /// Assigns fields to the writer. If there are none, its entry keeps its time.
    fn assign_fields(tracked: &dyn Tracked, writer: &Writer, fields: &FieldSet, managers: &mut Managers) =
        managed_fields::assign;
    /// Merges the oldest managers of each version, until there are not too many.
    fn merge_oldest_managers(managers: &mut Managers) = managed_fields::merge_oldest;
    /// Parses `managedFields`.
    ///
    /// # Errors
    /// An entry is not well-formed.
    fn read_managers(entries: &[Value]) -> Result<Managers, Malformed> = managed_fields::read;
    /// Writes `managedFields`: managers that apply first, then by time and name.
    fn write_managers(managers: Managers) -> Vec<Value> = managed_fields::write;
}

fn track_scale(
    semantics: &Semantics,
    fields: &ScaleFields<'_>,
    writer: &Writer,
    before: &Value,
    after: &Value,
    object: &mut Value,
) {
    fields.track(semantics, writer, before, after, object);
}
