//! The options of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use crdible_journal::{Shard, Signature};
use crdible_scenario::{Capability, ScenarioSource};
use crdible_semantics::Release;
use tokio::sync::mpsc::UnboundedSender;

use super::{
    counterexample::Counterexample, event::Event, known::Known, limit::FailureLimit, shrink::ShrinkOptions,
    supply::Supply,
};

/// What to run, and how much.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Where the scenarios come from.
    pub sources: Vec<ScenarioSource>,
    /// The release whose promises are generated and judged.
    pub release: Release,
    /// The seed of all random choices.
    pub seed: u64,
    /// Judged cases for each source.
    pub cases: u64,
    /// The run ends after this time, even if cases are left.
    pub time: Option<Duration>,
    /// Scenarios in flight.
    pub workers: usize,
    /// How failures are shrunk.
    pub shrink: ShrinkOptions,
    /// Failures that are not shrunk, since they are known.
    pub known: Known,
    /// Run only this share of the scenarios; the shares of all shards are the whole run.
    pub shard: Option<Shard>,
    /// The run ends after this many new failures; those that look the same to a user count once.
    pub max_failures: Option<FailureLimit>,
    /// Scenarios (source and index) that an earlier run has finished, and how many
    /// cases it judged in them: they are not run again.
    pub finished: BTreeMap<(&'static str, u64), u64>,
    /// Where the cases come from; none for the fixed order of the seed.
    pub supply: Option<Arc<dyn Supply>>,
    /// What earlier runs found: the cases that this version generates from the choices of these are run before all
    /// others, and on top of them.
    pub kept: Vec<Counterexample>,
    /// Failures that an earlier run has confirmed: they are not investigated again.
    pub confirmed: BTreeSet<Signature>,
}

impl RunOptions {
    /// A run of these sources with the defaults of a test: seed 0, one worker, no budget of time.
    pub fn new(sources: impl IntoIterator<Item = impl Into<ScenarioSource>>, cases: u64) -> Self {
        Self {
            sources: sources.into_iter().map(Into::into).collect(),
            release: Release::BASELINE,
            seed: 0,
            cases,
            time: None,
            workers: 1,
            shrink: ShrinkOptions::default(),
            known: Known::default(),
            shard: None,
            max_failures: None,
            finished: BTreeMap::new(),
            supply: None,
            kept: Vec::new(),
            confirmed: BTreeSet::new(),
        }
    }

    /// Skips the sources that need a capability that is missing; the events say which.
    pub(crate) fn skip(
        &mut self,
        missing: impl Fn(ScenarioSource) -> Option<Capability>,
        events: &UnboundedSender<Event>,
    ) {
        self.sources.retain(|&source| match missing(source) {
            Some(because) => {
                let _ = events.send(Event::Skipped { property: source.id(), because });
                false
            }
            None => true,
        });
    }
}
