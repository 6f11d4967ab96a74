//! One case: a function of (seed, property, index) only.

use crdible_generators::choice::{Choices, Recording, Tape, case_seed};
use crdible_semantics::Release;

use super::ScenarioSource;
use crate::scenario::AnyScenario;

/// Why a hand-made scenario is not run.
const NOTHING_PROMISED: &str = "the release promises nothing of it";

/// A planned scenario, and where it comes from.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its position within the source: hand-made scenarios first, then random ones.
    pub index: u64,
    /// The scenario.
    pub scenario: AnyScenario,
    /// The choices that generated it; none for a hand-made scenario, which is not shrunk.
    pub recording: Option<Recording>,
}

impl Case {
    /// The case at this index, for a server of [`Release::BASELINE`]. `Err` holds the reason why the generator
    /// discarded it.
    pub fn plan(source: impl Into<ScenarioSource>, seed: u64, index: u64) -> Result<Self, &'static str> {
        Self::plan_at(Release::BASELINE, source, seed, index)
    }

    /// The case at this index, for a server of this release. `Err` holds the reason why the generator discarded it.
    pub fn plan_at(
        release: Release,
        source: impl Into<ScenarioSource>,
        seed: u64,
        index: u64,
    ) -> Result<Self, &'static str> {
        let source = source.into();
        let edge = usize::try_from(index).ok().and_then(|index| source.edge(index, release));
        match edge {
            Some(scenario) if scenario.is_unchecked() => Err(NOTHING_PROMISED),
            Some(scenario) => Ok(Self { index, scenario, recording: None }),
            None => {
                let choices = Choices::random(case_seed(seed, source.id(), index)).at(release);
                Self::from_choices(source, index, choices)
            }
        }
    }

    /// The case that these choices generate, for a server of [`Release::BASELINE`].
    pub fn replay(source: impl Into<ScenarioSource>, index: u64, tape: &Tape) -> Result<Self, &'static str> {
        Self::from_choices(source.into(), index, Choices::replay(tape))
    }

    /// The case that these choices generate; they say for which release. `Err` holds the reason why the generator
    /// discarded it.
    pub fn from_choices(source: ScenarioSource, index: u64, mut choices: Choices) -> Result<Self, &'static str> {
        let scenario = source.plan(&mut choices);
        let recording = choices.finish();
        match recording.discarded {
            Some(reason) => Err(reason),
            // A scenario without checks would count as judged.
            None if scenario.is_unchecked() && !source.needs_no_checks() => Err("nothing to check was generated"),
            None => Ok(Self { index, scenario, recording: Some(recording) }),
        }
    }
}
