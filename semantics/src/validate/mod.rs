//! What is wrong with an object (chapter 5): values, embedded objects, list topology.
//!
//! Not judged: CEL rules.

pub mod arrays;
pub mod embedded;
mod findings;
pub mod metadata;
pub(crate) mod names;
pub mod numbers;
pub mod objects;
pub mod quantifiers;
pub mod strings;
pub mod topology;
pub mod types;

pub use findings::Findings;
pub use metadata::NameRule;

use serde_json::{Map, Value};

use crate::{FieldPath, Schema, Semantics};

/// See [`crate::Validation::check_value`].
///
/// Beside what it finds it counts the checks that passed, as upstream does: the count decides which branch of a failed
/// quantifier is shown (VALUE-028).
pub fn value(semantics: &dyn Semantics, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let array = |elements: &[Value], findings: &mut Findings| semantics.check_array(elements, schema, path, findings);
    let object =
        |object: &Map<String, Value>, findings: &mut Findings| semantics.check_object(object, schema, path, findings);
    value_by(semantics, value, schema, path, findings, array, object);
}

/// Checks a value, arrays and objects by what is given for them.
pub fn value_by(
    semantics: &dyn Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
    check_array: impl FnOnce(&[Value], &mut Findings),
    check_object: impl FnOnce(&Map<String, Value>, &mut Findings),
) {
    if value.is_null() {
        // VALUE-020: of all keywords only type and enum look at a null.
        semantics.check_type(value, schema, path, findings);
        semantics.check_enumeration(value, schema, path, findings);
        return;
    }
    let format = semantics.enforced_format(schema);
    // A format has a type checked where none is stated (VALUE-046).
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
