//! Violations that a wrong server omits, and violations that it adds.

use crdible_semantics::{Reason, Violation};

/// Reports what a rule finds, except for some violations.
pub(crate) fn report_except(
    found: &mut Vec<Violation>,
    rule: impl FnOnce(&mut Vec<Violation>),
    is_omitted: impl Fn(&Violation) -> bool,
) {
    let mut all = Vec::new();
    rule(&mut all);
    found.extend(all.into_iter().filter(|violation| !is_omitted(violation)));
}

/// A violation that a correct server does not report.
pub(crate) fn violation(field: String, reason: Reason) -> Violation {
    Violation { field, reason, requirement: "CRDVAL-005", detail: "this server is wrong".to_owned() }
}
