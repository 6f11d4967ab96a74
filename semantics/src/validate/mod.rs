//! The violations of an object (chapter 5): values, embedded objects, list types.
//!
//! CEL rules are judged by themselves ([`crate::rules`]).

pub mod arrays;
pub mod embedded;
mod findings;
pub mod metadata;
pub mod numbers;
pub mod objects;
mod owners;
pub mod quantifiers;
pub mod strings;
pub mod topology;
pub mod types;
mod walk;

pub use findings::Findings;
pub use metadata::NameRule;
pub use owners::owner_violations;

use serde_json::{Map, Value};

use crate::{FieldPath, Schema, Semantics, Violation};

pub(crate) fn whole_object(
    semantics: &Semantics,
    object: &Value,
    schema: &Schema,
    old: Option<&Value>,
) -> Vec<Violation> {
    let mut found = match old {
        Some(old) => semantics.value_update_violations(object, old, schema),
        None => semantics.value_violations(object, schema),
    };
    semantics.check_embedded(object, schema, &FieldPath::Root, &mut found);
    if !old.is_some_and(|old| semantics.forgives_topology(old, schema)) {
        semantics.check_topology(object, schema, &FieldPath::Root, &mut found);
    }
    found
}

/// Like upstream, it also counts the checks that passed: the count decides which branch of a failed quantifier is
/// reported (VALUE-028).
pub(crate) fn value(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let array = |elements: &[Value], findings: &mut Findings| semantics.check_array(elements, schema, path, findings);
    let object =
        |object: &Map<String, Value>, findings: &mut Findings| semantics.check_object(object, schema, path, findings);
    value_by(semantics, value, schema, path, findings, array, object);
}

/// Checks a value, with the given checks for arrays and objects.
pub fn value_by(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
    check_array: impl FnOnce(&[Value], &mut Findings),
    check_object: impl FnOnce(&Map<String, Value>, &mut Findings),
) {
    if value.is_null() {
        // VALUE-020: only type and enum apply to a null.
        semantics.check_type(value, schema, path, findings);
        semantics.check_enumeration(value, schema, path, findings);
        return;
    }
    let format = semantics.enforced_format(schema);
    // A format implies a type if the schema declares none (VALUE-046).
    if types::states_type(schema) || format.is_some() {
        semantics.check_type(value, schema, path, findings);
        findings.passed(1);
    }
    semantics.check_quantifiers(value, schema, path, findings);
    findings.passed(2);
    match value {
        Value::String(text) => {
            semantics.check_string(text, schema, path, findings);
            findings.passed(1);
            if format.is_some() {
                semantics.check_format(text, schema, path, findings);
                findings.passed(1);
            }
        }
        Value::Number(number) => {
            semantics.check_number(number, schema, path, findings);
            findings.passed(2);
        }
        Value::Array(elements) => {
            check_array(elements, findings);
            findings.passed(2);
        }
        _ => {}
    }
    semantics.check_enumeration(value, schema, path, findings);
    findings.passed(1);
    if let Value::Object(object) = value {
        check_object(object, findings);
        findings.passed(1);
    }
    findings.passed(1);
}
