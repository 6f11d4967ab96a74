//! Ratcheting: the invalid values that an update may keep (chapter 6).
//!
//! An update is validated node by node together with the old value. Violations at a node that are not forgiven at a
//! deeper node are forgiven if the whole node is unchanged. Branches of quantifiers belong to the node that has them:
//! values below them are not compared (RATCHET-003).

pub mod correlate;
pub mod equality;

use serde_json::{Map, Value};

use crate::{
    FieldPath, Schema, Semantics, Violation,
    prune::Child,
    validate::{self, Findings},
};

pub(crate) fn violations(semantics: &Semantics, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
    let mut findings = Findings::new();
    semantics.check_value_update(new, old, schema, &FieldPath::Root, &mut findings);
    findings.into_violations()
}

pub(crate) fn value(
    semantics: &Semantics,
    new: &Value,
    old: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let mut found = findings.branch();
    let array = |elements: &[Value], found: &mut Findings| {
        semantics.check_array_update(elements, old, schema, path, found);
    };
    let object = |object: &Map<String, Value>, found: &mut Findings| {
        semantics.check_object_update(object, old, schema, path, found);
    };
    validate::value_by(semantics, new, schema, path, &mut found, array, object);
    if found.is_valid() || !semantics.forgives(new, old, schema, path) {
        findings.merge(found);
    }
}

pub(crate) fn array(
    semantics: &Semantics,
    elements: &[Value],
    old: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if let Some(items) = schema.item_schema() {
        let correlated = semantics.correlate_elements(elements, old, schema);
        for (index, element) in elements.iter().enumerate() {
            let path = path.index(index);
            match correlated.get(index).copied().flatten() {
                Some(old) => semantics.check_value_update(element, old, items, &path, findings),
                None => semantics.check_value(element, items, &path, findings),
            }
        }
    }
    semantics.check_element_count(elements, schema, path, findings);
}

pub(crate) fn object(
    semantics: &Semantics,
    object: &Map<String, Value>,
    old: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    semantics.check_key_count(object, schema, path, findings);
    for (key, value) in object {
        let (child, is_map_value) = match semantics.child(schema, key) {
            Child::Declared(child) => (child, false),
            Child::MapValue(Some(child)) => (child, true),
            Child::MapValue(None) | Child::Unknown => continue,
        };
        let below = if is_map_value { path.map_value(key) } else { path.name(key) };
        let old = if semantics.ratchets_key(key, path) { semantics.correlate_key(old, key, schema) } else { None };
        match old {
            Some(old) => semantics.check_value_update(value, old, child, &below, findings),
            None if is_map_value => semantics.check_map_value(value, child, &below, findings),
            None => semantics.check_value(value, child, &below, findings),
        }
    }
    semantics.check_closed(object, schema, path, findings);
    semantics.check_required(object, schema, path, findings);
}

pub(crate) fn ratchets_key(key: &str, parent: &FieldPath<'_>) -> bool {
    // The root is recognized by its empty path, as upstream does: a parent whose key is empty has an empty path, too.
    !matches!(key, "apiVersion" | "kind") || !parent.to_string().is_empty()
}

pub(crate) fn forgives_topology(semantics: &Semantics, old: &Value, schema: &Schema) -> bool {
    let mut found = Vec::new();
    semantics.check_topology(old, schema, &FieldPath::Root, &mut found);
    !found.is_empty()
}
