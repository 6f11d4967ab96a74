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

use crdible_generators::choice::Choices;

use crate::{properties::Capability, scenario::Scenario};

/// A kind of generated request sequences. Its scenarios have no checks, so running them against a single target shows
/// nothing.
#[derive(Debug)]
pub struct Exploration {
    /// Its name in flags and files: `explore-` and a word.
    pub id: &'static str,
    /// The requests that it sends, in a few words.
    pub title: &'static str,
    /// The capabilities that a target needs for it.
    pub needs: &'static [Capability],
    /// Plans one scenario: a pure function of the choices.
    pub plan: fn(&mut Choices) -> Scenario,
}

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

    use super::all;
    use crate::{expect::check_scenario, properties, scenario::Action};

    #[test]
    fn explorations_send_valid_requests_and_have_no_checks() {
        for exploration in all() {
            let id = exploration.id;
            assert!(id.starts_with("explore-"), "{id}");
            assert!(properties::find(id).is_none(), "{id} is the ID of a property, too");
            for seed in 0..300 {
                let scenario = (exploration.plan)(&mut Choices::random(seed));
                check_scenario(&scenario).unwrap_or_else(|problem| panic!("{id} {seed}: {problem}"));
                assert_eq!(scenario, (exploration.plan)(&mut Choices::random(seed)), "{id} {seed}");
                let sent = scenario.steps.iter().filter(|step| matches!(step.action, Action::Send(_))).count();
                assert!(sent > 0 && sent == scenario.cases as usize, "{id} {seed}: each request is a case");
                assert!(scenario.checks.is_empty(), "{id} {seed}");
            }
        }
    }
}
