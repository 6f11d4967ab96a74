//! Elements of arrays and their number (VALUE-024, VALUE-025).

use serde_json::Value;

use super::Findings;
use crate::{FieldPath, Reason, Schema, Semantics};

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
    let count = i64::try_from(elements.len()).unwrap_or(i64::MAX);
    if let Some(minimum) = schema.values.min_items.filter(|minimum| count < *minimum) {
        findings.violation(path, Reason::Invalid, "VALUE-024", || {
            format!("must have at least {minimum} elements, has {count}")
        });
    }
    if let Some(maximum) = schema.values.max_items.filter(|maximum| count > *maximum) {
        findings.violation(path, Reason::TooMany, "VALUE-024", || {
            format!("must have at most {maximum} elements, has {count}")
        });
    }
}
