//! Counterexamples, run again: whether a failure is still there.

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};
use crdible_scenario::{AnyScenario, Capability, Scenario, capabilities::API_SERVER, judge::NO_ANSWER, keep_promised};
use crdible_semantics::Release;

use super::{
    attempt::{Attempt, AttemptOutcome, Trial, attempt_on},
    capabilities::{UNABLE, find_missing, with_basis},
    counterexample::Counterexample,
    session::Session,
    support::{Purpose, TriedCapabilities},
};
use crate::{
    connection::patiently,
    execute::{ExecutionError, Executor, Freshness, Record},
};

/// The result of running a counterexample once more.
#[derive(Debug)]
pub enum Replayed {
    /// It fails with the same signature.
    Reproduced(Failure),
    /// It fails with other signatures.
    OtherFailures(Vec<Failure>),
    /// It passes.
    Passed,
    /// It is inconclusive on this target, and why.
    Inconclusive(String),
}

/// What several runs of a counterexample say together.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// It passes each time.
    Fixed,
    /// It fails each time, at least once with its own signature. The failure is as the target shows it now.
    Fails(Box<Failure>),
    /// It fails each time, but never as it did.
    FailsDifferently(Vec<Failure>),
    /// It fails in some of the runs.
    Flaky {
        /// How often it failed.
        failed: u32,
        /// How often it ran.
        of: u32,
    },
    /// It does not apply to the target, and why.
    Inconclusive(String),
}

/// A target on which counterexamples are run again. Its capabilities are tried once for all of them.
#[derive(Debug)]
pub struct Replayer<'a> {
    executor: &'a Executor,
    missing: BTreeSet<Capability>,
    /// Why nothing can be run, if objects cannot be created.
    unserved: Option<String>,
}

impl<'a> Replayer<'a> {
    /// Tries what these counterexamples make use of. Errors are those of a target that
    /// cannot be reached or that forbids the requests.
    pub async fn prepare(
        executor: &'a mut Executor,
        counterexamples: impl IntoIterator<Item = &Counterexample>,
    ) -> Result<Self, ExecutionError> {
        let uses = counterexamples
            .into_iter()
            .filter_map(|counterexample| Some((counterexample.scenario.server()?, &counterexample.failure.signature)))
            .flat_map(|(scenario, signature)| relies_on(scenario, signature))
            .collect();
        let mut supported = TriedCapabilities::default();
        let purpose = Purpose { report: &|_| {}, ends_at_refusal: true };
        find_missing(executor, API_SERVER, &uses, &mut supported, purpose).await?;
        let missing = supported.missing;
        let unserved = missing.get(&Capability::Serving).map(|unserved| {
            unserved
                .as_ref()
                .map_or_else(|| "objects cannot be created".to_owned(), |finding| finding.failure().summary.clone())
        });
        Ok(Self { executor, missing: missing.into_keys().collect(), unserved })
    }

    /// The target of a session, which has tried everything.
    pub fn of(session: &'a Session) -> Self {
        let missing: BTreeSet<_> = session.all_missing_capabilities().map(|(capability, _)| capability).collect();
        let unserved = missing.contains(&Capability::Serving).then(|| "objects cannot be created".to_owned());
        Self { executor: session.executor(), missing, unserved }
    }

    /// Runs a counterexample once on fresh definitions. Errors are as those of [`Replayer::prepare`].
    pub async fn replay(&self, counterexample: &Counterexample) -> Result<(Replayed, Record), ExecutionError> {
        if let Some(reason) = &self.unserved {
            return Ok((Replayed::Inconclusive(reason.clone()), Record::default()));
        }
        let Some(scenario) = counterexample.scenario.server() else {
            let reason = "it is about a conversion webhook".to_owned();
            return Ok((Replayed::Inconclusive(reason), Record::default()));
        };
        let wanted = &counterexample.failure.signature;
        let Attempt { outcome, records, .. } = self.attempt(scenario, wanted).await;
        let replayed = match outcome {
            AttemptOutcome::Pass => Replayed::Passed,
            AttemptOutcome::Discard(reason) => Replayed::Inconclusive(reason),
            AttemptOutcome::Error(error) if error.is_of_the_target() => return Err(error),
            AttemptOutcome::Error(error) => Replayed::Inconclusive(error.to_string()),
            AttemptOutcome::Fail(failed) => {
                let failures: Vec<Failure> = failed.into_iter().map(|failed| failed.failure).collect();
                match failures.iter().find(|failure| failure.signature == *wanted) {
                    Some(failure) => Replayed::Reproduced(failure.clone()),
                    None => Replayed::OtherFailures(failures),
                }
            }
        };
        Ok((replayed, records.into_iter().next().unwrap_or_default()))
    }

    /// Runs a scenario once on fresh definitions, as one that fails with this signature. Only if that says so, it is a
    /// failure that a request gets no answer: otherwise one lost answer shows nothing.
    pub(super) async fn attempt(&self, scenario: &Scenario, wanted: &Signature) -> Attempt<ExecutionError> {
        // Only what this scenario uses counts: other capabilities were tried for other counterexamples.
        let relies_on = with_basis(API_SERVER, &relies_on(scenario, wanted));
        let missing = self.missing.intersection(&relies_on).copied().collect();
        let trial = Trial::new(&wanted.property, scenario).on(Freshness::Fresh).recorded();
        let attempt = attempt_on(self.executor, trial, &missing);
        if wanted.reason == NO_ANSWER { patiently(attempt).await.with_silence() } else { attempt.await }
    }

    /// Runs a counterexample this many times, at least once. Errors are as those of [`Replayer::prepare`].
    pub async fn standing(&self, counterexample: &Counterexample, times: u32) -> Result<Standing, ExecutionError> {
        let mut results = Vec::new();
        for _ in 0..times.max(1) {
            results.push(self.replay(counterexample).await?.0);
            if matches!(results.last(), Some(Replayed::Inconclusive(_))) {
                break;
            }
        }
        Ok(Standing::of(results, counterexample))
    }
}

impl Standing {
    /// What the results of the same counterexample say together.
    pub fn of(results: impl IntoIterator<Item = Replayed>, counterexample: &Counterexample) -> Self {
        let (mut passed, mut of) = (0, 0);
        let (mut same, mut different) = (None, None);
        for replayed in results {
            of += 1;
            match replayed {
                Replayed::Passed => passed += 1,
                Replayed::Reproduced(failure) => same = Some(failure),
                Replayed::OtherFailures(failures) => different = Some(failures),
                // The counterexample shows exactly that it cannot be run.
                Replayed::Inconclusive(reason) if counterexample.failure.signature.reason == UNABLE => {
                    same = Some(Failure { summary: reason, ..counterexample.failure.clone() });
                }
                Replayed::Inconclusive(reason) => return Self::Inconclusive(reason),
            }
        }
        match (same, different) {
            (None, None) => Self::Fixed,
            _ if passed > 0 => Self::Flaky { failed: of - passed, of },
            (Some(failure), _) => Self::Fails(Box::new(failure)),
            (None, Some(failures)) => Self::FailsDifferently(failures),
        }
    }
}

impl Counterexample {
    /// Removes the checks of what a release does not promise. `false` if none is left.
    pub fn keep_promised(&mut self, release: Release) -> bool {
        if let AnyScenario::Server(scenario) = &mut self.scenario {
            keep_promised(scenario, release);
        }
        !self.scenario.is_unchecked()
    }
}

/// The capabilities that must be tried before. The scenario of a capability is run as it is.
fn relies_on(scenario: &Scenario, wanted: &Signature) -> BTreeSet<Capability> {
    let mut uses = scenario.uses();
    if wanted.property.starts_with("capability-") {
        uses.retain(|used| *used == Capability::Serving);
    }
    uses
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Counterexample, Replayed, Standing};
    use crate::run::FORMAT;

    fn counterexample(reason: &str) -> Counterexample {
        let file = json!({
            "format": FORMAT,
            "signature": format!("p:check:place:{reason}"), "requirements": [], "summary": "s",
            "expected": null, "actual": null,
            "scenario": { "steps": [], "checks": [], "cases": 1 },
        });
        Counterexample::parse(&file.to_string()).expect("a counterexample")
    }

    #[test]
    fn results_add_up() {
        let found = counterexample("missing");
        let same = || Replayed::Reproduced(found.failure.clone());
        let other = || Replayed::OtherFailures(vec![found.failure.clone()]);
        let why = || Replayed::Inconclusive("why".to_owned());
        let fails = || Standing::Fails(Box::new(found.failure.clone()));
        for (results, expected) in [
            (vec![Replayed::Passed, Replayed::Passed], Standing::Fixed),
            (vec![same(), same()], fails()),
            (vec![same(), other()], fails()),
            (vec![other(), other()], Standing::FailsDifferently(vec![found.failure.clone()])),
            (vec![Replayed::Passed, other(), same()], Standing::Flaky { failed: 2, of: 3 }),
            (vec![Replayed::Passed, why()], Standing::Inconclusive("why".to_owned())),
        ] {
            assert_eq!(Standing::of(results, &found), expected);
        }
        let unable = counterexample(super::UNABLE);
        assert!(matches!(Standing::of([why()], &unable), Standing::Fails(failure) if failure.summary == "why"));
    }
}
