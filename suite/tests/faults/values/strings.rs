//! Faults in the validation of strings, enums and nulls.

use crdible_semantics::{
    FieldPath, Format, Pattern, Reason, Schema, Validation,
    validate::{self, Findings},
    with,
};
use serde_json::Value;

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// Checks a string correctly, but with another length.
fn check_with_length(text: &str, length: usize, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let values = &schema.values;
    if values.max_length.is_some_and(|most| length > most) {
        findings.violation(path, Reason::TooLong, "VALUE-011", || "too long".to_owned());
    } else if values.min_length.is_some_and(|least| length < least) {
        findings.violation(path, Reason::Invalid, "VALUE-011", || "too short".to_owned());
    } else if !correct().matches_pattern(text, schema) {
        findings.violation(path, Reason::Invalid, "VALUE-012", || "no match".to_owned());
    }
}

/// Whether a string matches the pattern of a schema with a prefix and a suffix.
fn matches_wrapped(text: &str, schema: &Schema, prefix: &str, suffix: &str) -> bool {
    let pattern = schema.values.pattern.as_str();
    let is_match = || Pattern::parse(&format!("{prefix}{pattern}{suffix}")).map(|pattern| pattern.is_match(text));
    pattern.is_empty() || is_match().unwrap_or_else(|_| correct().matches_pattern(text, schema))
}

fn is_like_a_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |at: usize, digits: usize, most: u32| {
        parts[at].len() == digits
            && parts[at].parse::<u32>().is_ok_and(|number| number <= most && (digits > 2 || number > 0))
    };
    parts.len() == 3 && number(0, 4, 9999) && number(1, 2, 12) && number(2, 2, 31)
}

/// Sorts the elements of each list.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.into_iter().map(sorted).collect();
            elements.sort_by_key(ToString::to_string);
            Value::Array(elements)
        }
        Value::Object(object) => object.into_iter().map(|(key, value)| (key, sorted(value))).collect(),
        value => value,
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("counts-bytes", "lengths are counted in bytes")
        .breaks(&["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"], &["value-011-length"])
        .semantics(with::check_string(|_, text, schema, path, findings| {
            check_with_length(text, text.len(), schema, path, findings)
        })),
    fault("counts-utf16-units", "lengths are counted in UTF-16 units")
        .breaks(&["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"], &["value-011-length"])
        .semantics(with::check_string(|_, text, schema, path, findings| {
            check_with_length(text, text.encode_utf16().count(), schema, path, findings)
        })),
    fault("counts-no-combining-marks", "lengths do not count combining marks")
        .breaks(&["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"], &["value-011-length"])
        .semantics(with::check_string(|_, text, schema, path, findings| {
            check_with_length(
                text,
                text.chars().filter(|mark| !('\u{300}'..='\u{36f}').contains(mark)).count(),
                schema,
                path,
                findings,
            )
        })),
    obvious_fault("accepts-one-character-too-many", "maxLength is one too large")
        .breaks(&["VALUE-011", "INV-028", "INV-034"], &["value-011-length"])
        .within_lines(40)
        .semantics(with::check_string(|_, text, schema, path, findings| {
            let mut schema = schema.clone();
            schema.values.max_length = schema.values.max_length.map(|most| most + 1);
            correct().check_string(text, &schema, path, findings);
        })),
    obvious_fault("anchors-patterns", "a pattern must match the whole string")
        .breaks(&["VALUE-012"], &["value-012-pattern"])
        .semantics(with::matches_pattern(|_, text, schema| matches_wrapped(text, schema, "^(?:", ")$"))),
    fault("matches-line-by-line", "^ and $ match at every line")
        .breaks(&["VALUE-012", "VALUE-013"], &["value-012-pattern"])
        .semantics(with::matches_pattern(|_, text, schema| matches_wrapped(text, schema, "(?m)", ""))),
    fault("lets-dots-match-newlines", "a dot matches a newline")
        .breaks(&["VALUE-012"], &["value-012-pattern"])
        .semantics(with::matches_pattern(|_, text, schema| matches_wrapped(text, schema, "(?s)", ""))),
    fault("reports-pattern-and-length", "the pattern is checked even if the string is too long")
        .breaks(&["VALUE-013"], &["value-013-first-failure"])
        .within_lines(16)
        .semantics(with::check_string(|_, text, schema, path, findings| {
            correct().check_string(text, schema, path, findings);
            if schema.values.max_length.is_some_and(|most| i64::try_from(text.chars().count()).unwrap_or(0) > most)
                && !correct().matches_pattern(text, schema)
            {
                findings.violation(path, Reason::Invalid, "VALUE-012", || "no match".to_owned());
            }
        })),
    fault("knows-formats-in-any-case", "format names are matched without regard to case")
        .breaks(&["VALUE-014", "VALUE-016"], &["value-016-ignored-formats"])
        .within_lines(12)
        .semantics(with::enforced_format(|_, schema| {
            let mut schema = schema.clone();
            schema.values.format = schema.values.format.to_lowercase();
            correct().enforced_format(&schema)
        })),
    fault("checks-formats-of-numbers", "a number fails every string format")
        .breaks(&["VALUE-016"], &["value-016-ignored-formats"])
        .within_lines(12)
        .semantics(with::check_number(|_, number, schema, path, findings| {
            correct().check_number(number, schema, path, findings);
            if Format::named(&schema.values.format).is_some() {
                findings.violation(path, Reason::TypeInvalid, "VALUE-014", || "no string".to_owned());
            }
        })),
    fault("accepts-any-day-as-date", "a date may have any day from 01 to 31")
        .breaks(&["VALUE-014", "VALUE-015"], &["value-014-formats"])
        .within_lines(20)
        .semantics(with::accepts_format(|_, format, text| {
            correct().accepts_format(format, text) || format == Format::Date && is_like_a_date(text)
        })),
    fault("checks-no-formats-in-quantifiers", "formats inside quantifiers are ignored")
        .breaks(&["VALUE-014", "VALUE-015"], &["value-014-formats"])
        .within_lines(18)
        .semantics(with::enforced_format(|_, schema| {
            correct().enforced_format(schema).filter(|_| validate::types::states_type(schema))
        })),
    fault("compares-enums-as-floats", "integers in an enum are compared as float64")
        .breaks(&["VALUE-018"], &["value-018-enum"])
        .within_lines(20)
        .semantics(with::check_enumeration(|_, value, schema, path, findings| {
            let listed = &schema.values.enumeration;
            if !(value.is_i64() && listed.iter().any(|other| other.is_i64() && other.as_f64() == value.as_f64())) {
                correct().check_enumeration(value, schema, path, findings);
            }
        })),
    fault("compares-enums-without-order", "lists in an enum are compared without regard to order")
        .breaks(&["VALUE-018"], &["value-018-enum"])
        .within_lines(40)
        .semantics(with::check_enumeration(|_, value, schema, path, findings| {
            let mut other = schema.clone();
            other.values.enumeration = other.values.enumeration.into_iter().map(sorted).collect();
            correct().check_enumeration(&sorted(value.clone()), &other, path, findings);
        })),
    obvious_fault("ignores-enums-of-other-types", "enum is ignored unless the value is a string or a number")
        .breaks(&["VALUE-001", "VALUE-018"], &["value-018-enum"])
        .within_lines(40)
        .semantics(with::check_enumeration(|_, value, schema, path, findings| {
            if value.is_string() || value.is_number() {
                correct().check_enumeration(value, schema, path, findings);
            }
        })),
    obvious_fault("accepts-null-as-string", "a null in a list is accepted as a string")
        .breaks(&["VALUE-019"], &["value-019-null"])
        .within_lines(15)
        .semantics(with::accepts_type(|_, value, schema| {
            correct().accepts_type(value, schema) || schema.type_name == "string" && value.is_null()
        })),
    fault("checks-quantifiers-of-nulls", "quantifiers are checked on nulls")
        .breaks(&["VALUE-019", "VALUE-020"], &["value-019-null"])
        .within_lines(20)
        .semantics(with::check_value(|semantics, value, schema, path, findings| {
            (Validation::CORRECT.check_value)(semantics, value, schema, path, findings);
            if value.is_null() {
                semantics.check_quantifiers(value, schema, path, findings);
            }
        })),
];
