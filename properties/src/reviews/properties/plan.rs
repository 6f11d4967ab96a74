//! Building a scenario of reviews.

use std::sync::Arc;

use crdible_scenario::{
    Asked, Change, Contract, ContractVersion, Demand, Demanded, Review, ReviewCheck, ReviewScenario, ReviewStep,
    Reviewed,
};

use crate::prelude::*;
use crate::reviews::objects;

/// A scenario being built. The steps are in the order of the calls.
pub(super) struct Plan<'a> {
    contract: &'a Arc<Contract>,
    scenario: ReviewScenario,
}

impl<'a> Plan<'a> {
    pub(super) fn of(contract: &'a Arc<Contract>) -> Self {
        let scenario =
            ReviewScenario { steps: Vec::new(), checks: Vec::new(), cases: 1, contract: Arc::clone(contract) };
        Self { contract, scenario }
    }

    /// Draws two different versions.
    pub(super) fn pair(&self, c: &mut Choices) -> (&'a ContractVersion, &'a ContractVersion) {
        let versions = &self.contract.versions;
        let count = versions.len() as u64;
        let (first, skip) = c.keyed("@pair", |c| (c.draw(count - 1), 1 + c.draw(count.saturating_sub(2))));
        let at = |number: u64| &versions[usize::try_from(number % count).unwrap_or(0)];
        (at(first), at(first + skip))
    }

    /// Draws an object of a version.
    pub(super) fn object(&self, c: &mut Choices, version: &ContractVersion, number: usize) -> Value {
        c.part(&format!("object {number}"), |c| objects::object(c, self.contract, version, number))
    }

    /// Asks for objects to be converted to a version.
    pub(super) fn ask(&mut self, to: &ContractVersion, objects: Vec<Reviewed>) -> usize {
        let review = Review::of(self.contract.api_version(&to.name), objects);
        self.send(review)
    }

    /// Asks for one object to be converted to a version.
    pub(super) fn ask_one(&mut self, to: &ContractVersion, object: &Value) -> usize {
        self.ask(to, vec![Reviewed::Object(object.clone())])
    }

    /// Asks for all that a step of `count` objects returned to be converted to a version.
    pub(super) fn ask_on(&mut self, to: &ContractVersion, step: usize, count: usize) -> usize {
        self.ask(to, (0..count).map(|at| Reviewed::converted(step, at)).collect())
    }

    pub(super) fn send(&mut self, review: Review) -> usize {
        let action = Asked { review: Box::new(review) };
        self.scenario.steps.push(ReviewStep { action, concurrent: false, assume: Vec::new() });
        self.scenario.steps.len() - 1
    }

    /// Sends a step together with the one before it.
    pub(super) fn together(&mut self, step: usize) {
        self.scenario.steps[step].concurrent = true;
    }

    pub(super) fn check(&mut self, name: &str, asserts: &[&str], step: usize, demand: Demand) {
        let asserts = asserts.iter().map(ToString::to_string).collect();
        let (name, expect) = (name.to_owned(), Demanded { demand });
        self.scenario.checks.push(ReviewCheck { name, asserts, step, expect });
    }

    /// Discards the case unless this holds of a step.
    pub(super) fn assume(&mut self, step: usize, demand: Demand) {
        self.scenario.steps[step].assume.push(Demanded { demand });
    }

    /// Discards the case unless what was sent in `of` came back in `step`.
    pub(super) fn assume_back(&mut self, step: usize, of: usize) {
        let demands = [Change::Fields, Change::Emptiness, Change::Scalars].map(|change| Demand::Back { of, change });
        self.scenario.steps[step].assume.extend(demands.map(|demand| Demanded { demand }));
    }

    pub(super) fn finish(self) -> ReviewScenario {
        self.scenario
    }
}
