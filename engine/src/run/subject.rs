//! A target under test: its executor, and its missing capabilities.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use crdible_generators::choice::{Choices, case_seed};
use crdible_scenario::{AnyScenario, Capability, Reads, Scenario, ScenarioSource, judge::FailedCheck};
use crdible_semantics::Release;

use super::attempt::{Attempt, Examiner, Trial, attempt_on};
use crate::{
    connection::Slowdown,
    execute::{ExecutionError, Executor},
};

/// Random scenarios of a source that show what it needs.
const SAMPLE: u64 = 12;

/// A target under test. Checks that need a missing capability are not judged.
#[derive(Debug)]
pub struct Subject {
    executor: Arc<Executor>,
    missing: BTreeSet<Capability>,
    /// The positions in what each source asserts that the target cannot fully show.
    in_part: Mutex<BTreeMap<&'static str, BTreeSet<usize>>>,
}

impl Subject {
    pub(super) fn new(executor: Arc<Executor>, missing: BTreeSet<Capability>) -> Self {
        Self { executor, missing, in_part: Mutex::default() }
    }

    /// The positions in what a source asserts whose checks partly need missing capabilities for content.
    fn find_in_part(&self, source: ScenarioSource) -> BTreeSet<usize> {
        let missing: BTreeSet<Capability> =
            self.missing.iter().copied().filter(|capability| capability.row().is_of_content).collect();
        if missing.is_empty() {
            return BTreeSet::new();
        }
        let left_out: BTreeSet<String> = sample(source)
            .flat_map(|scenario| {
                let needs_more = scenario.checks.iter().filter(|check| !scenario.needs_of(check).is_disjoint(&missing));
                needs_more.flat_map(|check| check.asserts.clone()).collect::<Vec<_>>()
            })
            .collect();
        let references = source.asserts().iter().enumerate();
        references.filter(|(_, reference)| left_out.contains(**reference)).map(|(at, _)| at).collect()
    }

    /// Its executor.
    pub(super) fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }

    /// The missing capability that leaves nothing of a source to judge.
    pub(super) fn missing(&self, source: ScenarioSource) -> Option<Capability> {
        blocking(source, &self.missing)
    }
}

/// The missing capability without which nothing can be judged in any scenario of a source. If
/// several are needed, the one that most checks need.
pub(super) fn blocking(source: ScenarioSource, missing: &BTreeSet<Capability>) -> Option<Capability> {
    if missing.is_empty() {
        return None;
    }
    if let Some(need) = source.needs().iter().find(|need| missing.contains(need)) {
        return Some(*need);
    }
    if source.needs_no_checks() {
        return None;
    }
    let mut checks_without: BTreeMap<Capability, usize> = BTreeMap::new();
    for scenario in sample(source) {
        for check in &scenario.checks {
            match scenario.needs_of(check).intersection(missing).next() {
                Some(capability) => *checks_without.entry(*capability).or_default() += 1,
                None => return None,
            }
        }
    }
    checks_without.into_iter().max_by_key(|(_, checks)| *checks).map(|(capability, _)| capability)
}

/// Scenarios of a source that together show what it needs: the hand-made ones, and some random ones.
fn sample(source: ScenarioSource) -> impl Iterator<Item = Scenario> {
    let edges = (0..).map_while(move |position| source.edge(position, Release::BASELINE));
    let all = edges.chain((0..SAMPLE).filter_map(move |index| {
        let mut choices = Choices::random(case_seed(0, source.id(), index));
        let scenario = source.plan(&mut choices);
        choices.finish().discarded.is_none().then_some(scenario)
    }));
    all.filter_map(AnyScenario::into_server)
}

/// What some sources make use of, and what their checks need.
#[derive(Clone, Debug, Default)]
pub(super) struct Reliance {
    /// The capabilities that they use, even where the executor could do without.
    pub(super) uses: BTreeSet<Capability>,
    /// What a check, or all of them, need.
    pub(super) needs: BTreeSet<Capability>,
}

impl Reliance {
    /// What these sources rely on.
    pub(super) fn of(sources: &[ScenarioSource]) -> Self {
        let mut reliance = Self::default();
        for source in sources {
            reliance.needs.extend(source.needs());
            for scenario in sample(*source) {
                reliance.needs.extend(scenario.checks.iter().flat_map(|check| scenario.needs_of(check)));
                reliance.uses.extend(scenario.uses());
            }
        }
        // The causes of a rejection are part of what a check expects of it.
        if reliance.uses.contains(&Capability::Causes) {
            reliance.needs.insert(Capability::Causes);
        }
        reliance.uses.extend(&reliance.needs);
        reliance
    }
}

impl Examiner for Subject {
    type Scenario = Scenario;
    type Error = ExecutionError;

    async fn attempt(&self, trial: Trial<'_>) -> Attempt<ExecutionError> {
        attempt_on(&self.executor, trial, &self.missing).await
    }

    fn is_of_waiting(error: &ExecutionError) -> bool {
        error.is_of_waiting()
    }

    async fn answers_again(&self) -> bool {
        let answers = self.executor.answers_again().await;
        if answers {
            // It may have been started again without its data.
            self.executor.has_lost_definitions().await;
        }
        answers
    }

    fn slowdown(&self) -> Option<Slowdown> {
        self.executor.slowdown()
    }

    fn requests(&self) -> u64 {
        self.executor.requests()
    }

    fn note(&self) -> Option<String> {
        self.executor.ends()
    }

    fn judged_in_part(&self, source: ScenarioSource) -> BTreeSet<usize> {
        let mut in_part = self.in_part.lock().unwrap_or_else(PoisonError::into_inner);
        in_part.entry(source.id()).or_insert_with(|| self.find_in_part(source)).clone()
    }

    fn parts(&self, scenario: &Scenario, failed: &FailedCheck) -> Vec<Scenario> {
        match failed.check {
            Some(check) => [Reads::Dropped, Reads::Kept].map(|reads| scenario.slice(check, reads)).into(),
            None => vec![scenario.definitions_only()],
        }
    }
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Semantics;

    use super::*;
    use crate::{connection::Target, execute::ExecutorOptions, run::new_run_id};

    /// What the property asserts and a target without these capabilities cannot fully show.
    fn in_part(property: &str, missing: &[Capability]) -> Vec<&'static str> {
        let transport = Target::embedded(Semantics::UPSTREAM).transport;
        let executor = Executor::new(transport, ExecutorOptions::of_run(new_run_id()));
        let subject = Subject::new(Arc::new(executor), missing.iter().copied().collect());
        let property = crdible_properties::find(property).expect("a property");
        subject.judged_in_part(property.into()).into_iter().map(|at| property.asserts[at]).collect()
    }

    #[test]
    fn who_accepts_every_definition_is_not_praised_for_accepting_valid_ones() {
        let property = "crdval-051-defaults";
        assert!(in_part(property, &[Capability::DefinitionValidation]).contains(&"CRDVAL-051"));
        assert_eq!(in_part(property, &[]), Vec::<&str>::new());
        assert_eq!(in_part(property, &[Capability::Watches, Capability::Discovery]), Vec::<&str>::new());
        assert!(!in_part("prune-001-unknown-keys", &[Capability::DefinitionValidation]).contains(&"PRUNE-001"));
    }
}
