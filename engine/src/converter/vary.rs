//! What matters to a failure of a converter: each choice of its scenario is drawn again, and the result still fails or
//! no longer.

use std::sync::Arc;

use crdible_generators::choice::{Choices, Tape, one_redrawn};
use crdible_scenario::{
    AnyScenario, Case, ReviewScenario, Reviewed, ScenarioSource,
    reviews::{ReviewProperty, Subject},
};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{asker::Asker, transport::Unanswered};
use crate::run::{
    AttemptOutcome, Counterexample, Examiner as _, Trial, Variations,
    vary::{AT_ONCE, Changes, Document, MOST, Seen, TRIES, changed, is_alike},
};

/// Runs a counterexample of this property with each of its choices drawn again, a few times each, and returns what that
/// shows; `None` if it has no choices, or if this version generates another scenario from them.
///
/// # Errors
/// If the converter cannot be reached.
pub async fn vary(
    asker: &Asker,
    property: &'static ReviewProperty,
    counterexample: &Counterexample,
) -> Result<Option<Variations>, Unanswered> {
    let Some(origin) = Origin::of(property, counterexample) else { return Ok(None) };
    let wanted = &counterexample.failure.signature;
    let mut seen = Seen::of(documents(origin.scenario));
    for chunk in origin.others().chunks(AT_ONCE) {
        let runs = chunk.iter().map(async |(scenario, changes)| {
            (changes, asker.attempt(Trial::new(&wanted.property, scenario)).await.outcome)
        });
        for (changes, outcome) in join_all(runs).await {
            match outcome {
                AttemptOutcome::Error(error) => return Err(error),
                // Whether it fails is not known.
                AttemptOutcome::Discard(_) => {}
                AttemptOutcome::Pass => seen.enter(changes, false),
                AttemptOutcome::Fail(failed) => {
                    seen.enter(changes, failed.iter().any(|one| is_alike(&one.failure.signature, wanted)));
                }
            }
        }
    }
    Ok(Some(seen.variations()))
}

/// How the counterexample follows from its choices.
struct Origin<'a> {
    source: ScenarioSource,
    counterexample: &'a Counterexample,
    scenario: &'a ReviewScenario,
    tape: &'a Tape,
    /// The check for which a part of the whole scenario is kept; none if it is the whole.
    part: Option<usize>,
}

impl<'a> Origin<'a> {
    fn of(property: &'static ReviewProperty, counterexample: &'a Counterexample) -> Option<Self> {
        let AnyScenario::Converter(scenario) = &counterexample.scenario else { return None };
        let tape = counterexample.tape.as_ref()?;
        // Leaked once: a command varies one counterexample and then ends.
        let subject = Box::leak(Box::new(Subject { contract: Arc::clone(&scenario.contract), samples: Vec::new() }));
        let source = ScenarioSource::Review(property, subject);
        let whole = generated(source, Choices::replay(tape).at(counterexample.release))?;
        let part = (0..whole.checks.len()).find(|check| whole.slice(*check) == *scenario);
        (part.is_some() || whole == *scenario).then_some(Self { source, counterexample, scenario, tape, part })
    }

    /// The scenarios that follow from the choices with one of them drawn again, and where they differ. Each is there
    /// once.
    fn others(&self) -> Vec<(ReviewScenario, Changes)> {
        let base = documents(self.scenario);
        let mut others: Vec<(ReviewScenario, Changes)> = Vec::new();
        let tapes = one_redrawn(self.tape).flat_map(|tape| (0..TRIES).map(move |seed| (tape.clone(), seed)));
        for (tape, seed) in tapes {
            let choices = Choices::varied(&tape, seed).at(self.counterexample.release);
            let Some(scenario) = generated(self.source, choices).and_then(|whole| self.part_of(whole)) else {
                continue;
            };
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
    fn part_of(&self, whole: ReviewScenario) -> Option<ReviewScenario> {
        let Some(position) = self.part else { return Some(whole) };
        let name = &self.counterexample.failure.signature.check;
        let is_named = |check: &usize| whole.checks.get(*check).is_some_and(|check| check.name == *name);
        let check = Some(position).filter(is_named).or_else(|| (0..whole.checks.len()).find(is_named))?;
        Some(whole.slice(check))
    }
}

fn generated(source: ScenarioSource, choices: Choices) -> Option<ReviewScenario> {
    match Case::from_choices(source, 0, choices).ok()?.scenario {
        AnyScenario::Converter(scenario) => Some(scenario),
        AnyScenario::Server(_) => None,
    }
}

/// The reviews that send objects or changes, in their order.
fn documents(scenario: &ReviewScenario) -> Vec<Document> {
    let steps = scenario.steps.iter().enumerate();
    let documents = steps.filter_map(|(number, step)| {
        let review = &step.action.review;
        let objects: Vec<Value> = review.objects.iter().filter_map(shown).collect();
        let title = format!("review {}: to {}", number + 1, review.desired);
        (!objects.is_empty()).then_some(Document { title, content: Value::Array(objects) })
    });
    documents.collect()
}

/// What is sent of an object, apart from what was returned before.
fn shown(object: &Reviewed) -> Option<Value> {
    match object {
        Reviewed::Object(object) => Some(object.clone()),
        Reviewed::Converted { content, edits, overwritten, .. } => {
            let is_unchanged = content.is_none() && edits.is_empty() && overwritten.is_none();
            (!is_unchanged).then(|| json!({ "content": content, "edits": edits, "overwritten": overwritten }))
        }
    }
}
