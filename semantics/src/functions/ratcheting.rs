//! Ratcheting.

use serde_json::{Map, Value};

use crate::{FieldPath, Schema, Violation, ratchet, validate::Findings};

area! {
    /// The violations of an update, without those that are forgiven because the value did not change (chapter 6).
    ///
    /// Unchanged values are forgiven, each at its own place. Changed values are checked as in a new object
    /// (RATCHET-001).
    pub struct Ratcheting as ratcheting;

    /// The violations in the values of an update that are not forgiven. `old` is the stored object, as read in the
    /// version of the request (RATCHET-020).
    fn value_update_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> =
        ratchet::violations;
    /// Checks a value that has a correlated old value, and forgives its violations if it did not change
    /// (RATCHET-001..003).
    fn check_value_update(
        &self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings,
    ) = ratchet::value;
    /// Like [`crate::Validation::check_array`], but checks elements with a correlated old element as updates.
    fn check_array_update(
        &self, elements: &[Value], old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings,
    ) = ratchet::array;
    /// Like [`crate::Validation::check_object`], but checks values with a correlated old value as updates.
    fn check_object_update(
        &self, object: &Map<String, Value>, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings,
    ) = ratchet::object;
    /// RATCHET-002: whether all violations at a node are forgiven.
    fn forgives(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>) -> bool =
        |semantics, new, old, schema, _path| semantics.is_unchanged(new, old, schema);
    /// RATCHET-010: whether the value of a key can be forgiven separately. `parent` is the path of the object.
    fn ratchets_key(key: &str, parent: &FieldPath<'_>) -> bool = ratchet::ratchets_key;
    /// RATCHET-004: the old value of a key, if it has one and the schema declares the key.
    fn correlate_key<'o>(&self, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> =
        ratchet::correlate::key;
    /// RATCHET-005, RATCHET-006: the old element of each element of a list.
    fn correlate_elements<'o>(&self, elements: &[Value], old: &'o Value, schema: &Schema) -> Vec<Option<&'o Value>> =
        ratchet::correlate::elements;
    /// RATCHET-005: for each element of a map list, the old element with the same keys.
    fn correlate_map_list<'o>(elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> =
        ratchet::correlate::map_list;
    /// RATCHET-007: whether a value is unchanged.
    fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool = ratchet::equality::value;
    /// RATCHET-007, RATCHET-008: whether an object is unchanged.
    fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool =
        ratchet::equality::object;
    /// RATCHET-006, RATCHET-007: whether a list is unchanged.
    fn is_unchanged_list(&self, new: &[Value], old: &Value, schema: &Schema) -> bool = ratchet::equality::list;
    /// RATCHET-012: whether set and map lists are not checked because the old object already has duplicates.
    fn forgives_topology(&self, old: &Value, schema: &Schema) -> bool = ratchet::forgives_topology;
}
