//! Lengths of strings (VALUE-011, VALUE-013).

use super::Findings;
use crate::{FieldPath, Reason, Schema};

/// See [`crate::Semantics::check_string`].
pub fn check(text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let (maximum, minimum) = (schema.values.max_length, schema.values.min_length);
    if maximum.is_none() && minimum.is_none() {
        return;
    }
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    // Only the first failure of a node is reported.
    if let Some(maximum) = maximum.filter(|maximum| length > *maximum) {
        findings.violation(path, Reason::TooLong, "VALUE-011", || {
            format!("must be at most {maximum} characters long, is {length}")
        });
    } else if let Some(minimum) = minimum.filter(|minimum| length < *minimum) {
        findings.violation(path, Reason::Invalid, "VALUE-011", || {
            format!("must be at least {minimum} characters long, is {length}")
        });
    }
}
