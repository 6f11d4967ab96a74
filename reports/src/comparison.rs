//! A comparison of two targets, as data: the source of every rendering.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ExitCode;
use crate::Failure;
use crate::journal::{Minimal, Replay, Reproduced, Request, Shrink, StopReason, Target};

/// The name and the major version of the comparison format: [`Comparison::format`].
pub const FORMAT: &str = "crdible-comparison/1";

/// A finished or interrupted comparison, folded from its journal by [`Tally::comparison`](crate::Tally::comparison).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// Whether the targets differ.
    pub verdict: ComparisonVerdict,
    /// Why it ended; `None` if it was killed.
    pub stop_reason: Option<StopReason>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Cases requested for each property; 0 if a counterexample was replayed.
    pub cases: u64,
    /// The two targets, in the order of the command line.
    pub targets: [Side; 2],
    /// The counts of each property that was run.
    pub properties: BTreeMap<String, Counts>,
    /// Skipped properties, each with the capability that a target does not support.
    pub skipped: BTreeMap<String, String>,
    /// Properties that were stopped early, each with the reason.
    pub stopped: BTreeMap<String, String>,
    /// The differences, in the order in which they were found.
    pub differences: Vec<Difference>,
    /// Why scenarios ended in errors: one example for each property.
    pub errors: Vec<String>,
    /// Requests sent to both, including probes and clean-up.
    pub requests: u64,
}

/// The verdict of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonVerdict {
    /// No difference was found except known ones, and the comparison was complete.
    NoDifferences,
    /// At least one difference that is not a known failure was reproduced.
    Different,
    /// No such difference was reproduced, but scenarios ended in errors,
    /// were not run, or a difference was not confirmed.
    Incomplete,
}

impl ComparisonVerdict {
    /// The word in reports: `no-differences`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoDifferences => "no-differences",
            Self::Different => "different",
            Self::Incomplete => "incomplete",
        }
    }
}

/// One of the two targets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// As named on the command line, without secrets.
    pub name: String,
    /// What its `/version` reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The name, and the version if it is known: `embedded (v1.36.0)`.
impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(formatter, "{} ({version})", self.name),
            None => formatter.write_str(&self.name),
        }
    }
}

impl From<&Target> for Side {
    fn from(target: &Target) -> Self {
        let version = target.version.as_ref().map(|version| version.git_version.clone());
        Self { name: target.address.clone(), version }
    }
}

/// The counts of one property.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Generated objects, updates or version lists that both targets were sent.
    pub cases: u64,
    /// Scenarios that ran on both targets.
    pub scenarios: u64,
    /// Scenarios with a difference.
    pub differing: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// Scenarios that were discarded.
    pub discarded: u64,
}

/// One difference: confirmed, shrunk, and recorded on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difference {
    /// Its number within the comparison, such as `d1`.
    pub id: String,
    /// The index of the scenario that showed it, within its property.
    pub index: u64,
    /// What differs: *expected* is the normalised response of the first target, *actual* that of the second. The
    /// requirements are those that the step is about.
    #[serde(flatten)]
    pub failure: Failure,
    /// The smallest experiment that shows it, with the requests to the first target.
    pub minimal: Minimal,
    /// The requests to the second target.
    pub second_requests: Vec<Request>,
    /// The reason of the known failure that covers it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Whether it was reproduced.
    pub reproduced: Reproduced,
    /// How it was shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Shrink>,
    /// How to compare it again.
    pub replay: Replay,
}

impl Difference {
    /// Whether it was reproduced at least once.
    pub fn is_reproduced(&self) -> bool {
        self.reproduced.times > 0
    }
}

impl Comparison {
    /// The differences that no known failure covers.
    pub fn new_differences(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.known.is_none())
    }

    /// Whether a difference that is not known was reproduced.
    pub(crate) fn is_different(&self) -> bool {
        self.new_differences().any(Difference::is_reproduced)
    }

    /// Whether something was compared, and nothing was left out; only then may the targets be equal.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.stop_reason, Some(StopReason::Finished | StopReason::TimeBudget))
            && self.errors.is_empty()
            && self.skipped.is_empty()
            && self.properties.values().any(|counts| counts.scenarios > 0)
    }

    /// The exit code of the command.
    pub fn exit_code(&self) -> u8 {
        match (self.stop_reason, self.verdict) {
            (Some(StopReason::Interrupted), _) => ExitCode::INTERRUPTED,
            (_, ComparisonVerdict::Different) => ExitCode::FAILURE,
            (_, ComparisonVerdict::NoDifferences) => ExitCode::SUCCESS,
            (Some(StopReason::TargetUnusable), ComparisonVerdict::Incomplete) => ExitCode::UNUSABLE,
            (_, ComparisonVerdict::Incomplete) => ExitCode::INCOMPLETE,
        }
    }
}
