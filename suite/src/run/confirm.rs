//! Confirming a failure: running its scenario again before it is reported.

use std::sync::Arc;

use crdible_reports::Signature;
use futures_util::future::join_all;

use super::{
    access::Access,
    attempt::{Attempt, Examiner, Outcome, Trial, attempt_twice},
    investigations::Turn,
};
use crate::{execute::Freshness, judge::FailedCheck, scenario::Scenario};

/// How often a failure is run again.
const CONFIRMATIONS: u32 = 3;

/// The result of running a failing scenario again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Confirmation {
    /// How often it was run.
    pub(super) attempts: u32,
    /// How often it failed with the same signature.
    pub(super) reproduced: u32,
    /// It failed only on definitions of the pool.
    pub(super) needs_history: bool,
}

/// Runs a failing scenario again: first several times at once on fresh definitions, beside all other work. If it does not fail each
/// time, or waits for something, it is run when all cases are done and nothing else runs, so that a server under load is not blamed for being late: on
/// fresh definitions, and if it never fails there on those of the pool. What is like others that were confirmed may wait beside other
/// work, too. An attempt that ends in an error counts as one that does not fail.
pub(super) async fn confirm<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    turn: &mut Option<Turn<'_>>,
    scenario: &Scenario,
    failed: &FailedCheck,
    is_like_others: bool,
) -> Confirmation {
    let wanted = &failed.failure.signature;
    let waits = failed.check.is_some_and(|check| scenario.waits_before(check));
    if !waits || is_like_others {
        let _beside_others = access.beside_others().await;
        let attempts = (0..CONFIRMATIONS).map(|_| fails(examiner, access, scenario, Freshness::Fresh, wanted));
        if join_all(attempts).await.into_iter().all(|fails| fails) {
            return Confirmation { attempts: CONFIRMATIONS, reproduced: CONFIRMATIONS, needs_history: false };
        }
    }
    // Others may have the turn while it waits.
    *turn = None;
    let _alone = access.alone().await;
    for freshness in [Freshness::Fresh, Freshness::Pooled] {
        let attempts = (0..CONFIRMATIONS).map(|_| fails(examiner, access, scenario, freshness, wanted));
        let reproduced: u32 = join_all(attempts).await.into_iter().map(u32::from).sum();
        if reproduced > 0 {
            let needs_history = freshness == Freshness::Pooled;
            return Confirmation { attempts: CONFIRMATIONS, reproduced, needs_history };
        }
    }
    Confirmation { attempts: 2 * CONFIRMATIONS, reproduced: 0, needs_history: false }
}

/// Runs a scenario of a known failure once more and keeps its exchanges; `None` if it does not fail again. Definitions of the pool
/// will do: nobody looks for what is new about it.
pub(super) async fn confirm_known<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    scenario: &Scenario,
    wanted: &Signature,
) -> Option<Attempt<E::Error>> {
    let _beside_others = access.beside_others().await;
    let trial = Trial::new(&wanted.property, scenario).recorded();
    let attempt = attempt_twice(examiner, access, trial).await;
    failed_with(&attempt.outcome, wanted).is_some().then_some(attempt)
}

async fn fails<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    scenario: &Scenario,
    freshness: Freshness,
    wanted: &Signature,
) -> bool {
    let trial = Trial::new(&wanted.property, scenario).on(freshness);
    let attempt = attempt_twice(examiner, access, trial).await;
    failed_with(&attempt.outcome, wanted).is_some()
}

/// The failed check with this signature.
pub(super) fn failed_with<'a, E>(outcome: &'a Outcome<E>, wanted: &Signature) -> Option<&'a FailedCheck> {
    match outcome {
        Outcome::Fail(failed) => failed.iter().find(|failed| failed.failure.signature == *wanted),
        Outcome::Pass | Outcome::Discard(_) | Outcome::Error(_) => None,
    }
}
