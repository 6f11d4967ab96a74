//! Types and enumerations (VALUE-001..003, VALUE-006, VALUE-018..020).

use serde_json::{Number, Value};

use super::{Findings, strings};
use crate::{FieldPath, Reason, Release, Schema, Semantics, json};

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
            format!("must be of type {}, is {}", expected(release, value, schema), json::kind(value))
        });
    }
}

/// The type that upstream reports as expected. Findings with equal messages at one place are one cause (chapter 5,
/// head), so the message must name the format both for a node with a type and for a branch without.
fn expected<'s>(release: Release, value: &Value, schema: &'s Schema) -> &'s str {
    if !value.is_array() && !value.is_null() && strings::enforced_format(release, schema).is_some() {
        return &schema.values.format;
    }
    if schema.int_or_string { "integer or string" } else { &schema.type_name }
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
    number.as_i64().is_some() || number.is_f64() && number.as_f64().is_some_and(is_nearly_integral)
}

/// Whether a float is integral and within ±(2^53 − 1). Upstream tolerates a relative error of 1e-9 above a
/// positive integer.
pub fn is_nearly_integral(float: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if !(-LARGEST..=LARGEST).contains(&float) {
        return false;
    }
    // Only the integer below it is compared, so 0.9999999999 is not an integer.
    let whole = float.trunc();
    float.fract() == 0.0 || whole > 0.0 && (float - whole).abs() / (float.abs() + whole.abs()) < TOLERANCE
}

pub(crate) fn enumeration(value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let allowed = &schema.values.enumeration;
    // A null never matches, even if listed (VALUE-020).
    if allowed.is_empty() || !value.is_null() && allowed.iter().any(|allowed| equal(value, allowed)) {
        return;
    }
    findings.violation(path, Reason::NotSupported, "VALUE-018", || {
        let texts: Vec<String> = allowed.iter().map(Value::to_string).collect();
        format!("must be one of {}", texts.join(", "))
    });
}

/// Compares numbers by value, so that `1.0` equals `1`. Like upstream, compares numbers inside objects and arrays
/// as written.
fn equal(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Number(value), Value::Number(allowed)) => json::compare_numbers(value, allowed).is_eq(),
        _ => json::equal_as_written(value, allowed),
    }
}
