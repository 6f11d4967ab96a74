//! Faults in the validation of types and numbers.

use crdible_semantics::{Reason, Validation, validate, with};
use serde_json::{Value, json};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// Rounds every number of an object to a float64, except in metadata.
fn round(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.iter_mut().filter(|(key, _)| *key != "metadata").for_each(|(_, value)| round(value));
        }
        Value::Array(elements) => elements.iter_mut().for_each(round),
        Value::Number(number) => {
            #[allow(clippy::cast_possible_truncation)] // it is the fault
            if let Some(rounded) = number.as_i64().and(number.as_f64()).map(|float| float as i64) {
                *value = json!(rounded);
            }
        }
        _ => {}
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("accepts-strings-as-booleans", "the string \"true\" is accepted as a boolean")
        .breaks(&["VALUE-001"], &["value-001-type-check"])
        .semantics(with::accepts_type(|_, value, schema| {
            correct().accepts_type(value, schema) || schema.type_name == "boolean" && value == "true"
        })),
    fault("checks-the-type-first", "only the type of a value of the wrong type is reported")
        .breaks(&["VALUE-001", "VALUE-003"], &["value-001-several-causes"])
        .within_lines(20)
        .semantics(with::check_value(|semantics, value, schema, path, findings| {
            if correct().accepts_type(value, schema) {
                (Validation::CORRECT.check_value)(semantics, value, schema, path, findings);
            } else {
                semantics.check_type(value, schema, path, findings);
            }
        })),
    obvious_fault("validates-no-untyped-nodes", "keywords of a node without a type are ignored")
        .breaks(&["VALUE-002"], &["value-002-untyped-nodes"])
        .semantics(with::check_value(|semantics, value, schema, path, findings| {
            if validate::types::states_type(schema) || !schema.is_preserving() {
                (Validation::CORRECT.check_value)(semantics, value, schema, path, findings);
            }
        })),
    obvious_fault("rejects-integral-floats", "an integer written as a float is rejected")
        .breaks(
            &["VALUE-003", "VALUE-004", "VALUE-005", "INV-029"],
            &["value-003-integral-floats", "value-005-normalisation"],
        )
        .within_lines(25)
        .semantics(with::accepts_type(|_, value, schema| {
            correct().accepts_type(value, schema) && !(schema.type_name == "integer" && value.is_f64())
        })),
    fault("accepts-large-floats-as-integers", "an integral float beyond 2^53 is accepted as an integer")
        .breaks(&["VALUE-003", "INV-029"], &["value-003-integral-floats"])
        .within_lines(12)
        .semantics(with::accepts_type(|_, value, schema| {
            correct().accepts_type(value, schema)
                || schema.type_name == "integer"
                    && value.as_f64().is_some_and(|float| float.fract() == 0.0 && float.abs() < 9e18)
        })),
    fault("reads-integers-as-floats", "integers beyond 2^53 lose their last digits")
        .breaks(&["VALUE-004", "VALUE-005", "INV-029"], &["value-005-normalisation"])
        .within_lines(25)
        .semantics(with::prune(|_, value, schema, root| {
            if root {
                round(value);
            }
            correct().prune(value, schema, root)
        })),
    obvious_fault("accepts-booleans-as-int-or-string", "int-or-string accepts booleans")
        .breaks(&["VALUE-006"], &["value-006-int-or-string"])
        .semantics(with::accepts_type(|_, value, schema| {
            correct().accepts_type(value, schema) || schema.int_or_string && value.is_boolean()
        })),
    fault("ignores-string-keywords-of-int-or-string", "keywords of strings are ignored on int-or-string")
        .breaks(&["VALUE-006"], &["value-006-int-or-string"])
        .semantics(with::check_string(|_, text, schema, path, findings| {
            if !schema.int_or_string {
                correct().check_string(text, schema, path, findings);
            }
        })),
    obvious_fault("ignores-exclusive-bounds", "an exclusive bound is treated as inclusive")
        .breaks(&["VALUE-007", "VALUE-044", "INV-027"], &["value-007-bounds"])
        .within_lines(18)
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            schema.values.exclusive_minimum = false;
            schema.values.exclusive_maximum = false;
            correct().check_number(number, &schema, path, findings);
        })),
    fault("ignores-exclusive-maximum-of-floats", "an exclusive maximum is treated as inclusive for floats")
        .breaks(&["VALUE-007", "VALUE-044"], &["value-007-bounds"])
        .within_lines(18)
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            if number.is_f64() {
                schema.values.exclusive_maximum = false;
            }
            correct().check_number(number, &schema, path, findings);
        })),
    fault("drops-the-sign-of-minimum", "a negative minimum is treated as positive")
        .breaks(
            &["VALUE-007", "VALUE-009", "VALUE-044", "INV-026", "INV-027"],
            &["value-007-bounds", "inv-026-bound-monotony"],
        )
        .within_lines(30)
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            schema.values.minimum = schema.values.minimum.map(f64::abs);
            correct().check_number(number, &schema, path, findings);
        })),
    fault("ignores-bounds-of-untyped-nodes", "bounds of a node without a type are ignored")
        .breaks(&["VALUE-007", "VALUE-044", "INV-027"], &["value-007-bounds"])
        .semantics(with::check_number(|_, number, schema, path, findings| {
            if validate::types::states_type(schema) {
                correct().check_number(number, schema, path, findings);
            }
        })),
    obvious_fault("ignores-int32", "the range of format int32 is not enforced")
        .breaks(&["VALUE-008"], &["value-008-numeric-formats"])
        .within_lines(12)
        .semantics(with::check_number_range(|_, number, schema, path, findings| {
            if schema.values.format != "int32" {
                correct().check_number_range(number, schema, path, findings);
            }
        })),
    fault("enforces-int32-on-any-type", "the range of format int32 is enforced on any type")
        .breaks(&["VALUE-008"], &["value-008-numeric-formats"])
        .within_lines(18)
        .semantics(with::check_number_range(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            if schema.values.format == "int32" {
                "integer".clone_into(&mut schema.type_name);
            }
            correct().check_number_range(number, &schema, path, findings);
        })),
    fault("divides-floats", "multipleOf is checked by dividing float64 values")
        .breaks(&["VALUE-010", "INV-027"], &["value-010-multiple-of"])
        .within_lines(25)
        .by_example_only()
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            let factor = schema.values.multiple_of.take();
            correct().check_number(number, &schema, path, findings);
            if factor.is_some_and(|factor| factor <= 0.0 || (number.as_f64().unwrap_or(0.0) / factor).fract() != 0.0) {
                findings.violation(path, Reason::Invalid, "VALUE-010", || "no multiple".to_owned());
            }
        })),
    fault("accepts-negative-multiples", "a negative number is accepted as a multiple of any factor")
        .breaks(&["VALUE-010", "VALUE-044", "INV-027"], &["value-010-multiple-of"])
        .within_lines(12)
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            if number.as_f64().is_some_and(|float| float < 0.0) {
                schema.values.multiple_of = None;
            }
            correct().check_number(number, &schema, path, findings);
        })),
];
