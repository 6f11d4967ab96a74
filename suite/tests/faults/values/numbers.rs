//! Faults in the validation of types and numbers.

use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream,
    validate::{self, Findings},
};
use serde_json::{Number, Value, json};

use crate::table::{Fault, Finder};

/// Rounds every number in the values of an object to a float64.
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
    Fault {
        name: "takes-words-for-booleans",
        wrong: "the texts true and false pass as booleans",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema) || schema.type_name == "boolean" && value == "true"
            }
        }),
        requirements: &["VALUE-001"],
        properties: &["value-001-type-check"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ends-at-the-type",
        wrong: "a value of the wrong type is judged by nothing else",
        target: wrong!(Validation {
            fn check_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if Upstream.accepts_type(value, schema) {
                    validate::value(self, value, schema, path, findings);
                } else {
                    self.check_type(value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-001", "VALUE-003"],
        properties: &["value-001-several-causes"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "judges-no-untyped-node",
        wrong: "keywords of a node without a type are ignored",
        target: wrong!(Validation {
            fn check_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if validate::types::states_type(schema) || !schema.is_preserving() {
                    validate::value(self, value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-002"],
        properties: &["value-002-untyped-nodes"],
        largest: 15,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-no-integral-float",
        wrong: "an integer must be written as one",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema) && !(schema.type_name == "integer" && value.is_f64())
            }
        }),
        requirements: &["VALUE-003", "VALUE-004", "VALUE-005", "INV-029"],
        properties: &["value-003-integral-floats", "value-005-normalisation"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-large-floats-for-integers",
        wrong: "a float beyond 2^53 passes as an integer if it is one",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema)
                    || schema.type_name == "integer"
                        && value.as_f64().is_some_and(|float| float.fract() == 0.0 && float.abs() < 9e18)
            }
        }),
        requirements: &["VALUE-003", "INV-029"],
        properties: &["value-003-integral-floats"],
        largest: 12,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "reads-every-number-as-a-double",
        wrong: "integers beyond 2^53 lose their last digits",
        target: wrong!(Pruning {
            fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
                if root {
                    round(value);
                }
                Upstream.prune(value, schema, root)
            }
        }),
        requirements: &["VALUE-004", "VALUE-005", "INV-029"],
        properties: &["value-005-normalisation"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-booleans-for-int-or-string",
        wrong: "int-or-string takes booleans",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema) || schema.int_or_string && value.is_boolean()
            }
        }),
        requirements: &["VALUE-006"],
        properties: &["value-006-int-or-string"],
        largest: 15,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-length-of-int-or-string",
        wrong: "keywords of strings are ignored on int-or-string",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if !schema.int_or_string {
                    Upstream.check_string(text, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-006"],
        properties: &["value-006-int-or-string"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "excludes-no-bound",
        wrong: "an exclusive bound is taken for an inclusive one",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                schema.values.exclusive_minimum = false;
                schema.values.exclusive_maximum = false;
                Upstream.check_number(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-007", "VALUE-044", "INV-027"],
        properties: &["value-007-bounds"],
        largest: 18,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "excludes-a-bound-at-floats-alone",
        wrong: "an exclusive maximum is inclusive for numbers written as floats",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                if number.is_f64() {
                    schema.values.exclusive_maximum = false;
                }
                Upstream.check_number(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-007", "VALUE-044"],
        properties: &["value-007-bounds"],
        largest: 18,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "loses-the-sign-of-bounds",
        wrong: "a negative minimum is read as a positive one",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                schema.values.minimum = schema.values.minimum.map(f64::abs);
                Upstream.check_number(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-007", "VALUE-009", "VALUE-044", "INV-026", "INV-027"],
        properties: &["value-007-bounds", "inv-026-bound-monotony"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "bounds-no-untyped-number",
        wrong: "bounds of a node without a type are ignored",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if validate::types::states_type(schema) {
                    Upstream.check_number(number, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-007", "VALUE-044", "INV-027"],
        properties: &["value-007-bounds"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "knows-no-int32",
        wrong: "int32 is no bound",
        target: wrong!(Validation {
            fn check_number_range(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if schema.values.format != "int32" {
                    Upstream.check_number_range(number, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-008"],
        properties: &["value-008-numeric-formats"],
        largest: 12,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "bounds-int32-of-any-type",
        wrong: "int32 bounds numbers of any type",
        target: wrong!(Validation {
            fn check_number_range(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                if schema.values.format == "int32" {
                    "integer".clone_into(&mut schema.type_name);
                }
                Upstream.check_number_range(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-008"],
        properties: &["value-008-numeric-formats"],
        largest: 18,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "divides-doubles",
        wrong: "multiples are found by dividing float64s",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                let factor = schema.values.multiple_of.take();
                Upstream.check_number(number, &schema, path, findings);
                if factor.is_some_and(|factor| factor <= 0.0 || (number.as_f64().unwrap_or(0.0) / factor).fract() != 0.0) {
                    findings.violation(path, Reason::Invalid, "VALUE-010", || "no multiple".to_owned());
                }
            }
        }),
        requirements: &["VALUE-010", "INV-027"],
        properties: &["value-010-multiple-of"],
        largest: 25,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "takes-negative-multiples",
        wrong: "a negative number is a multiple of everything",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                if number.as_f64().is_some_and(|float| float < 0.0) {
                    schema.values.multiple_of = None;
                }
                Upstream.check_number(number, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-010", "VALUE-044", "INV-027"],
        properties: &["value-010-multiple-of"],
        largest: 12,
        subtle: true,
        finder: Finder::Choices,
    },
];
