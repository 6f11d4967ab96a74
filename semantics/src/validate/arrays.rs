//! Elements of arrays and their number (VALUE-024, VALUE-025).

use serde_json::Value;

use super::Findings;
use crate::{FieldPath, Schema, Semantics};

pub(crate) fn check(
    semantics: &Semantics,
    elements: &[Value],
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if let Some(items) = schema.item_schema() {
        for (index, element) in elements.iter().enumerate() {
            semantics.check_value(element, items, &path.index(index), findings);
        }
    }
    semantics.check_element_count(elements, schema, path, findings);
}

pub(crate) fn count(elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let limits = (schema.values.min_items, schema.values.max_items);
    findings.count(path, elements.len(), "items", limits, "VALUE-024");
}
