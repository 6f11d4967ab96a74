//! How many reviews the cases of a run send, before it begins.

use crdible_generators::choice::{Choices, case_seed};
use crdible_scenario::{AnyScenario, Case, ScenarioSource};

/// This many cases of each source show how many reviews one sends.
const SAMPLE: u64 = 8;

/// About how many reviews one case of each of these sources sends, all together.
pub fn requests_of_a_case(sources: &[ScenarioSource]) -> f64 {
    sources.iter().map(|source| of_source(*source)).sum()
}

#[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
fn of_source(source: ScenarioSource) -> f64 {
    let reviews = |seed: u64| -> Option<usize> {
        let case = Case::from_choices(source, 0, Choices::random(case_seed(seed, source.id(), 0))).ok()?;
        let AnyScenario::Converter(scenario) = case.scenario else { return None };
        let reviews = scenario.steps.iter().map(|step| &step.action.review);
        Some(reviews.map(|review| if review.singly { review.objects.len() } else { 1 }).sum())
    };
    let sent: Vec<usize> = (0..SAMPLE).filter_map(reviews).collect();
    sent.iter().sum::<usize>() as f64 / sent.len().max(1) as f64
}
