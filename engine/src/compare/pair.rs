//! Two executors as one examiner: a scenario runs on both, and fails where their answers differ.

use std::sync::Arc;

use crdible_scenario::{Reads, Scenario, judge::FailedCheck};
use thiserror::Error;

use super::{difference::compare, normal::Messages};
use crate::{
    connection::{Slowdown, standstills},
    execute::{ExecutionError, Executor},
    run::{Attempt, AttemptOutcome, Examiner, Trial},
};

/// Two targets that execute the same scenarios.
#[derive(Debug)]
pub struct Pair {
    executors: [Arc<Executor>; 2],
    messages: Messages,
}

/// Why a scenario could not be executed on one of two targets.
#[derive(Debug, Error)]
#[error("{}: {error}", if *.target == 0 { "the first target" } else { "the second target" })]
pub struct PairError {
    /// The position of the target: 0 or 1.
    pub target: usize,
    /// Why.
    #[source]
    pub error: ExecutionError,
}

impl Pair {
    /// The pair of two prepared executors. Their runs must have different IDs, since they may reach the same server.
    pub fn new(first: Arc<Executor>, second: Arc<Executor>, messages: Messages) -> Self {
        Self { executors: [first, second], messages }
    }
}

impl Examiner for Pair {
    type Scenario = Scenario;
    type Error = PairError;

    async fn attempt(&self, trial: Trial<'_>) -> Attempt<PairError> {
        let [first, second] = &self.executors;
        let Trial { property, scenario, freshness, record } = trial;
        let still = standstills();
        let (one, other) =
            tokio::join!(first.execute(scenario, freshness, record), second.execute(scenario, freshness, record));
        let (one, other) = match (one, other) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(error), _) => return Attempt::failed(PairError { target: 0, error }),
            (_, Err(error)) => return Attempt::failed(PairError { target: 1, error }),
        };
        let transcripts = [&one.transcript, &other.transcript];
        let failed = compare(property, scenario, transcripts, [first.run(), second.run()], self.messages);
        let is_doubtful = !failed.is_empty() && standstills() > still;
        // If both installed the definitions, every check counts as judged, whatever the answers are.
        let is_refused = one.transcript.refusal.is_some() || other.transcript.refusal.is_some();
        Attempt {
            outcome: if failed.is_empty() { AttemptOutcome::Pass } else { AttemptOutcome::Fail(failed) },
            judged: if is_refused { Vec::new() } else { (0..scenario.checks.len()).collect() },
            requests: one.requests + other.requests,
            records: vec![one.record, other.record],
            is_doubtful,
            answers: None,
            silenced: None,
        }
    }

    fn is_of_waiting(error: &PairError) -> bool {
        error.error.is_of_waiting()
    }

    async fn answers_again(&self) -> bool {
        let [first, second] = &self.executors;
        let (one, other) = tokio::join!(first.answers_again(), second.answers_again());
        one && other
    }

    fn slowdown(&self) -> Option<Slowdown> {
        self.executors.iter().find_map(|executor| executor.slowdown())
    }

    fn requests(&self) -> u64 {
        self.executors.iter().map(|executor| executor.requests()).sum()
    }

    fn parts(&self, scenario: &Scenario, failed: &FailedCheck) -> Vec<Scenario> {
        match failed.step {
            Some(step) => [Reads::Dropped, Reads::Kept].map(|reads| scenario.slice_for_step(step, reads)).into(),
            None => vec![scenario.definitions_only()],
        }
    }
}
