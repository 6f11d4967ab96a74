//! Where checks write what they find.

use std::collections::HashSet;

use crate::{FieldPath, Reason, Violation, path::NO_FIELD};

/// What the checks of a value found, and how many of them passed.
#[derive(Debug, Default)]
pub struct Findings {
    violations: Vec<Violation>,
    failed: bool,
    quiet: bool,
    passed: u64,
}

impl Findings {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Findings of a branch of a quantifier, to be taken over or forgotten. They are as quiet as these.
    #[must_use]
    pub fn branch(&self) -> Self {
        Self { quiet: self.quiet, ..Self::default() }
    }

    /// Findings of a branch of which only the verdict counts: no text is made.
    #[must_use]
    pub fn verdict_only() -> Self {
        Self { quiet: true, ..Self::default() }
    }

    /// Takes over what a branch found.
    pub fn take_over(&mut self, branch: Self) {
        self.failed |= branch.failed;
        self.passed += branch.passed;
        self.violations.extend(branch.violations);
    }

    /// Whether nothing is wrong.
    pub fn is_valid(&self) -> bool {
        !self.failed
    }

    /// How many checks passed.
    pub fn passed_count(&self) -> u64 {
        self.passed
    }

    /// Counts checks that passed.
    pub fn passed(&mut self, count: u64) {
        self.passed += count;
    }

    /// Something is wrong at `path`.
    pub fn violation(
        &mut self,
        path: &FieldPath<'_>,
        reason: Reason,
        requirement: &'static str,
        detail: impl FnOnce() -> String,
    ) {
        self.failed = true;
        if !self.quiet {
            self.violations.push(Violation { field: path.cause(), reason, requirement, detail: detail() });
        }
    }

    /// Something is wrong at `path`, and the cause does not name a field, only its text does (chapter 5, head).
    pub fn summary(&mut self, path: &FieldPath<'_>, requirement: &'static str, detail: impl FnOnce() -> String) {
        self.failed = true;
        if !self.quiet {
            let detail = format!("{}: {}", path.cause(), detail());
            self.violations.push(Violation {
                field: NO_FIELD.to_owned(),
                reason: Reason::Invalid,
                requirement,
                detail,
            });
        }
    }

    /// What was found, each finding once: one keyword that fails in a node and again in a branch is one cause (chapter 5,
    /// head).
    pub fn into_violations(self) -> Vec<Violation> {
        if self.violations.len() < 2 {
            return self.violations;
        }
        let mut seen = HashSet::with_capacity(self.violations.len());
        // Whichever requirement led there.
        let first: Vec<bool> = self
            .violations
            .iter()
            .map(|violation| seen.insert((&violation.field, violation.reason, &violation.detail)))
            .collect();
        drop(seen);
        self.violations.into_iter().zip(first).filter_map(|(violation, first)| first.then_some(violation)).collect()
    }
}
