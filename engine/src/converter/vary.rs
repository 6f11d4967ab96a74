//! What matters to a failure of a converter: each choice of its scenario is drawn again, and the result still fails or
//! no longer.

use std::{iter, sync::Arc};

use crdible_journal::Signature;
use crdible_scenario::{
    ReviewScenario, Reviewed, ScenarioKind as _, ScenarioSource,
    reviews::{ReviewProperty, Subject},
};
use serde_json::{Value, json};

use super::{asker::Asker, transport::Unanswered};
use crate::run::{
    Counterexample, Examiner as _, Trial, Variations,
    vary::{Document, Origin, Varied},
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
    let Some(scenario) = ReviewScenario::of(&counterexample.scenario) else { return Ok(None) };
    // Leaked once: a command varies one counterexample and then ends.
    let subject = Box::leak(Box::new(Subject { contract: Arc::clone(&scenario.contract), samples: Vec::new() }));
    let source = ScenarioSource::Review(property, subject);
    let Some(origin) = Origin::of(source, counterexample) else { return Ok(None) };
    let attempt = async |scenario: &ReviewScenario, wanted: &Signature| {
        asker.attempt(Trial::new(&wanted.property, scenario)).await.outcome
    };
    origin.vary(attempt, |_| true).await.map(Some)
}

impl Varied for ReviewScenario {
    /// There is one.
    type Part = ();

    fn check_names(&self) -> impl Iterator<Item = &str> {
        self.checks.iter().map(|check| check.name.as_str())
    }

    fn parts() -> impl Iterator<Item = ()> {
        iter::once(())
    }

    fn part(&self, check: usize, (): ()) -> Self {
        self.slice(check)
    }

    /// The reviews that send objects or changes, in their order.
    fn documents(&self) -> Vec<Document> {
        let steps = self.steps.iter().enumerate();
        let documents = steps.filter_map(|(number, step)| {
            let review = &step.action.review;
            let objects: Vec<Value> = review.objects.iter().filter_map(shown).collect();
            let title = format!("review {}: to {}", number + 1, review.desired);
            (!objects.is_empty()).then_some(Document { title, content: Value::Array(objects) })
        });
        documents.collect()
    }
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
