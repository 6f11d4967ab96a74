//! The scenarios that follow from the choices of a counterexample with one of them drawn again.

use crdible_generators::choice::{Choices, Tape, one_redrawn};
use crdible_journal::Signature;
use crdible_scenario::{Case, ScenarioKind, ScenarioSource};
use futures_util::future::join_all;

use super::{
    difference::{Changes, changed},
    documents::Document,
    seen::{Seen, Variations},
};
use crate::run::{attempt::AttemptOutcome, counterexample::Counterexample};

/// How often each choice is drawn again.
const TRIES: u64 = 4;
/// The most scenarios that are run.
const MOST: usize = 400;
/// Scenarios that run at once.
pub(super) const AT_ONCE: usize = 8;

/// Scenarios whose counterexamples can be varied.
pub(crate) trait Varied: ScenarioKind {
    /// Which of the parts that show a check.
    type Part: Copy;

    /// The name of each check.
    fn check_names(&self) -> impl Iterator<Item = &str>;

    /// The kinds of parts.
    fn parts() -> impl Iterator<Item = Self::Part>;

    /// The part that shows a check.
    fn part(&self, check: usize, part: Self::Part) -> Self;

    /// What a reader sees of it.
    fn documents(&self) -> Vec<Document>;
}

/// The same check fails for the same reason. The place may be another, since it is varied, too.
pub(super) fn is_alike(one: &Signature, other: &Signature) -> bool {
    one.property == other.property && one.check == other.check && one.reason == other.reason
}

/// How the counterexample follows from its choices.
pub(crate) struct Origin<'a, S: Varied> {
    source: ScenarioSource,
    counterexample: &'a Counterexample,
    scenario: &'a S,
    tape: &'a Tape,
    /// The check of the whole scenario, and the part of the scenario that is kept for it; none if it is the whole.
    part: Option<(usize, S::Part)>,
}

impl<'a, S: Varied> Origin<'a, S> {
    /// `None` if it has no choices, or if this version generates another scenario from them.
    pub(crate) fn of(source: ScenarioSource, counterexample: &'a Counterexample) -> Option<Self> {
        let tape = counterexample.tape.as_ref()?;
        let scenario = S::of(&counterexample.scenario)?;
        let case = Case::from_choices(source, 0, Choices::replay(tape).at(counterexample.release)).ok()?;
        let whole = S::of(&case.scenario)?;
        let mut parts = (0..whole.check_names().count()).flat_map(|check| S::parts().map(move |part| (check, part)));
        let part = parts.find(|(check, part)| whole.part(*check, *part) == *scenario);
        (part.is_some() || whole == scenario).then_some(Self { source, counterexample, scenario, tape, part })
    }

    /// Attempts the other scenarios, for the failure that the counterexample shows, and returns what they show. An error
    /// that is fatal ends it; after another one it is not known whether the scenario fails.
    pub(crate) async fn vary<E>(
        &self,
        attempt: impl AsyncFn(&S, &Signature) -> AttemptOutcome<E>,
        is_fatal: impl Fn(&E) -> bool,
    ) -> Result<Variations, E> {
        let wanted = &self.counterexample.failure.signature;
        let mut seen = Seen::of(self.scenario.documents());
        for chunk in self.others().chunks(AT_ONCE) {
            let outcomes = join_all(chunk.iter().map(|(scenario, _)| attempt(scenario, wanted))).await;
            for ((_, changes), outcome) in chunk.iter().zip(outcomes) {
                match outcome {
                    AttemptOutcome::Error(error) if is_fatal(&error) => return Err(error),
                    AttemptOutcome::Discard(_) | AttemptOutcome::Error(_) => {}
                    AttemptOutcome::Pass => seen.enter(changes, false),
                    AttemptOutcome::Fail(failed) => {
                        seen.enter(changes, failed.iter().any(|one| is_alike(&one.failure.signature, wanted)));
                    }
                }
            }
        }
        Ok(seen.variations())
    }

    /// The scenarios that follow from the choices with one of them drawn again, and where they differ. Each is there
    /// once.
    fn others(&self) -> Vec<(S, Changes)> {
        let base = self.scenario.documents();
        let mut others: Vec<(S, Changes)> = Vec::new();
        let tapes = one_redrawn(self.tape).flat_map(|tape| (0..TRIES).map(move |seed| (tape.clone(), seed)));
        for (tape, seed) in tapes {
            let choices = Choices::varied(&tape, seed).at(self.counterexample.release);
            let Ok(case) = Case::from_choices(self.source, 0, choices) else { continue };
            let Some(scenario) = S::of(&case.scenario).and_then(|whole| self.part_of(whole)) else { continue };
            let Some(places) = changed(&base, &scenario.documents()) else { continue };
            if !places.is_empty() && !others.iter().any(|(other, _)| *other == scenario) {
                others.push((scenario, places));
            }
            if others.len() == MOST {
                break;
            }
        }
        others
    }

    /// The part of another scenario that the same check depends on.
    fn part_of(&self, whole: &S) -> Option<S> {
        let Some((position, part)) = self.part else { return Some(whole.clone()) };
        let wanted = &self.counterexample.failure.signature.check;
        let is_named = |check: &usize| whole.check_names().nth(*check).is_some_and(|name| name == wanted);
        let check = Some(position).filter(is_named).or_else(|| whole.check_names().position(|name| name == wanted))?;
        Some(whole.part(check, part))
    }
}
