//! Confirming a failure: running its scenario again before it is reported.

use std::sync::Arc;

use crdible_reports::Signature;

use super::attempt::{Examiner, Outcome, Trial, attempt_twice};
use crate::{execute::Freshness, judge::FailedCheck, scenario::Scenario};

/// How often a failure is run again.
const CONFIRMATIONS: u32 = 3;

/// The result of running a failing scenario again.
pub(super) struct Confirmation {
    /// How often it was run.
    pub(super) attempts: u32,
    /// How often it failed with the same signature.
    pub(super) reproduced: u32,
    /// It failed only on definitions of the pool.
    pub(super) needs_history: bool,
}

/// Runs a failing scenario again: on fresh definitions, and if it never fails there on those of the pool. An attempt that ends in an
/// error counts as one that does not fail.
pub(super) async fn confirm<E: Examiner>(examiner: &Arc<E>, scenario: &Scenario, wanted: &Signature) -> Confirmation {
    let mut reproduced = 0;
    for freshness in [Freshness::Fresh, Freshness::Pooled] {
        for _ in 0..CONFIRMATIONS {
            let trial = Trial::new(&wanted.property, scenario).on(freshness);
            let outcome = attempt_twice(examiner, trial).await.outcome;
            reproduced += u32::from(failed_with(&outcome, wanted).is_some());
        }
        if reproduced > 0 {
            let needs_history = freshness == Freshness::Pooled;
            return Confirmation { attempts: CONFIRMATIONS, reproduced, needs_history };
        }
    }
    Confirmation { attempts: 2 * CONFIRMATIONS, reproduced, needs_history: false }
}

/// The failed check with this signature.
pub(super) fn failed_with<'a, E>(outcome: &'a Outcome<E>, wanted: &Signature) -> Option<&'a FailedCheck> {
    match outcome {
        Outcome::Fail(failed) => failed.iter().find(|failed| failed.failure.signature == *wanted),
        _ => None,
    }
}
