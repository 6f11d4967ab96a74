//! A target under test: its executor, and what the target is known to lack.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crdible_generators::choice::{Choices, case_seed};
use crdible_semantics::Release;

use super::{
    attempt::{Attempt, Examiner, Trial, attempt_on},
    source::ScenarioSource,
};
use crate::{
    connection::Slowdown,
    execute::{ExecutionError, Executor},
    judge::FailedCheck,
    scenario::{Capability, Reads, Scenario},
};

/// Random scenarios of a source that show what it needs.
const SAMPLE: u64 = 12;

/// A target under test. Checks that need what it lacks are not judged.
#[derive(Debug)]
pub struct Subject {
    executor: Arc<Executor>,
    lacks: BTreeSet<Capability>,
}

impl Subject {
    pub(super) fn new(executor: Arc<Executor>, lacks: BTreeSet<Capability>) -> Self {
        Self { executor, lacks }
    }

    /// Its executor.
    pub(super) fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }

    /// The missing capability that leaves nothing to judge in any scenario of a source, or in most of them if several do.
    pub(super) fn missing(&self, source: ScenarioSource) -> Option<Capability> {
        if self.lacks.is_empty() {
            return None;
        }
        if let Some(need) = source.needs().iter().find(|need| self.lacks.contains(need)) {
            return Some(*need);
        }
        if source.needs_no_checks() {
            return None;
        }
        let mut missing: BTreeMap<Capability, usize> = BTreeMap::new();
        for scenario in sample(source) {
            for check in &scenario.checks {
                match scenario.needs_of(check).intersection(&self.lacks).next() {
                    Some(lack) => *missing.entry(*lack).or_default() += 1,
                    None => return None,
                }
            }
        }
        missing.into_iter().max_by_key(|(_, checks)| *checks).map(|(lack, _)| lack)
    }
}

/// Scenarios of a source that together show what it needs: the hand-made ones, and some random ones.
fn sample(source: ScenarioSource) -> impl Iterator<Item = Scenario> {
    let edges = (0..).map_while(move |position| source.edge(position, Release::BASELINE));
    edges.chain((0..SAMPLE).filter_map(move |index| {
        let mut choices = Choices::random(case_seed(0, source.id(), index));
        let scenario = source.plan(&mut choices);
        choices.finish().discarded.is_none().then_some(scenario)
    }))
}

/// What some sources make use of, and what their checks need.
#[derive(Clone, Debug, Default)]
pub(super) struct Reliance {
    /// What is made use of, also where the executor could do without.
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
    type Error = ExecutionError;

    async fn attempt(&self, trial: Trial<'_>) -> Attempt<ExecutionError> {
        attempt_on(&self.executor, trial, &self.lacks).await
    }

    fn is_hopeless(error: &ExecutionError) -> bool {
        error.is_of_waiting()
    }

    async fn answers_again(&self) -> bool {
        self.executor.answers_again().await
    }

    fn slowdown(&self) -> Option<Slowdown> {
        self.executor.slowdown()
    }

    fn requests(&self) -> u64 {
        self.executor.requests()
    }

    fn parts(&self, scenario: &Scenario, failed: &FailedCheck) -> Vec<Scenario> {
        match failed.check {
            Some(check) => [Reads::Dropped, Reads::Kept].map(|reads| scenario.slice(check, reads)).into(),
            None => vec![scenario.definitions_only()],
        }
    }
}
