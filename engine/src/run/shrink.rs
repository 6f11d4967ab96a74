//! Shrinking a failure: fewer and smaller choices, then only the steps that the failed check depends on.

use std::{sync::Arc, time::Duration};

use crdible_generators::choice::{Recording, Shrinker};
use crdible_scenario::{AnyScenario, ScenarioKind as _, ScenarioSource};
use futures_util::future::join_all;
use tokio::{task::JoinSet, time::Instant};

use super::{
    access::Access,
    attempt::{Attempt, Examiner, Trial, examine},
    confirm::failed_with,
    finding::ConfirmedFinding,
};

/// The options of shrinking.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkOptions {
    /// Candidates that are tried at once: one in process, more on a server, where latency is the cost.
    pub batch: usize,
    /// At most this many executions for one failure.
    pub executions: usize,
    /// At most this long for one failure.
    pub time: Duration,
    /// The deadline. The smallest failure so far is reported.
    pub until: Option<Instant>,
}

impl ShrinkOptions {
    /// Fewer executions, for a target with many failures, where their count matters more than each.
    #[must_use]
    pub fn briefly(self) -> Self {
        Self { executions: self.executions.min(60), time: self.time.min(Duration::from_secs(5)), ..self }
    }

    /// Whether a scenario is too slow to be shrunk, since it waits for what never comes.
    pub(super) fn is_too_slow(&self, slowest: Duration) -> bool {
        slowest > self.time / 2
    }

    fn is_over(&self, started: Instant) -> bool {
        started.elapsed() > self.time || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Default for ShrinkOptions {
    fn default() -> Self {
        Self { batch: 8, executions: 300, time: Duration::from_secs(15), until: None }
    }
}

/// How often a candidate of a race is tried: it fails at some times only.
const TRIES_OF_A_RACE: u32 = 3;

/// How often the candidates for a finding are tried.
fn tries(finding: &ConfirmedFinding) -> u32 {
    if finding.races > 0 { TRIES_OF_A_RACE } else { 1 }
}

/// Shrinks the choices of a finding as long as it fails with the same signature. The exchanges of a race are those of
/// the attempt that failed, since the next one may pass.
pub(super) async fn shrink<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    source: ScenarioSource,
    finding: &mut ConfirmedFinding,
    recording: Recording,
    options: ShrinkOptions,
) {
    let started = Instant::now();
    let wanted = finding.signature().clone();
    finding.shrinking.initial_size = recording.tape.size();
    let mut shrinker = Shrinker::new(recording);
    finding.shrinking.stopped_by = loop {
        if finding.shrinking.executions >= options.executions {
            break "executions";
        }
        if options.is_over(started) {
            break "time";
        }
        let candidates = shrinker.next_cases(options.batch, |choices| source.plan(choices));
        if candidates.is_empty() {
            break "complete";
        }
        let (scenarios, recordings): (Vec<AnyScenario>, Vec<Recording>) = candidates.into_iter().unzip();
        for _ in 0..tries(finding) {
            finding.shrinking.executions += scenarios.len();
            let mut attempts = {
                let _beside_others = access.beside_others().await;
                attempt_all(examiner, finding, &scenarios).await
            };
            // The first in the order of proposal, not of completion: the result must not depend on timing.
            let failing = |(at, attempt): (usize, &Attempt<E::Error>)| {
                Some((at, failed_with(&attempt.outcome, &wanted)?.clone()))
            };
            if let Some((at, failed)) = attempts.iter().enumerate().find_map(failing) {
                finding.shrinking.accepted += 1;
                finding.failed = failed;
                finding.scenario = scenarios[at].clone();
                finding.tape = Some(recordings[at].tape.clone());
                if finding.races > 0 {
                    finding.records = attempts.swap_remove(at).records;
                }
                shrinker.accept(recordings[at].clone());
                break;
            }
        }
    };
    finding.shrinking.final_size = shrinker.best().tape.size();
}

/// Drops the steps that the failed check does not depend on, if it fails with the same signature without them,
/// and keeps the exchanges. Returns whether it did.
pub(super) async fn slice<E: Examiner>(examiner: &E, finding: &mut ConfirmedFinding) -> bool {
    let wanted = finding.signature().clone();
    let Some(whole) = E::Scenario::of(&finding.scenario) else { return false };
    let mut candidates = examiner.parts(whole, &finding.failed);
    candidates.retain(|part| part != whole);
    candidates.dedup();
    let freshness = finding.freshness();
    for _ in 0..tries(finding) {
        finding.shrinking.executions += candidates.len();
        let attempt = |part| examiner.attempt(Trial::new(&wanted.property, part).on(freshness).recorded());
        let attempts = join_all(candidates.iter().map(attempt)).await;
        for (part, Attempt { outcome, records, .. }) in candidates.iter().zip(attempts) {
            if let Some(failed) = failed_with(&outcome, &wanted) {
                finding.shrinking.accepted += 1;
                finding.failed = failed.clone();
                finding.scenario = part.clone().into();
                finding.records = records;
                return true;
            }
        }
    }
    false
}

/// Runs the smallest scenario once more and keeps its exchanges.
pub(super) async fn record<E: Examiner>(examiner: &E, finding: &mut ConfirmedFinding) {
    let wanted = finding.signature().clone();
    let trial = Trial::new(&wanted.property, &finding.scenario).on(finding.freshness()).recorded();
    let Attempt { outcome, records, .. } = examine(examiner, trial).await;
    if let Some(failed) = failed_with(&outcome, &wanted) {
        finding.failed = failed.clone();
    }
    finding.records = records;
}

/// Executes candidates for a finding concurrently; the attempts are in the order of the scenarios.
async fn attempt_all<E: Examiner>(
    examiner: &Arc<E>,
    finding: &ConfirmedFinding,
    scenarios: &[AnyScenario],
) -> Vec<Attempt<E::Error>> {
    let property = finding.signature().property.as_str();
    let is_race = finding.races > 0;
    if let [scenario] = scenarios {
        return vec![examine(&**examiner, Trial { record: is_race, ..Trial::new(property, scenario) }).await];
    }
    let mut tasks = JoinSet::new();
    for (number, scenario) in scenarios.iter().cloned().enumerate() {
        let (examiner, property) = (Arc::clone(examiner), property.to_owned());
        tasks.spawn(async move {
            let trial = Trial { record: is_race, ..Trial::new(&property, &scenario) };
            (number, examine(&*examiner, trial).await)
        });
    }
    let mut attempts: Vec<(usize, Attempt<E::Error>)> = tasks.join_all().await;
    attempts.sort_by_key(|(number, _)| *number);
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}
