//! Sequences of requests without expectations: what `crdible compare` sends besides the scenarios of the properties.
//!
//! They go where no property demands anything yet (chapters 10 to 14): options of requests, preconditions, selectors, pages, parts of
//! objects, representations, discovery. Two servers that claim to be the same must answer them alike.

mod definitions;
mod discovery;
mod lifecycle;
mod objects;
mod options;
mod representations;
mod requests;
mod selectors;
mod story;
mod subresources;
mod watches;

use crate::properties::Property;

/// All of them. What they assert is nothing; whoever runs them alone learns nothing.
pub fn all() -> impl Iterator<Item = &'static Property> + Clone {
    [
        &requests::EXPLORATION,
        &subresources::EXPLORATION,
        &selectors::EXPLORATION,
        &representations::EXPLORATION,
        &discovery::EXPLORATION,
        &watches::EXPLORATION,
        &lifecycle::EXPLORATION,
    ]
    .into_iter()
}

#[cfg(test)]
mod tests {
    use crdible_generators::choice::Choices;

    use super::all;
    use crate::{properties, scenario::Action};

    #[test]
    fn they_send_requests_that_refer_to_what_is_there_and_demand_nothing() {
        for exploration in all() {
            assert!(exploration.is_exploration() && exploration.id.starts_with("explore-"), "{}", exploration.id);
            assert!(properties::find(exploration.id).is_none(), "{} is a property, too", exploration.id);
            for seed in 0..300 {
                let scenario = (exploration.plan)(&mut Choices::random(seed));
                scenario.verify().unwrap_or_else(|why| panic!("{} {seed}: {why}", exploration.id));
                assert_eq!(scenario, (exploration.plan)(&mut Choices::random(seed)), "{} {seed}", exploration.id);
                let sent = scenario.steps.iter().filter(|step| matches!(step.action, Action::Send(_))).count();
                assert!(
                    sent > 0 && sent == scenario.cases as usize,
                    "{} {seed}: each request is a case",
                    exploration.id
                );
                assert!(scenario.checks.is_empty(), "{} {seed}", exploration.id);
            }
        }
    }
}
