//! Who executes scenarios and says what came of them: one target judged by checks, or two compared with each other.

use std::{future::Future, sync::Arc};

use super::examine::{Attempt, attempt};
use crate::{
    execute::{Executor, Freshness},
    judge::Failure,
    scenario::{Reads, Scenario},
};

/// Executes scenarios and judges them. Scheduling, budgets, confirmation and shrinking stand on this alone.
pub trait Examiner: Send + Sync + 'static {
    /// Executes and judges one scenario; with `record`, what was sent and what came back is kept.
    fn attempt(&self, scenario: &Scenario, freshness: Freshness, record: bool) -> impl Future<Output = Attempt> + Send;

    /// Whether whatever is examined answers at all, within a few seconds.
    fn answers_again(&self) -> impl Future<Output = bool> + Send;

    /// How many requests were sent so far.
    fn requests(&self) -> u64;

    /// The parts of a scenario in which a failure may show as well, the smallest first.
    fn parts(&self, scenario: &Scenario, failure: &Failure) -> Vec<Scenario>;
}

impl Examiner for Executor {
    async fn attempt(&self, scenario: &Scenario, freshness: Freshness, record: bool) -> Attempt {
        attempt(self, scenario, freshness, record).await
    }

    async fn answers_again(&self) -> bool {
        Self::answers_again(self).await
    }

    fn requests(&self) -> u64 {
        Self::requests(self)
    }

    fn parts(&self, scenario: &Scenario, failure: &Failure) -> Vec<Scenario> {
        [Reads::Dropped, Reads::Kept].map(|reads| scenario.slice(failure.check, reads)).into()
    }
}

/// Tries a scenario again if it ended in an error, once the target answers again: what goes wrong once is the network's, what
/// goes wrong twice is told.
pub(super) async fn attempt_twice<E: Examiner>(
    examiner: &Arc<E>,
    scenario: &Scenario,
    freshness: Freshness,
) -> Attempt {
    let first = examiner.attempt(scenario, freshness, false).await;
    match first.outcome {
        super::examine::Outcome::Error(_) if examiner.answers_again().await => {
            let second = examiner.attempt(scenario, freshness, false).await;
            Attempt { requests: first.requests + second.requests, ..second }
        }
        _ => first,
    }
}
