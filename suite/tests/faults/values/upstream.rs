//! Faults in the validation of values that kube-apiserver has: the properties of its defects find them.

use crdible_semantics::{FieldPath, Format, Schema, Upstream, validate::Findings};
use serde_json::{Number, Value};

use crate::table::{Fault, Finder};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "refuses-numbers-under-fractional-bounds",
        wrong: "every integer fails under a fractional or huge bound",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                Upstream.check_number(number, schema, path, findings);
                let values = &schema.values;
                let is_odd = |bound: f64| {
                    bound.fract() != 0.0 || bound.abs() > 9e18 || values.format == "int32" && bound > 2_147_483_647.0
                };
                if schema.type_name == "integer" && [values.minimum, values.maximum].into_iter().flatten().any(is_odd) {
                    findings.summary(path, "VALUE-009", || "out of range".to_owned());
                }
            }
        }),
        requirements: &["VALUE-009"],
        properties: &["value-009-defect-bounds"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-symbols-for-hostnames",
        wrong: "a hostname may be a symbol or end in a dash",
        target: wrong!(Validation {
            fn accepts_format(&self, format: Format, text: &str) -> bool {
                Upstream.accepts_format(format, text)
                    || format == Format::Hostname && ["a-", "+", "$", "\u{2603}"].contains(&text)
            }
        }),
        requirements: &["VALUE-015"],
        properties: &["value-015-defect-texts"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-arrays-for-formatted-texts",
        wrong: "an array passes as a text of an enforced format",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema)
                    || schema.type_name == "string" && value.is_array() && self.enforced_format(schema).is_some()
            }
        }),
        requirements: &["VALUE-017"],
        properties: &["value-017-defect-arrays"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-letters-by-number",
        wrong: "a number equals the listed letter with its code",
        target: wrong!(Validation {
            fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let letter = value
                    .as_u64()
                    .and_then(|code| u32::try_from(code).ok())
                    .and_then(char::from_u32)
                    .map(|letter| Value::String(letter.to_string()));
                if !letter.is_some_and(|letter| schema.values.enumeration.contains(&letter)) {
                    Upstream.check_enumeration(value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-018"],
        properties: &["value-018-defect-conversion"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "truncates-bounds",
        wrong: "integers are compared with bounds truncated towards zero",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                if number.is_i64() && schema.type_name != "integer" {
                    schema.values.minimum = schema.values.minimum.map(f64::trunc);
                    schema.values.maximum = schema.values.maximum.map(f64::trunc);
                }
                Upstream.check_number(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-044"],
        properties: &["value-044-defect-literals"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
];
