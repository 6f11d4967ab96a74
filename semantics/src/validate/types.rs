//! Types and enumerations (VALUE-001..003, VALUE-006, VALUE-018..020).

use serde_json::{Number, Value};

use super::{Findings, numbers, strings};
use crate::{FieldPath, Reason, Release, Schema, Semantics, go_json, json, message, release::Change};

/// Whether the schema declares a type.
pub fn states_type(schema: &Schema) -> bool {
    !schema.type_name.is_empty() || schema.int_or_string
}

pub(crate) fn check(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if semantics.accepts_type(value, schema) {
        findings.passed(1);
    } else {
        let requirement = match schema.type_name.as_str() {
            _ if schema.int_or_string => "VALUE-006",
            "" => "VALUE-046",
            _ => "VALUE-001",
        };
        let release = semantics.release;
        findings.violation(path, Reason::TypeInvalid, requirement, || {
            let (type_name, found) = expected(release, value, schema);
            message::about_text(found, message::expected_instead(path, type_name, found))
        });
    }
}

/// The type that upstream reports as expected, and the one that it reports as found: the format if the schema has one
/// that it enforces, and the format of the value, which only numbers have.
fn expected<'s>(release: Release, value: &Value, schema: &'s Schema) -> (&'s str, &'static str) {
    if may_lack_format(value) && has_format(release, schema) {
        return (&schema.values.format, format_of(value));
    }
    (if schema.int_or_string { "integer,string" } else { &schema.type_name }, found_type(value))
}

/// Whether upstream compares the format of a schema with that of the value.
fn may_lack_format(value: &Value) -> bool {
    !value.is_string() && !value.is_array() && !value.is_null()
}

fn format_of(value: &Value) -> &'static str {
    match value {
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        _ => "",
    }
}

fn found_type(value: &Value) -> &'static str {
    match value {
        Value::Number(number) if number.is_f64() => "number",
        other => json::kind(other),
    }
}

/// What is wrong with a value by the type and the format that a schema states, as if it were not int-or-string. Any
/// format counts, known or not: a number or a boolean has another one.
pub(crate) fn stated_fault(value: &Value, schema: &Schema, path: &FieldPath<'_>) -> Option<String> {
    let (type_name, format) = (schema.type_name.as_str(), schema.values.format.as_str());
    let is_excluded_by_format = type_name.is_empty() && !format.is_empty() && may_lack_format(value);
    let is_excluded_by_type = !type_name.is_empty() && !matches_type(value, type_name);
    if value.is_null() || !(is_excluded_by_format || is_excluded_by_type) {
        return None;
    }
    let names_format = may_lack_format(value) && !format.is_empty() && format != format_of(value);
    let (expected, found) = if names_format { (format, format_of(value)) } else { (type_name, found_type(value)) };
    Some(message::about_text(found, message::expected_instead(path, expected, found)))
}

/// Whether upstream keeps the format of a schema when it validates values.
fn has_format(release: Release, schema: &Schema) -> bool {
    (release.has(Change::NumberRanges) && numbers::has_format(schema))
        || strings::enforced_format(release, schema).is_some()
}

pub(crate) fn accepts(release: Release, value: &Value, schema: &Schema) -> bool {
    if !states_type(schema) {
        // A format implies a string; upstream also accepts arrays (VALUE-046).
        let may_have_format = value.is_string() || value.is_array() || value.is_null();
        return may_have_format || strings::enforced_format(release, schema).is_none();
    }
    if value.is_null() {
        return schema.nullable || !schema.int_or_string && schema.type_name == "null";
    }
    if schema.int_or_string {
        return matches_type(value, "integer") || value.is_string();
    }
    matches_type(value, &schema.type_name)
}

fn matches_type(value: &Value, type_name: &str) -> bool {
    match type_name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => matches!(value, Value::Number(number) if is_integer(number)),
        _ => false,
    }
}

/// Whether a number counts as an integer (VALUE-003): an integer literal within 64 bits, or a float within ±(2^53 − 1)
/// that is integral, or within 1e-9 of it.
fn is_integer(number: &Number) -> bool {
    number.as_i64().is_some() || number.is_f64() && number.as_f64().is_some_and(json::is_nearly_integral)
}

/// Compares numbers by value, so that `1.0` equals `1`. Like upstream, compares numbers inside objects and arrays
/// as written.
fn equal(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Number(value), Value::Number(allowed)) => json::compare_numbers(value, allowed).is_eq(),
        _ => json::equal_as_written(value, allowed),
    }
}

pub(crate) fn enumeration(value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let allowed = &schema.values.enumeration;
    // A null never matches, even if listed (VALUE-020).
    if allowed.is_empty() || !value.is_null() && allowed.iter().any(|allowed| equal(value, allowed)) {
        return;
    }
    findings.violation(path, Reason::NotSupported, "VALUE-018", || {
        let texts: Vec<String> = allowed
            .iter()
            .map(|allowed| allowed.as_str().map_or_else(|| go_json::html_safe(allowed), str::to_owned))
            .collect();
        message::unsupported(message::shown(value), texts.iter().map(String::as_str))
    });
}
