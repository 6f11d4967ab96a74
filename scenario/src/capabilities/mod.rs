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

use crate::scenario::{Check, Plan, Scenario, Tenancy};

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
    /// Whether it is tried before any other: the executor needs to know it.
    pub is_basic: bool,
    /// Whether nothing can be judged on a target without it.
    pub is_indispensable: bool,
    /// Why it may be missing without being a fault.
    pub excuse: Option<Excuse>,
    /// The test that shows it on a target that lacks what the first one depends on.
    pub otherwise: Option<&'static Self>,
    /// Whether a check shows something only on a target that has it.
    pub needed_by: fn(&Part<'_>) -> bool,
    /// Plans the scenario.
    pub plan: fn(&mut Plan),
}

impl CapabilityTest {
    /// The scenario.
    pub fn scenario(&self) -> Scenario {
        Plan::scenario(self.plan)
    }
}

/// When a capability is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIf {
    /// One of the checks fails.
    AnyFails,
    /// All of them fail, apart from those that show nothing. If some hold, the properties find out what is wrong; so
    /// they do if all of them show nothing.
    AllFail,
}

/// Why a capability may be missing without being a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// In which case it is no fault.
    pub excused_if: ExcusedIf,
    /// What was not seen, and why.
    pub why: &'static str,
    /// The note in a report: what is not judged.
    pub note: &'static str,
}

/// The case in which a missing capability is no fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcusedIf {
    /// The target has no address at which it would reach this machine.
    Unreached,
    /// The target answers 403 or 404 to what it need not have, or need not allow to every user.
    Refused,
}

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

    use super::{API_SERVER, CAUSES_OF_DEFINITIONS, Capability};
    use crate::scenario::{Cause, Expectation, NamedCheck};

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

    /// What a row forgets to say, it has from the row of defaults.
    #[test]
    fn rows_are_complete() {
        let (mut ids, mut words, mut scenarios) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for row in API_SERVER {
            assert!(row.id.starts_with("capability-") && ids.insert(row.id), "{:?}: {}", row.capability, row.id);
            assert!(!row.words.is_empty() && words.insert(row.words), "{:?}: {}", row.capability, row.words);
        }
        for row in API_SERVER.iter().chain([&CAUSES_OF_DEFINITIONS]) {
            assert!(!row.lack.is_empty() && !row.area.is_empty(), "{:?}", row.capability);
            let scenario = serde_json::to_string(&row.scenario()).expect("scenarios are data");
            assert!(scenarios.insert(scenario), "{:?} has the scenario of another", row.capability);
        }
    }

    /// Its own test needs each capability, except for those of which only properties can say that they need them. What
    /// is rejected there by any answer is rejected with a cause in properties.
    #[test]
    fn rows_say_what_needs_them() {
        let is_derived = |capability: &Capability| {
            let mut scenario = capability.row().scenario();
            for check in &mut scenario.checks {
                if check.expect == NamedCheck::NotAccepted.into() {
                    check.expect = Expectation::Causes(vec![Cause::new("openAPIV3Schema.type", "Required")]);
                }
            }
            scenario.checks.iter().any(|check| scenario.needs_of(check).contains(capability))
        };
        let stated: Vec<Capability> = Capability::all().filter(|capability| !is_derived(capability)).collect();
        let only_stated = [
            Capability::Serving,
            Capability::Rules,
            Capability::Causes,
            Capability::NameConflicts,
            Capability::WatchEnds,
        ];
        assert_eq!(stated, only_stated);
    }
}
