//! Faults in the validation of quantifiers.

use crdible_semantics::{Reason, Validation, validate::Findings, with};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("reports-no-summary-of-all-of", "a failed allOf has no cause of its own")
        .breaks(&["VALUE-027"], &["value-027-all-of"])
        .semantics(with::check_all_of(|_, value, schema, path, findings| {
            let mut inner = Findings::new();
            correct().check_all_of(value, schema, path, &mut inner);
            for violation in inner.into_violations() {
                if violation.field != "<nil>" {
                    findings.violation(path, violation.reason, "VALUE-027", || violation.detail.clone());
                }
            }
        })),
    fault("stops-all-of-at-the-first-failure", "allOf stops at the first branch that fails")
        .breaks(&["VALUE-027"], &["value-027-all-of"])
        .semantics(with::check_all_of(|_, value, schema, path, findings| {
            let mut other = schema.clone();
            let failed = schema.all_of.iter().position(|branch| {
                let mut found = Findings::new();
                correct().check_value(value, branch, path, &mut found);
                !found.is_valid()
            });
            if let Some(failed) = failed {
                other.all_of.truncate(failed + 1);
            }
            correct().check_all_of(value, &other, path, findings);
        })),
    fault("treats-any-of-as-one-of", "anyOf rejects a value that satisfies several branches")
        .breaks(&["VALUE-028"], &["value-028-any-of"])
        .within_lines(20)
        .semantics(with::check_any_of(|_, value, schema, path, findings| {
            let mut other = schema.clone();
            other.one_of = other.any_of.clone();
            correct().check_one_of(value, &other, path, findings);
        })),
    obvious_fault("treats-one-of-as-any-of", "oneOf accepts a value that satisfies several branches")
        .breaks(&["VALUE-029"], &["value-029-one-of"])
        .semantics(with::check_one_of(|_, value, schema, path, findings| {
            let mut other = schema.clone();
            other.any_of = other.one_of.clone();
            correct().check_any_of(value, &other, path, findings);
        })),
    fault("checks-no-single-branch", "oneOf with a single branch accepts everything")
        .breaks(&["INV-023", "VALUE-027", "VALUE-028", "VALUE-029"], &["inv-023-singleton-quantifiers"])
        .within_lines(45)
        .semantics(with::check_one_of(|_, value, schema, path, findings| {
            if schema.one_of.len() != 1 {
                correct().check_one_of(value, schema, path, findings);
            }
        })),
    fault("denies-no-alternatives", "`not` with anyOf accepts everything")
        .breaks(&["INV-025", "VALUE-027", "VALUE-028", "VALUE-030"], &["inv-023-singleton-quantifiers"])
        .within_lines(45)
        .semantics(with::check_not(|_, value, branch, path, findings| {
            if branch.any_of.is_empty() {
                correct().check_not(value, branch, path, findings);
            }
        })),
    fault("ignores-nested-not", "`not` inside `not` is ignored")
        .breaks(&["VALUE-030", "INV-024"], &["value-030-not", "inv-023-singleton-quantifiers"])
        .within_lines(35)
        .semantics(with::check_not(|_, value, branch, path, findings| {
            if branch.not.is_none() {
                correct().check_not(value, branch, path, findings);
            }
        })),
    obvious_fault("reports-not-at-the-node", "a failed `not` is reported at the node")
        .breaks(&["VALUE-030"], &["value-030-not"])
        .within_lines(18)
        .semantics(with::check_not(|_, value, branch, path, findings| {
            let mut found = Findings::verdict_only();
            correct().check_value(value, branch, path, &mut found);
            if found.is_valid() {
                findings.violation(path, Reason::Invalid, "VALUE-030", || "must not hold".to_owned());
            }
        })),
    fault("checks-quantifiers-before-defaulting", "quantifiers are checked before defaulting")
        .breaks(&["VALUE-031"], &["value-031-final-value"])
        .semantics(with::check_quantifiers(|semantics, value, schema, path, findings| {
            let mut value = value.clone();
            if let Some(object) = value.as_object_mut() {
                object.retain(|key, value| {
                    schema.properties.get(key).and_then(|property| property.default.as_ref()) != Some(&*value)
                });
            }
            (Validation::CORRECT.check_quantifiers)(semantics, &value, schema, path, findings);
        })),
];
