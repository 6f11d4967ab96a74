//! What updates are forgiven.

use serde_json::{Map, Value};

use super::AsSemantics;
use crate::{FieldPath, Schema, Violation, ratchet, validate::Findings};

/// What is wrong with an update, and not forgiven since it is as it was: chapter 6.
///
/// What did not change is forgiven, place by place; what did change is judged as in a new object (RATCHET-001).
pub trait Ratcheting: AsSemantics {
    /// Everything that is wrong with an update, `old` being the stored object as read in the version of the request (RATCHET-020):
    /// as [`crate::Validation::object_violations`], but what is unchanged is forgiven. Embedded objects are never (RATCHET-011).
    fn update_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
        let mut found = self.value_update_violations(new, old, schema);
        let semantics = self.as_semantics();
        semantics.check_embedded(new, schema, &FieldPath::Root, &mut found);
        if !self.forgives_topology(old, schema) {
            semantics.check_topology(new, schema, &FieldPath::Root, &mut found);
        }
        found
    }

    /// What is wrong with the values alone of an update, and is not forgiven.
    fn value_update_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
        ratchet::violations(self.as_semantics(), new, old, schema)
    }

    /// Checks a value that has a correlated old value, and forgives what is wrong if it did not change (RATCHET-001..003).
    fn check_value_update(
        &self,
        new: &Value,
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::value(self.as_semantics(), new, old, schema, path, findings);
    }

    /// As [`crate::Validation::check_array`], elements that correlate being checked as updates.
    fn check_array_update(
        &self,
        elements: &[Value],
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::array(self.as_semantics(), elements, old, schema, path, findings);
    }

    /// As [`crate::Validation::check_object`], values that correlate being checked as updates.
    fn check_object_update(
        &self,
        object: &Map<String, Value>,
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::object(self.as_semantics(), object, old, schema, path, findings);
    }

    /// RATCHET-002: whether all that is wrong at a node is forgiven.
    fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _path: &FieldPath<'_>) -> bool {
        self.is_unchanged(new, old, schema)
    }

    /// RATCHET-010: whether the value of a key may be forgiven by itself. `parent` is the place of the object.
    fn ratchets_key(&self, key: &str, parent: &FieldPath<'_>) -> bool {
        ratchet::ratchets_key(key, parent)
    }

    /// RATCHET-004: the old value of a key, if it has one and the schema knows the key.
    fn correlate_key<'o>(&self, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> {
        ratchet::correlate::key(self.as_semantics(), old, key, schema)
    }

    /// RATCHET-005, RATCHET-006: the old element of each element of a list.
    fn correlate_elements<'o>(&self, elements: &[Value], old: &'o Value, schema: &Schema) -> Vec<Option<&'o Value>> {
        ratchet::correlate::elements(self.as_semantics(), elements, old, schema)
    }

    /// RATCHET-005: the old element with the same keys of each element of a map list.
    fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> {
        ratchet::correlate::map_list(elements, old, keys)
    }

    /// RATCHET-007: whether a value is what it was.
    fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
        ratchet::equality::value(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-007, RATCHET-008: the same for an object.
    fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
        ratchet::equality::object(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-006, RATCHET-007: the same for a list.
    fn is_unchanged_list(&self, new: &[Value], old: &Value, schema: &Schema) -> bool {
        ratchet::equality::list(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-012: whether set and map lists go unchecked, since the old object had duplicates already.
    fn forgives_topology(&self, old: &Value, schema: &Schema) -> bool {
        ratchet::forgives_topology(self.as_semantics(), old, schema)
    }
}
