//! The order of a run: one source of each chapter in turn, the riskiest chapters first, so that what a server gets
//! wrong is soon seen; and heavy cases last.

use std::collections::BTreeMap;

use crdible_scenario::{Action, AnyScenario, Body, ScenarioSource};

/// A body with this many bytes of padding is heavy: some servers never recover from it.
const HEAVY: usize = 1024 * 1024;

/// Whether a scenario sends a heavy body.
pub(super) fn is_heavy(scenario: &AnyScenario) -> bool {
    let Some(scenario) = scenario.server() else { return false };
    scenario.steps.iter().any(|step| match &step.action {
        Action::Send(request) => matches!(request.body, Body::Text { padding, .. } if padding >= HEAVY),
        _ => false,
    })
}

/// Chapters, by the first part of the IDs of their properties: first those of which the largest part fails on
/// third-party servers (`results/` in the project), then the others, and last those without results.
const RISKIEST: [&str; 9] = ["value", "ratchet", "default", "struct", "prune", "ver", "inv", "conv", "crdval"];

/// The place of each source in that order.
pub(super) fn places(sources: &[ScenarioSource]) -> Vec<usize> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order: Vec<(usize, usize, usize)> = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().enumerate() {
        let chapter = source.id().split('-').next().unwrap_or_default();
        let turn = seen.entry(chapter).or_default();
        let risk = RISKIEST.iter().position(|risky| *risky == chapter).unwrap_or(RISKIEST.len());
        order.push((*turn, risk, at));
        *turn += 1;
    }
    order.sort_unstable();
    let mut places = vec![0; sources.len()];
    for (place, (_, _, at)) in order.into_iter().enumerate() {
        places[at] = place;
    }
    places
}

#[cfg(test)]
mod tests {

    use crdible_scenario::ScenarioSource;

    use super::places;

    #[test]
    fn each_chapter_has_a_turn_before_any_has_two() {
        let sources: Vec<ScenarioSource> = crdible_properties::all().map(Into::into).collect();
        let mut order: Vec<(usize, &str)> =
            places(&sources).into_iter().zip(sources.iter().map(|it| it.id())).collect();
        order.sort_unstable();
        let chapters: Vec<&str> = order.iter().map(|(_, id)| id.split('-').next().expect("an ID")).collect();
        assert_eq!(chapters[..3], ["value", "ratchet", "default"]);
        let again = chapters.iter().skip(1).position(|chapter| *chapter == "value").expect("a second one") + 1;
        assert!(
            ["life", "rest", "table", "sub"].iter().all(|chapter| chapters[..again].contains(chapter)),
            "{order:?}"
        );
        assert!(order.iter().enumerate().all(|(at, (place, _))| at == *place), "each place is taken once");
    }
}
