//! Violations that a wrong server omits, and violations that it adds.

use crdible_semantics::{Reason, Violation};

/// What a rule reports.
pub(crate) fn reported(rule: impl FnOnce(&mut Vec<Violation>)) -> Vec<Violation> {
    let mut all = Vec::new();
    rule(&mut all);
    all
}

/// Adds all violations to those that were found, except for some.
pub(crate) fn add_except(found: &mut Vec<Violation>, all: Vec<Violation>, is_omitted: impl Fn(&Violation) -> bool) {
    found.extend(all.into_iter().filter(|violation| !is_omitted(violation)));
}

/// A violation that a correct server does not report.
pub(crate) fn violation(field: String, reason: Reason) -> Violation {
    Violation { field, reason, requirement: "CRDVAL-005", detail: "this server is wrong".to_owned() }
}
