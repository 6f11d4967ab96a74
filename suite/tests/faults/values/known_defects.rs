//! Faults in the validation of values that kube-apiserver has itself: the properties of its known defects find them.

use crdible_semantics::{Format, with};
use serde_json::Value;

use crate::{
    server::correct,
    table::{Fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault(
        "rejects-integers-under-fractional-bounds",
        "every integer is rejected under a fractional or huge bound",
    )
    .breaks(&["VALUE-009"], &["value-009-defect-bounds"])
    .semantics(with::check_number(|_, number, schema, path, findings| {
        correct().check_number(number, schema, path, findings);
        let values = &schema.values;
        let is_odd = |bound: f64| {
            bound.fract() != 0.0 || bound.abs() > 9e18 || values.format == "int32" && bound > 2_147_483_647.0
        };
        if schema.type_name == "integer" && [values.minimum, values.maximum].into_iter().flatten().any(is_odd) {
            findings.summary("VALUE-009", || format!("out of range in {}", path.in_body()));
        }
    })),
    obvious_fault("accepts-symbols-as-hostnames", "a hostname may be a symbol or end in a dash")
        .breaks(&["VALUE-015"], &["value-015-defect-texts"])
        .semantics(with::accepts_format(|_, format, text| {
            correct().accepts_format(format, text)
                || format == Format::Hostname && ["a-", "+", "$", "\u{2603}"].contains(&text)
        })),
    obvious_fault("accepts-arrays-as-formatted-strings", "an array is accepted as a string with an enforced format")
        .breaks(&["VALUE-017"], &["value-017-defect-arrays"])
        .semantics(with::accepts_type(|semantics, value, schema| {
            correct().accepts_type(value, schema)
                || schema.type_name == "string" && value.is_array() && semantics.enforced_format(schema).is_some()
        })),
    obvious_fault("matches-letters-by-number", "a number is equal to the letter with its code in an enum")
        .breaks(&["VALUE-018"], &["value-018-defect-conversion"])
        .semantics(with::check_enumeration(|_, value, schema, path, findings| {
            let letter = value
                .as_u64()
                .and_then(|code| u32::try_from(code).ok())
                .and_then(char::from_u32)
                .map(|letter| Value::String(letter.to_string()));
            if !letter.is_some_and(|letter| schema.values.enumeration.contains(&letter)) {
                correct().check_enumeration(value, schema, path, findings);
            }
        })),
    obvious_fault("truncates-bounds", "integers are compared with bounds truncated towards zero")
        .breaks(&["VALUE-044"], &["value-044-defect-literals"])
        .semantics(with::check_number(|_, number, schema, path, findings| {
            let mut schema = schema.clone();
            if number.is_i64() && schema.type_name != "integer" {
                schema.values.minimum = schema.values.minimum.map(f64::trunc);
                schema.values.maximum = schema.values.maximum.map(f64::trunc);
            }
            correct().check_number(number, &schema, path, findings);
        })),
];
