//! The results of checks.

use crate::{FieldPath, Reason, Violation, message, path::NO_FIELD};

/// The violations that the checks of a value found, and the number of checks that passed.
#[derive(Debug, Default)]
pub struct Findings {
    violations: Vec<Violation>,
    failed: bool,
    /// Whether only the verdict is recorded.
    quiet: bool,
    passed: u64,
}

impl Findings {
    /// Findings without violations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Findings for a branch of a quantifier, to be merged or dropped. They record only the verdict if `self` does.
    #[must_use]
    pub fn branch(&self) -> Self {
        Self { quiet: self.quiet, ..Self::default() }
    }

    /// Findings that record only the verdict, without messages.
    #[must_use]
    pub fn verdict_only() -> Self {
        Self { quiet: true, ..Self::default() }
    }

    /// Adds the findings of a branch.
    pub fn merge(&mut self, branch: Self) {
        self.failed |= branch.failed;
        self.passed += branch.passed;
        self.violations.extend(branch.violations);
    }

    /// Whether no check failed.
    pub fn is_valid(&self) -> bool {
        !self.failed
    }

    /// The number of checks that passed.
    pub fn passed_count(&self) -> u64 {
        self.passed
    }

    /// Counts checks that passed.
    pub fn passed(&mut self, count: u64) {
        self.passed += count;
    }

    /// Reports a violation at `path`.
    pub fn violation(
        &mut self,
        path: &FieldPath<'_>,
        reason: Reason,
        requirement: &'static str,
        detail: impl FnOnce() -> String,
    ) {
        self.failed = true;
        if !self.quiet {
            self.violations.push(Violation::new(path.cause(), reason, requirement, detail()));
        }
    }

    /// Reports a number of these things at `path` that is below the minimum or above the maximum.
    pub(super) fn count(
        &mut self,
        path: &FieldPath<'_>,
        count: usize,
        things: &str,
        (minimum, maximum): (Option<i64>, Option<i64>),
        requirement: &'static str,
    ) {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        if let Some(minimum) = minimum.filter(|minimum| count < *minimum) {
            self.violation(path, Reason::Invalid, requirement, || {
                let rule = format_args!("should have at least {minimum} {things}");
                message::about(count, message::in_body(path, rule))
            });
        }
        if let Some(maximum) = maximum.filter(|maximum| count > *maximum) {
            self.violation(path, Reason::TooMany, requirement, || message::too_many(count, maximum));
        }
    }

    /// Reports a violation whose cause names neither the field nor the value; only what it says does (chapter 5, head).
    pub fn summary(&mut self, requirement: &'static str, says: impl FnOnce() -> String) {
        self.failed = true;
        if !self.quiet {
            let detail = message::about_text("", says());
            self.violations.push(Violation::new(NO_FIELD, Reason::Invalid, requirement, detail));
        }
    }

    /// The violations without duplicates: a keyword that fails in a node and again in a branch is one cause (chapter
    /// 5, head).
    pub fn into_violations(self) -> Vec<Violation> {
        Violation::distinct(self.violations)
    }
}
