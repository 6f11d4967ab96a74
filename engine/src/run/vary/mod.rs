//! What matters to a failure: each choice of its scenario is drawn again, and the result still fails or no longer.
//!
//! The expectations are planned with the changed scenario, so that a check
//! is never about a value that is no longer there.

mod alike;
mod difference;
mod documents;

use std::collections::{BTreeMap, BTreeSet};

use crdible_generators::choice::{Choices, Tape, one_redrawn};
use crdible_journal::{Signature, VariedDocument, VariedPart};
use crdible_scenario::{Case, Property, Reads, Scenario, ScenarioSource};
use futures_util::future::join_all;
use serde_json::Value;
use thiserror::Error;

use self::{difference::DocumentPlace, documents::documents};
pub(crate) use self::{
    difference::{Changes, changed},
    documents::Document,
};
use super::{attempt::AttemptOutcome, counterexample::Counterexample, replay::Replayer, session::Session};
use crate::execute::ExecutionError;

/// How often each choice is drawn again.
pub(crate) const TRIES: u64 = 4;
/// The most scenarios that are run.
pub(crate) const MOST: usize = 400;
/// Scenarios that run at once.
pub(crate) const AT_ONCE: usize = 8;

/// What varying a counterexample showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Variations {
    /// How many other scenarios were run and judged.
    pub tried: usize,
    /// How many of them failed alike.
    pub failed: usize,
    /// The definitions and requests that were varied.
    pub documents: Vec<VariedDocument>,
    /// Whether they are those of a random case that breaks the same requirement, since the
    /// counterexample is hand-made or of another version.
    pub of_another: bool,
}

/// Why a counterexample cannot be varied.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotVaried {
    /// There are no choices to vary.
    #[error(
        "it has no choices that this version could vary, and none of \
         {cases} random cases of {property} breaks the same requirement"
    )]
    NothingAlike {
        /// The property.
        property: String,
        /// Random cases that were run.
        cases: u64,
    },
    /// The target could not be used.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

impl Session {
    /// Runs a counterexample of this property with each of its choices drawn again, a few times each, and returns what
    /// that shows. If it is hand-made, a random case that breaks the same requirement is searched and varied instead.
    ///
    /// # Errors
    ///
    /// It has no choices and nothing random fails alike, or the target cannot be reached or forbids the requests.
    pub async fn vary(
        &self,
        property: &'static Property,
        counterexample: &Counterexample,
    ) -> Result<Variations, NotVaried> {
        let wanted = &counterexample.failure.signature;
        if let Some(origin) = Origin::of(property.into(), counterexample) {
            return Ok(self.vary_from(&origin).await?);
        }
        let nothing = || NotVaried::NothingAlike { property: wanted.property.clone(), cases: alike::CASES };
        let other = alike::find(self, property, counterexample).await.ok_or_else(nothing)?;
        let origin = Origin::of(property.into(), &other).ok_or_else(nothing)?;
        Ok(Variations { of_another: true, ..self.vary_from(&origin).await? })
    }

    async fn vary_from(&self, origin: &Origin<'_>) -> Result<Variations, ExecutionError> {
        let replayer = Replayer::of(self);
        let wanted = &origin.counterexample.failure.signature;
        let mut seen = Seen::of(documents(origin.scenario));
        for chunk in origin.others().chunks(AT_ONCE) {
            let runs = chunk
                .iter()
                .map(async |(scenario, changes)| (changes, replayer.attempt(scenario, wanted).await.outcome));
            for (changes, outcome) in join_all(runs).await {
                match outcome {
                    AttemptOutcome::Error(error) if error.is_of_the_target() => return Err(error),
                    // Whether it fails is not known.
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
}

/// The same check fails for the same reason. The place may be another, since it is varied, too.
pub(crate) fn is_alike(one: &Signature, other: &Signature) -> bool {
    one.property == other.property && one.check == other.check && one.reason == other.reason
}

/// How the counterexample follows from its choices.
struct Origin<'a> {
    source: ScenarioSource,
    counterexample: &'a Counterexample,
    scenario: &'a Scenario,
    tape: &'a Tape,
    /// The check of the whole scenario, and the part of the scenario that is kept for it; none if it is the whole.
    part: Option<(usize, Reads)>,
}

impl<'a> Origin<'a> {
    /// `None` if it has no choices, or if this version generates another scenario from them.
    fn of(source: ScenarioSource, counterexample: &'a Counterexample) -> Option<Self> {
        let tape = counterexample.tape.as_ref()?;
        let choices = Choices::replay(tape).at(counterexample.release);
        let scenario = counterexample.scenario.server()?;
        let whole = Case::from_choices(source, 0, choices).ok()?.scenario.into_server()?;
        let is_it = |part: &Scenario| part == scenario;
        let mut parts =
            (0..whole.checks.len()).flat_map(|check| [Reads::Dropped, Reads::Kept].map(|reads| (check, reads)));
        let part = parts.find(|(check, reads)| is_it(&whole.slice(*check, *reads)));
        (part.is_some() || is_it(&whole)).then_some(Self { source, counterexample, scenario, tape, part })
    }

    /// The scenarios that follow from the choices with one of them drawn
    /// again, and where they differ. Each is there once.
    fn others(&self) -> Vec<(Scenario, Changes)> {
        let base = documents(self.scenario);
        let mut others: Vec<(Scenario, Changes)> = Vec::new();
        for (changed_tape, seed) in
            one_redrawn(self.tape).flat_map(|tape| (0..TRIES).map(move |seed| (tape.clone(), seed)))
        {
            let choices = Choices::varied(&changed_tape, seed).at(self.counterexample.release);
            let Ok(case) = Case::from_choices(self.source, 0, choices) else { continue };
            let Some(scenario) = case.scenario.server().and_then(|whole| self.part_of(whole)) else { continue };
            let Some(places) = changed(&base, &documents(&scenario)) else { continue };
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
    fn part_of(&self, whole: &Scenario) -> Option<Scenario> {
        let Some((position, reads)) = self.part else { return Some(whole.clone()) };
        let name = &self.counterexample.failure.signature.check;
        let is_named = |check: &usize| whole.checks.get(*check).is_some_and(|check| check.name == *name);
        let check = Some(position).filter(is_named).or_else(|| (0..whole.checks.len()).find(is_named))?;
        Some(whole.slice(check, reads))
    }
}

/// What was seen of each place.
pub(crate) struct Seen {
    documents: Vec<Document>,
    results: Vec<(Changes, bool)>,
}

impl Seen {
    /// Nothing yet of these documents.
    pub(crate) fn of(documents: Vec<Document>) -> Self {
        Self { documents, results: Vec::new() }
    }

    /// These places were changed, and it failed or not.
    pub(crate) fn enter(&mut self, changes: &Changes, fails: bool) {
        self.results.push((changes.clone(), fails));
    }

    /// What was seen.
    pub(crate) fn variations(self) -> Variations {
        let all = parts(&self.results);
        let documents = self.documents.into_iter().enumerate().map(|(number, document)| {
            let of_it = all.iter().filter(|(place, _)| place.document == number);
            VariedDocument {
                title: document.title,
                content: document.content,
                parts: of_it.map(|(_, part)| part.clone()).collect(),
            }
        });
        let documents = documents.collect();
        let failed = self.results.iter().filter(|(_, fails)| *fails).count();
        Variations { tried: self.results.len(), failed, documents, of_another: false }
    }
}

/// What each place showed. If several places changed together and the failure disappeared, places at which other values
/// still fail are not the reason, as long as another place is left.
fn parts(results: &[(Changes, bool)]) -> BTreeMap<DocumentPlace, VariedPart> {
    let mut parts: BTreeMap<DocumentPlace, VariedPart> = BTreeMap::new();
    let mut enter = |place: &DocumentPlace, other: &Option<Value>, fails: bool| {
        let part = parts.entry(place.clone()).or_insert_with(|| VariedPart::new(place.pointer.clone()));
        let others = if fails { &mut part.failing } else { &mut part.passing };
        if !others.contains(other) {
            others.push(other.clone());
        }
    };
    let failing: BTreeSet<&DocumentPlace> =
        results.iter().filter(|(_, fails)| *fails).flat_map(|(changes, _)| changes.keys()).collect();
    for (changes, fails) in results {
        let is_suspect = |place: &DocumentPlace| *fails || !failing.contains(place);
        let has_suspects = changes.keys().any(is_suspect);
        for (place, other) in changes.iter().filter(|(place, _)| is_suspect(place) || !has_suspects) {
            enter(place, other, *fails);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use crdible_journal::Weight;
    use serde_json::json;

    use super::*;

    fn changes(pointers: &[(&str, u32)]) -> Changes {
        let change = |(pointer, other): &(&str, u32)| {
            (DocumentPlace { document: 0, pointer: vec![(*pointer).to_owned()] }, Some(json!(other)))
        };
        pointers.iter().map(change).collect()
    }

    #[test]
    fn what_changed_beside_something_free_is_to_blame() {
        let results = [
            (changes(&[("a", 1)]), true),
            (changes(&[("a", 2), ("b", 2)]), false),
            (changes(&[("c", 3)]), true),
            (changes(&[("c", 4)]), false),
            (changes(&[("c", 4)]), false),
        ];
        let found: Vec<_> = parts(&results).into_values().map(|part| (part.pointer.concat(), part.weight())).collect();
        let expected = [("a", Weight::Free), ("b", Weight::Matters), ("c", Weight::Depends)];
        assert_eq!(found, expected.map(|(place, weight)| (place.to_owned(), weight)));
        let both =
            [(changes(&[("a", 1)]), true), (changes(&[("b", 1)]), true), (changes(&[("a", 2), ("b", 2)]), false)];
        assert!(parts(&both).values().all(|part| part.weight() == Weight::Depends && part.passing == [Some(json!(2))]));
    }
}
