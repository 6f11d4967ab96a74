//! Faults in the validation of quantifiers.

use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream,
    validate::{self, Findings},
};
use serde_json::Value;

use crate::table::{Fault, Finder};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "tells-no-summary-of-all-of",
        wrong: "a failed allOf has no cause of its own",
        target: wrong!(Validation {
            fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut inner = Findings::new();
                Upstream.check_all_of(value, schema, path, &mut inner);
                for violation in inner.into_violations() {
                    if violation.field != "<nil>" {
                        findings.violation(path, violation.reason, "VALUE-027", || violation.detail.clone());
                    }
                }
            }
        }),
        requirements: &["VALUE-027"],
        properties: &["value-027-all-of"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ends-at-the-first-branch",
        wrong: "allOf ends at the first branch that fails",
        target: wrong!(Validation {
            fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut other = schema.clone();
                let failed = schema.all_of.iter().position(|branch| {
                    let mut found = Findings::new();
                    Upstream.check_value(value, branch, path, &mut found);
                    !found.is_valid()
                });
                if let Some(failed) = failed {
                    other.all_of.truncate(failed + 1);
                }
                Upstream.check_all_of(value, &other, path, findings);
            }
        }),
        requirements: &["VALUE-027"],
        properties: &["value-027-all-of"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-of-for-one-of",
        wrong: "anyOf refuses what satisfies several branches",
        target: wrong!(Validation {
            fn check_any_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut other = schema.clone();
                other.one_of = other.any_of.clone();
                Upstream.check_one_of(value, &other, path, findings);
            }
        }),
        requirements: &["VALUE-028"],
        properties: &["value-028-any-of"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-one-of-for-any-of",
        wrong: "oneOf accepts what satisfies several branches",
        target: wrong!(Validation {
            fn check_one_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut other = schema.clone();
                other.any_of = other.one_of.clone();
                Upstream.check_any_of(value, &other, path, findings);
            }
        }),
        requirements: &["VALUE-029"],
        properties: &["value-029-one-of"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "negates-once",
        wrong: "`not` within the branch of `not` is ignored",
        target: wrong!(Validation {
            fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if branch.not.is_none() {
                    Upstream.check_not(value, branch, path, findings);
                }
            }
        }),
        requirements: &["VALUE-030", "INV-024"],
        properties: &["value-030-not", "inv-023-singleton-quantifiers"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "shows-what-not-has-found",
        wrong: "a failed `not` is told at the node",
        target: wrong!(Validation {
            fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut found = Findings::verdict_only();
                Upstream.check_value(value, branch, path, &mut found);
                if found.is_valid() {
                    findings.violation(path, Reason::Invalid, "VALUE-030", || "must not hold".to_owned());
                }
            }
        }),
        requirements: &["VALUE-030"],
        properties: &["value-030-not"],
        largest: 18,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "quantifies-before-defaulting",
        wrong: "quantifiers do not see defaults",
        target: wrong!(Validation {
            fn check_quantifiers(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut value = value.clone();
                if let Some(object) = value.as_object_mut() {
                    object.retain(|key, value| {
                        schema.properties.get(key).and_then(|property| property.default.as_ref()) != Some(&*value)
                    });
                }
                validate::quantifiers::check(self, &value, schema, path, findings);
            }
        }),
        requirements: &["VALUE-031"],
        properties: &["value-031-final-value"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
];
