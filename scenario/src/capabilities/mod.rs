//! What a target can do at all. Each capability is a row: its words, the tiny scenario that tests it before everything
//! else, what it depends on, what is wrong without it, and which checks need it.

mod capability;
mod definitions;
mod needs;
mod objects;
mod rows;

use std::{collections::BTreeSet, fmt};

pub use capability::Capability;
use needs::Part;
pub use rows::{API_SERVER, CAUSES_OF_DEFINITIONS};

use crate::scenario::{Check, Scenario, Tenancy};

/// A capability of a target, and the test for it.
#[derive(Debug)]
pub struct CapabilityTest {
    /// The capability.
    pub capability: Capability,
    /// Its name in reports and profiles.
    pub words: &'static str,
    /// Its ID in reports, next to the IDs of properties.
    pub id: &'static str,
    /// The test is skipped if one of these is missing, because its failure would add nothing new.
    pub depends_on: &'static [Capability],
    /// What is wrong if the test fails, in a few words.
    pub lack: &'static str,
    /// How many of its checks must fail.
    pub missing_if: MissingIf,
    /// What a user sees of what is wrong, in the words of other failures: a report may show them as one entry.
    pub area: &'static str,
    /// Whether it is about what a server does with content, and not about a way to ask it. A server that does nothing
    /// with content does right whenever nothing is to be done.
    pub is_of_content: bool,
    /// Why it may be missing without being a fault.
    pub excuse: Option<Excuse>,
    /// The test that shows it on a target that lacks what the first one depends on.
    pub otherwise: Option<&'static Self>,
    /// Whether a check shows something only on a target that has it.
    pub needed_by: fn(&Part<'_>) -> bool,
    /// The scenario.
    pub plan: fn() -> Scenario,
}

/// When a capability is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIf {
    /// One of the checks fails.
    AnyFails,
    /// All of them fail, apart from those that show nothing. If some hold, the properties find out what is wrong.
    AllFail,
}

/// Why a capability may be missing without being a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// What was not seen, and why.
    pub why: &'static str,
    /// The note in a report: what is not judged.
    pub note: &'static str,
}

/// The capabilities that are tested before any other: the executor needs them.
pub const BASIC: &[Capability] =
    &[Capability::Definitions, Capability::Serving, Capability::DefinitionDryRun, Capability::ObjectDryRun];

impl Capability {
    /// Its row.
    ///
    /// # Panics
    /// Never: a test checks that each has one.
    pub fn row(self) -> &'static CapabilityTest {
        let row = API_SERVER.iter().find(|row| row.capability == self);
        row.unwrap_or_else(|| unreachable!("each capability has a row"))
    }

    /// All of them, in the order in which they are tested.
    pub fn all() -> impl Iterator<Item = Self> {
        API_SERVER.iter().map(|row| row.capability)
    }

    /// The capability with this name.
    pub fn named(words: &str) -> Option<Self> {
        API_SERVER.iter().find(|row| row.words == words).map(|row| row.capability)
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.row().words)
    }
}

impl Scenario {
    /// What a target must be able to do for this check to show anything: what its steps send and wait for, what becomes
    /// of what they send, and the kind of answer that it expects. What else they send it for cannot be derived; a
    /// property states it.
    pub fn needs_of(&self, check: &Check) -> BTreeSet<Capability> {
        let part = Part::of(self, check);
        API_SERVER.iter().filter(|row| (row.needed_by)(&part)).map(|row| row.capability).collect()
    }

    /// What running it makes use of, also where the executor could do without.
    pub fn uses(&self) -> BTreeSet<Capability> {
        let mut uses: BTreeSet<Capability> = self.checks.iter().flat_map(|check| self.needs_of(check)).collect();
        if self.definitions.iter().any(|definition| definition.tenancy != Tenancy::Uninstalled) {
            uses.insert(Capability::Serving);
        }
        for request in (0..self.steps.len()).filter_map(|step| self.request(step)).filter(|request| request.dry_run) {
            let is_of_definition = needs::is_of_definition(request);
            uses.insert(if is_of_definition { Capability::DefinitionDryRun } else { Capability::ObjectDryRun });
        }
        if self.checks.iter().any(|check| check.expect.is_rejection_of_content()) {
            uses.insert(Capability::Causes);
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{API_SERVER, Capability};

    /// The last variant is the largest number.
    #[test]
    fn each_capability_has_one_row_after_those_that_it_depends_on() {
        let mut seen = BTreeSet::new();
        for row in API_SERVER {
            assert!(row.depends_on.iter().all(|basis| seen.contains(basis)), "{:?}", row.capability);
            assert!(seen.insert(row.capability), "{:?} is there twice", row.capability);
        }
        assert_eq!(seen.len(), Capability::OpenApiV2 as usize + 1);
    }
}
