//! Shrinks an entry as long as it reaches what it was kept for.

use crdible_generators::choice::{Choices, Recording, Shrinker, Tape};
use crdible_scenario::{Case, ScenarioSource};
use crdible_semantics::Release;

use super::features::{Feature, Kind, generated};

/// Candidates for one entry.
const MOST_CANDIDATES: u32 = 80;
/// Candidates between two cases: planning them must not keep a worker from its work.
const AT_ONCE: u32 = 8;

/// An entry that is being shrunk.
#[derive(Debug)]
pub(super) struct Minimising {
    name: String,
    /// What it must reach.
    owned: Vec<Feature>,
    shrinker: Shrinker,
    /// The choices at the start.
    first: usize,
    left: u32,
    /// The candidate whose answers are awaited.
    pending: Option<Recording>,
    is_done: bool,
}

impl Minimising {
    /// Starts with the entry of this name, which must still reach what it owns; `None` if its tape cannot be planned.
    pub(super) fn start(
        source: ScenarioSource,
        release: Release,
        name: &str,
        tape: &Tape,
        owned: &[Feature],
    ) -> Option<Self> {
        let case = Case::from_choices(source, 0, Choices::replay(tape).at(release)).ok()?;
        Some(Self {
            name: name.to_owned(),
            owned: owned.to_vec(),
            first: tape.size(),
            shrinker: Shrinker::new(case.recording?),
            left: MOST_CANDIDATES,
            pending: None,
            is_done: false,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether there is nothing left to try.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Its tape, if that has become smaller.
    pub(super) fn smallest(&self) -> Option<Tape> {
        let tape = &self.shrinker.best().tape;
        (tape.size() < self.first).then(|| tape.clone())
    }

    /// A smaller variant that must be sent, since the entry is kept for its answers. Features of the scenario alone
    /// are checked here, for a few candidates per call.
    pub(super) fn next(&mut self, source: ScenarioSource, index: u64) -> Option<(Case, Vec<Feature>)> {
        if self.pending.is_some() || self.is_done {
            return None;
        }
        for _ in 0..AT_ONCE {
            let candidate = self.shrinker.next_cases(1, |choices| source.plan(choices)).pop();
            let Some((scenario, recording)) = candidate.filter(|_| self.left > 0) else {
                self.is_done = true;
                return None;
            };
            self.left -= 1;
            if scenario.is_unchecked() && !source.needs_no_checks() {
                continue;
            }
            let features = generated(&scenario, Some(&recording));
            let is_shown = |feature: &Feature| feature.kind() == Kind::Answer || features.contains(feature);
            if !self.owned.iter().all(is_shown) {
                continue;
            }
            if self.owned.iter().any(|feature| feature.kind() == Kind::Answer) {
                self.pending = Some(recording.clone());
                return Some((Case { index, scenario, recording: Some(recording) }, features));
            }
            self.shrinker.accept(recording);
        }
        None
    }

    /// The candidate that was sent reached this.
    pub(super) fn judged(&mut self, reached: &[Feature]) {
        if let Some(recording) = self.pending.take()
            && self.owned.iter().all(|feature| reached.contains(feature))
        {
            self.shrinker.accept(recording);
        }
    }
}
