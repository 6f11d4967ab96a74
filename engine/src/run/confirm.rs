//! Confirming a failure: running its scenario again before it is reported.

use std::{sync::Arc, time::Duration};

use crdible_journal::Signature;
use crdible_scenario::{AnyScenario, judge::FailedCheck, reviews::TIMEOUT};
use futures_util::future::join_all;
use tokio::time::Instant;

use super::{
    access::Access,
    attempt::{Attempt, AttemptOutcome, Examiner, Trial, attempt_twice},
    investigations::Turn,
};
use crate::{
    connection::patiently,
    execute::{Freshness, Record},
};

/// How often a failure is run again.
const CONFIRMATIONS: u32 = 3;

/// The result of running a failing scenario again.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    /// How often it was run.
    pub(super) attempts: u32,
    /// How often it failed with the same signature; because of an answer of 5xx, in the same check.
    pub(super) reproduced: u32,
    /// It failed only on definitions of the pool.
    pub(super) needs_history: bool,
    /// It was run beside itself, until it failed often enough: the failed check depends on requests that were sent
    /// together, or a converter does not fail each time.
    pub(super) in_crowd: bool,
    /// The failed check of an attempt that failed again.
    pub(super) again: Option<FailedCheck>,
    /// The exchanges of that attempt; of another one if none failed. Empty only if nothing could be sent.
    pub(super) records: Vec<Record>,
    /// How long the slowest attempt took.
    pub(super) slowest: Duration,
}

impl Confirmation {
    fn of(mut attempts: Vec<Again>, freshness: Freshness) -> Self {
        // The sort is stable: the first that failed, else the first of which something was sent.
        attempts.sort_by_key(|attempt| (attempt.failed.is_none(), attempt.records.is_empty()));
        Self {
            attempts: u32::try_from(attempts.len()).unwrap_or(u32::MAX),
            reproduced: attempts.iter().map(|attempt| u32::from(attempt.failed.is_some())).sum(),
            needs_history: freshness == Freshness::Pooled,
            in_crowd: false,
            slowest: attempts.iter().map(|attempt| attempt.took).max().unwrap_or_default(),
            again: attempts.first().and_then(|first| first.failed.clone()),
            records: attempts.into_iter().next().map(|first| first.records).unwrap_or_default(),
        }
    }
}

/// A race is run again this many times at once, beside itself: what other scenarios write may be what it needs.
const CROWD: u32 = 6;
/// In up to this many rounds.
const ROUNDS: u32 = 4;

/// An attempt that ends in an error is repeated, up to this many tries: an error shows nothing.
const TRIES_OF_AN_ATTEMPT: u32 = 3;

/// One more attempt.
struct Again {
    /// The failed check, if it failed with the same signature.
    failed: Option<FailedCheck>,
    records: Vec<Record>,
    took: Duration,
}

/// Runs a failing scenario again: first several times at once on fresh definitions, beside all other work. If it
/// does not fail each time, or waits for something, it is run when all cases are done and nothing else runs, so
/// that a server under load is not blamed for being late: on fresh definitions, and if it never fails there, on
/// those of the pool. If it waits and its turn to run alone does not come soon, it is first run beside other work with
/// full time limits, in which even a server under load answers: so several wait together. That a converter does not
/// answer is confirmed with full time limits, too, since it may only have been given less. A failure that resembles
/// confirmed ones may wait beside other work, too. An attempt that keeps ending in errors counts as one that does not
/// fail. A race is never run alone: it needs the other work, and more attempts. So does what a converter does now and
/// then.
pub(super) async fn confirm<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    turn: &mut Option<Turn<'_>>,
    scenario: &AnyScenario,
    failed: &FailedCheck,
    is_like_others: bool,
) -> Confirmation {
    let wanted = &failed.failure.signature;
    let waits = failed.check.is_some_and(|check| scenario.waits_before(check));
    let is_of_converter = scenario.server().is_none();
    let is_silent = is_of_converter && wanted.reason == TIMEOUT;
    let is_race = !waits && failed.check.is_some_and(|check| scenario.is_race(check));
    let same = if is_race || is_of_converter { None } else { check_of_server_error(failed) };
    let at_once = async |count: u32, freshness: Freshness| {
        let again = join_all((0..count).map(|_| try_again(examiner, access, scenario, freshness, wanted, same)));
        if is_silent { patiently(again).await } else { again.await }
    };
    let attempts = async |freshness: Freshness| Confirmation::of(at_once(CONFIRMATIONS, freshness).await, freshness);
    // A converter has no state, and callers at any time: if it fails now and then, it may be that many ask at once.
    if is_race || is_of_converter {
        let _beside_others = access.beside_others().await;
        let mut all = at_once(CONFIRMATIONS, Freshness::Fresh).await;
        if !is_race && all.iter().all(|again| again.failed.is_some()) {
            return Confirmation::of(all, Freshness::Fresh);
        }
        for _ in 0..ROUNDS {
            if all.iter().filter(|again| again.failed.is_some()).count() >= CONFIRMATIONS as usize {
                break;
            }
            all.extend(at_once(CROWD, Freshness::Fresh).await);
        }
        return Confirmation { in_crowd: true, ..Confirmation::of(all, Freshness::Fresh) };
    }
    if !waits || is_like_others {
        let _beside_others = access.beside_others().await;
        let confirmation = attempts(Freshness::Fresh).await;
        if confirmation.reproduced == CONFIRMATIONS {
            return confirmation;
        }
    }
    // Other investigations may run while it waits.
    *turn = None;
    let _queued = access.queued();
    if waits
        && !is_like_others
        && let Some(_patient) = access.unless_soon_alone().await
    {
        let _beside_others = access.beside_others().await;
        let confirmation = patiently(attempts(Freshness::Fresh)).await;
        if confirmation.reproduced == CONFIRMATIONS {
            return confirmation;
        }
    }
    let _alone = access.alone().await;
    let fresh = attempts(Freshness::Fresh).await;
    if fresh.reproduced > 0 {
        return fresh;
    }
    let pooled = attempts(Freshness::Pooled).await;
    if pooled.reproduced > 0 {
        return pooled;
    }
    Confirmation { attempts: 2 * CONFIRMATIONS, ..fresh }
}

/// Runs a scenario of a known failure once more and keeps its exchanges; `None` if it does not fail again. Definitions
/// of the pool are enough: the failure is already known.
pub(super) async fn confirm_known<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    scenario: &AnyScenario,
    wanted: &Signature,
) -> Option<Attempt<E::Error>> {
    let _beside_others = access.beside_others().await;
    let trial = Trial::new(&wanted.property, scenario).recorded();
    let attempt = attempt_twice(examiner, access, trial).await;
    failed_with(&attempt.outcome, wanted).is_some().then_some(attempt)
}

/// The failed check, if an answer of 5xx made it fail. A server that fails now and then may do so anywhere in a long
/// scenario, which shows nothing of what the check promises: another check that fails alike is another failure.
fn check_of_server_error(failed: &FailedCheck) -> Option<usize> {
    let code = failed.failure.signature.reason.rsplit('-').next()?.parse::<u16>().ok()?;
    failed.check.filter(|_| (500..600).contains(&code))
}

/// Runs a scenario once more, and measures it. If a check is given, it counts only if that one fails.
async fn try_again<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    scenario: &AnyScenario,
    freshness: Freshness,
    wanted: &Signature,
    check: Option<usize>,
) -> Again {
    let started = Instant::now();
    let trial = Trial::new(&wanted.property, scenario).on(freshness).recorded();
    let mut last = attempt_twice(examiner, access, trial).await;
    for _ in 1..TRIES_OF_AN_ATTEMPT {
        match &last.outcome {
            AttemptOutcome::Error(error) if access.lost().is_none() && !E::is_of_waiting(error) => {
                last = attempt_twice(examiner, access, trial).await;
            }
            _ => break,
        }
    }
    let Attempt { outcome, records, .. } = last;
    let is_same = |failed: &&FailedCheck| check.is_none() || failed.check == check;
    let failed = failed_with(&outcome, wanted).filter(is_same).cloned();
    Again { failed, records, took: started.elapsed() }
}

/// The failed check with this signature.
pub(super) fn failed_with<'a, E>(outcome: &'a AttemptOutcome<E>, wanted: &Signature) -> Option<&'a FailedCheck> {
    match outcome {
        AttemptOutcome::Fail(failed) => failed.iter().find(|failed| failed.failure.signature == *wanted),
        AttemptOutcome::Pass | AttemptOutcome::Discard(_) | AttemptOutcome::Error(_) => None,
    }
}
