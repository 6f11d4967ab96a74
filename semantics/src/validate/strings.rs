//! Lengths, patterns and formats of strings (VALUE-011..016).

use super::Findings;
use crate::{FieldPath, Format, Reason, Release, Schema, Semantics, message};

pub(crate) fn check(semantics: &Semantics, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let values = &schema.values;
    let (maximum, minimum) = (values.max_length, values.min_length);
    if maximum.is_some() || minimum.is_some() {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        // Only the first failure of a node is reported (VALUE-013).
        if let Some(maximum) = maximum.filter(|maximum| length > *maximum) {
            return findings.violation(path, Reason::TooLong, "VALUE-011", || message::too_long(maximum));
        }
        if let Some(minimum) = minimum.filter(|minimum| length < *minimum) {
            return findings.violation(path, Reason::Invalid, "VALUE-011", || {
                let rule = format_args!("should be at least {minimum} chars long");
                message::about_text(text, message::in_body(path, rule))
            });
        }
    }
    if !values.pattern.is_empty() && !semantics.matches_pattern(text, schema) {
        findings.violation(path, Reason::Invalid, "VALUE-012", || {
            let rule = format!("should match '{}'", values.pattern.as_str());
            message::about_text(text, message::in_body(path, rule))
        });
    }
}

pub(crate) fn matches_pattern(text: &str, schema: &Schema) -> bool {
    match schema.values.pattern.compiled() {
        Ok(pattern) => pattern.is_none_or(|pattern| pattern.is_match(text)),
        Err(_) => false,
    }
}

pub(crate) fn check_format(
    semantics: &Semantics,
    text: &str,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let Some(format) = semantics.enforced_format(schema) else { return };
    if semantics.accepts_format(format, text) {
        return;
    }
    // The name as written: like upstream, this reports two spellings in a node and a branch as two causes.
    findings.violation(path, Reason::TypeInvalid, "VALUE-014", || {
        message::about_text(text, message::expected_instead(path, &schema.values.format, text))
    });
}

/// The format that a release enforces for strings of a schema.
pub fn enforced_format(release: Release, schema: &Schema) -> Option<Format> {
    let is_for_strings = schema.int_or_string || matches!(schema.type_name.as_str(), "" | "string");
    if !is_for_strings || schema.values.format.is_empty() {
        return None;
    }
    Format::named(&schema.values.format).filter(|format| release.enforces(*format))
}
