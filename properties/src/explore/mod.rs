//! Explorations: generated sequences of requests without expectations, which `crdible compare` sends in addition to the
//! scenarios of the properties.
//!
//! They cover what no property asserts yet (chapters 10 to 14): options of requests, preconditions, selectors, pages,
//! subresources, representations, discovery. Two servers that claim to be the same must answer them equally.

mod definitions;
mod discovery;
mod lifecycle;
mod objects;
mod options;
mod representations;
mod requests;
mod selectors;
mod sequence;
mod subresources;
mod watches;
mod webhooks;

use crdible_scenario::Exploration;

/// All explorations.
pub fn all() -> impl Iterator<Item = &'static Exploration> + Clone {
    [
        &requests::EXPLORATION,
        &subresources::EXPLORATION,
        &selectors::EXPLORATION,
        &representations::EXPLORATION,
        &discovery::EXPLORATION,
        &watches::EXPLORATION,
        &lifecycle::EXPLORATION,
        &webhooks::EXPLORATION,
    ]
    .into_iter()
}

#[cfg(test)]
mod tests {
    use crdible_generators::choice::Choices;
    use crdible_scenario::{Action, Plan};

    use super::all;

    #[test]
    fn explorations_send_valid_requests_and_have_no_checks() {
        for exploration in all() {
            let id = exploration.id;
            assert!(id.starts_with("explore-"), "{id}");
            assert!(crate::find(id).is_none(), "{id} is the ID of a property, too");
            for seed in 0..300 {
                let planned = || Plan::scenario(|plan| (exploration.plan)(plan, &mut Choices::random(seed)));
                let scenario = planned();
                scenario.check_references().unwrap_or_else(|problem| panic!("{id} {seed}: {problem}"));
                assert_eq!(scenario, planned(), "{id} {seed}");
                let sent = scenario.steps.iter().filter(|step| matches!(step.action, Action::Send(_))).count();
                assert!(sent > 0 && sent == scenario.cases as usize, "{id} {seed}: each request is a case");
                assert!(scenario.checks.is_empty(), "{id} {seed}");
            }
        }
    }
}
