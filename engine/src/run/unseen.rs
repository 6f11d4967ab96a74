//! What the planned scenarios of a source do not show yet. What is drawn rarely may not be among the cases of a run: then
//! further scenarios are searched for it, so that a requirement is not left out by chance.

use std::collections::BTreeSet;

use crdible_scenario::{AnyScenario, ScenarioSource, is_promised};
use crdible_semantics::Release;

/// At most this many scenarios of a source are searched.
const SEARCHED: u32 = 300;
/// Where the search begins: far behind the cases, so that these are the same with and without one.
const FIRST: u64 = 1_000_000_000;
/// One scenario of the search is run at most for this many cases that a source gets.
const CASES_OF_ONE: u64 = 10;

/// The positions in what a source asserts of which no planned scenario has a check.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    left: BTreeSet<usize>,
    searched: u32,
    found: u64,
}

impl Unseen {
    /// All that a source asserts and a release promises.
    pub(super) fn of(source: ScenarioSource, release: Release) -> Self {
        let references = source.asserts().iter().enumerate();
        let promised = references.filter(|(_, reference)| is_promised(reference, release));
        Self { left: promised.map(|(at, _)| at).collect(), ..Self::default() }
    }

    /// Whether more scenarios are to be searched, after `cases` cases.
    pub(super) fn is_searched(&self, cases: u64) -> bool {
        !self.left.is_empty() && self.searched < SEARCHED && self.found < cases / CASES_OF_ONE
    }

    /// The index of the next scenario of the search.
    pub(super) fn next(&self) -> u64 {
        FIRST + u64::from(self.searched)
    }

    /// Notes what a scenario of a source shows.
    pub(super) fn note(&mut self, source: ScenarioSource, scenario: &AnyScenario) {
        if !self.left.is_empty() {
            let named: BTreeSet<&str> = scenario.asserts().into_iter().flatten().map(String::as_str).collect();
            self.left.retain(|at| !named.contains(source.asserts()[*at]));
        }
    }

    /// The same for a scenario of the search, if it has one; returns whether it shows something new.
    pub(super) fn finds(&mut self, source: ScenarioSource, scenario: Option<&AnyScenario>) -> bool {
        let before = self.left.len();
        if let Some(scenario) = scenario {
            self.note(source, scenario);
        }
        let is_new = self.left.len() < before;
        self.searched += 1;
        self.found += u64::from(is_new);
        is_new
    }
}
