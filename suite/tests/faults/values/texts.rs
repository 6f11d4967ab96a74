//! Faults in the validation of texts, listed values and nulls.

use crdible_semantics::{
    FieldPath, Format, Pattern, Reason, Schema, Upstream, Validation,
    validate::{self, Findings},
};
use serde_json::{Number, Value};

use crate::table::{Fault, Finder};

/// The right check of a text, whose length is told.
fn measured(text: &str, length: usize, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let values = &schema.values;
    if values.max_length.is_some_and(|most| length > most) {
        findings.violation(path, Reason::TooLong, "VALUE-011", || "too long".to_owned());
    } else if values.min_length.is_some_and(|least| length < least) {
        findings.violation(path, Reason::Invalid, "VALUE-011", || "too short".to_owned());
    } else if !Upstream.matches_pattern(text, schema) {
        findings.violation(path, Reason::Invalid, "VALUE-012", || "no match".to_owned());
    }
}

/// Whether a text matches the pattern of a schema with something around it.
fn rewritten(text: &str, schema: &Schema, before: &str, behind: &str) -> bool {
    let pattern = schema.values.pattern.as_str();
    let is_match = || Pattern::parse(&format!("{before}{pattern}{behind}")).map(|pattern| pattern.is_match(text));
    pattern.is_empty() || is_match().unwrap_or_else(|_| Upstream.matches_pattern(text, schema))
}

fn is_like_a_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |at: usize, digits: usize, most: u32| {
        parts[at].len() == digits
            && parts[at].parse::<u32>().is_ok_and(|number| number <= most && (digits > 2 || number > 0))
    };
    parts.len() == 3 && number(0, 4, 9999) && number(1, 2, 12) && number(2, 2, 31)
}

/// The same with the elements of each list sorted.
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
    Fault {
        name: "counts-bytes",
        wrong: "lengths count bytes",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                measured(text, text.len(), schema, path, findings);
            }
        }),
        requirements: &["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"],
        properties: &["value-011-length"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-utf16-units",
        wrong: "lengths count units of UTF-16",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                measured(text, text.encode_utf16().count(), schema, path, findings);
            }
        }),
        requirements: &["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"],
        properties: &["value-011-length"],
        largest: 14,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-combining-marks",
        wrong: "lengths do not count combining marks",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                measured(
                    text,
                    text.chars().filter(|mark| !('\u{300}'..='\u{36f}').contains(mark)).count(),
                    schema,
                    path,
                    findings,
                );
            }
        }),
        requirements: &["VALUE-006", "VALUE-011", "VALUE-013", "INV-028"],
        properties: &["value-011-length"],
        largest: 14,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-one-character-too-many",
        wrong: "maxLength is one too large",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                schema.values.max_length = schema.values.max_length.map(|most| most + 1);
                Upstream.check_string(text, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-011", "INV-028", "INV-034"],
        properties: &["value-011-length", "inv-034-errors-are-located"],
        largest: 45,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "anchors-patterns",
        wrong: "a pattern must match the whole text",
        target: wrong!(Validation {
            fn matches_pattern(&self, text: &str, schema: &Schema) -> bool {
                rewritten(text, schema, "^(?:", ")$")
            }
        }),
        requirements: &["VALUE-012"],
        properties: &["value-012-pattern"],
        largest: 14,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "matches-line-by-line",
        wrong: "^ and $ match at every line",
        target: wrong!(Validation {
            fn matches_pattern(&self, text: &str, schema: &Schema) -> bool {
                rewritten(text, schema, "(?m)", "")
            }
        }),
        requirements: &["VALUE-012", "VALUE-013"],
        properties: &["value-012-pattern"],
        largest: 14,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lets-dots-match-newlines",
        wrong: "a dot matches a newline",
        target: wrong!(Validation {
            fn matches_pattern(&self, text: &str, schema: &Schema) -> bool {
                rewritten(text, schema, "(?s)", "")
            }
        }),
        requirements: &["VALUE-012"],
        properties: &["value-012-pattern"],
        largest: 14,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-of-pattern-and-length",
        wrong: "the pattern is judged although the text is too long",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                Upstream.check_string(text, schema, path, findings);
                if schema.values.max_length.is_some_and(|most| i64::try_from(text.chars().count()).unwrap_or(0) > most)
                    && !Upstream.matches_pattern(text, schema)
                {
                    findings.violation(path, Reason::Invalid, "VALUE-012", || "no match".to_owned());
                }
            }
        }),
        requirements: &["VALUE-013"],
        properties: &["value-013-first-failure"],
        largest: 16,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "knows-formats-in-any-case",
        wrong: "names of formats are compared without regard to case",
        target: wrong!(Validation {
            fn enforced_format(&self, schema: &Schema) -> Option<Format> {
                let mut schema = schema.clone();
                schema.values.format = schema.values.format.to_lowercase();
                Upstream.enforced_format(&schema)
            }
        }),
        requirements: &["VALUE-014", "VALUE-016"],
        properties: &["value-016-ignored-formats"],
        largest: 12,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-formats-of-numbers",
        wrong: "a number fails every format of strings",
        target: wrong!(Validation {
            fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                Upstream.check_number(number, schema, path, findings);
                if Format::named(&schema.values.format).is_some() {
                    findings.violation(path, Reason::TypeInvalid, "VALUE-014", || "no text".to_owned());
                }
            }
        }),
        requirements: &["VALUE-016"],
        properties: &["value-016-ignored-formats"],
        largest: 12,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-day-for-a-date",
        wrong: "a date may have any day from 01 to 31",
        target: wrong!(Validation {
            fn accepts_format(&self, format: Format, text: &str) -> bool {
                Upstream.accepts_format(format, text) || format == Format::Date && is_like_a_date(text)
            }
        }),
        requirements: &["VALUE-014", "VALUE-015"],
        properties: &["value-014-formats"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-format-in-branches",
        wrong: "formats in branches are ignored",
        target: wrong!(Validation {
            fn enforced_format(&self, schema: &Schema) -> Option<Format> {
                Upstream.enforced_format(schema).filter(|_| validate::types::states_type(schema))
            }
        }),
        requirements: &["VALUE-014", "VALUE-015"],
        properties: &["value-014-formats"],
        largest: 18,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-by-double",
        wrong: "listed integers are compared as float64",
        target: wrong!(Validation {
            fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let listed = &schema.values.enumeration;
                if !(value.is_i64() && listed.iter().any(|other| other.is_i64() && other.as_f64() == value.as_f64())) {
                    Upstream.check_enumeration(value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-018"],
        properties: &["value-018-enum"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-elements-in-any-order",
        wrong: "listed lists are compared without regard to order",
        target: wrong!(Validation {
            fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut other = schema.clone();
                other.values.enumeration = other.values.enumeration.into_iter().map(sorted).collect();
                Upstream.check_enumeration(&sorted(value.clone()), &other, path, findings);
            }
        }),
        requirements: &["VALUE-018"],
        properties: &["value-018-enum"],
        largest: 45,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-nothing-in-lists",
        wrong: "enum is ignored where the value is no text and no number",
        target: wrong!(Validation {
            fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if value.is_string() || value.is_number() {
                    Upstream.check_enumeration(value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-001", "VALUE-018"],
        properties: &["value-018-enum"],
        largest: 45,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-null-for-empty",
        wrong: "a null in a list passes as a text",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                Upstream.accepts_type(value, schema) || schema.type_name == "string" && value.is_null()
            }
        }),
        requirements: &["VALUE-019"],
        properties: &["value-019-null"],
        largest: 15,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "judges-nulls-by-quantifiers",
        wrong: "quantifiers look at nulls",
        target: wrong!(Validation {
            fn check_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                validate::value(self, value, schema, path, findings);
                if value.is_null() {
                    self.check_quantifiers(value, schema, path, findings);
                }
            }
        }),
        requirements: &["VALUE-019", "VALUE-020"],
        properties: &["value-019-null"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
];
