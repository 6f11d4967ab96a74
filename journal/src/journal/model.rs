//! The lines of a journal, as data.
//!
//! A journal is newline-delimited JSON. Each line is one [`Line`]; its field `k` says which kind. Minor versions of the
//! format add fields and line kinds and never change one: a reader ignores unknown ones and rejects other major
//! versions. The structs can be built with literals on purpose, so that the compiler reports a missing field.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::finding::RecordedFinding;
use super::sent::Sent;
use crate::failure::Signature;

/// The name and the major version of the format that [`Header::format`] carries; `crdible-journal/2.4` is read too.
pub const FORMAT: &str = "crdible-journal/2";

/// Whether a format is this own one (`crdible-journal/2`) or a minor version of it (`crdible-journal/2.4`).
pub fn is_readable(format: &str, own: &str) -> bool {
    format.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "kebab-case")]
pub enum Line {
    /// The header: what is run against which target. Always the first line.
    Header(Box<Header>),
    /// The plan: what will be run. The second line.
    Plan(Plan),
    /// One finished scenario.
    Case(Case),
    /// One failure, confirmed and shrunk.
    #[serde(rename = "failure")]
    Finding(Box<RecordedFinding>),
    /// An event outside the scenarios.
    Event(Event),
    /// What cases that learn have reached so far; the last one counts.
    Reached(Reached),
    /// What was sent; several lines add up.
    Sent(Sent),
    /// The end of the run; a journal without it was killed.
    Footer(Footer),
    /// A kind that a newer minor version added; readers skip it.
    #[serde(other)]
    Unknown,
}

/// What runs against which target, and everything needed to run it again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// The program that writes the journal.
    pub tool: Tool,
    /// The requirements known to the run; two runs are comparable only with equal digests.
    pub catalogue: CatalogueStamp,
    /// The generators; a seed or a tape means the same only under an equal digest.
    pub generator: GeneratorStamp,
    /// The options of the run.
    pub run: Run,
    /// The target; in a comparison the first target.
    pub target: Target,
    /// The second target of a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_target: Option<Target>,
    /// The profile that the target claims, such as `core`.
    pub profile: String,
}

/// Name and version of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name, `crdible`.
    pub name: String,
    /// Its version, `0.1.0`.
    pub version: String,
}

/// Identity of the catalogue of requirements.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueStamp {
    /// A digest of all its text.
    pub digest: String,
    /// How many requirements it holds.
    pub requirements: usize,
}

/// Identity of the generators.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorStamp {
    /// Changes whenever the same choices make another scenario.
    pub digest: String,
}

/// The options of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The ID of the run, which is also the label on everything that it creates in a cluster.
    pub id: String,
    /// When it began, RFC 3339.
    pub started: String,
    /// The command line, without secrets.
    pub command: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Cases requested for each property.
    pub cases: u64,
    /// The budget in seconds, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// Scenarios in flight at once.
    pub workers: u32,
    /// The limit of requests per second, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qps: Option<f64>,
    /// Which shard of a divided run this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether the cases learn from earlier ones (`crdible fuzz`): then seed, property and index do not determine
    /// a scenario.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fuzz: bool,
}

/// One shard of a divided run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Counted from 0.
    pub index: u32,
    /// The number of shards.
    pub count: u32,
}

impl Shard {
    /// Whether the scenario at this index of a property belongs to it. The first scenarios of different properties
    /// belong to different shards, so that none is left without work where each property has few.
    pub fn has(self, property: &str, index: u64) -> bool {
        let first: u64 = property.bytes().map(u64::from).sum();
        index.wrapping_add(first) % u64::from(self.count.max(1)) == u64::from(self.index)
    }

    /// Its share of a number, as equal as it can be: the shares of all shards are the whole number.
    pub fn share(self, number: u64) -> u64 {
        let (index, count) = (u128::from(self.index), u128::from(self.count.max(1)));
        let up_to = |shards: u128| u128::from(number) * shards / count;
        // The difference is at most the number.
        u64::try_from(up_to(index + 1) - up_to(index)).unwrap_or(number)
    }
}

/// The target of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// How it is reached.
    pub kind: TargetKind,
    /// Its address, without user-info or secrets.
    pub address: String,
    /// What its `/version` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<ServerVersion>,
    /// The Kubernetes minor that it claims, such as `1.36`.
    pub release: String,
}

/// How a target is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TargetKind {
    /// The embedded server, in process.
    Embedded,
    /// A server that was running before the run.
    Server,
    /// A server that the run started and stopped.
    Launched,
    /// A conversion webhook, without an API server.
    Converter,
    /// A kind that a newer minor version added.
    #[default]
    #[serde(other)]
    Unknown,
}

/// The address, and the version if it is known: `https://127.0.0.1:6443 (v1.36.3)`.
impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(formatter, "{} ({})", self.address, version.git_version),
            None => formatter.write_str(&self.address),
        }
    }
}

/// What `/version` of a server reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerVersion {
    /// `gitVersion`, such as `v1.36.3`.
    pub git_version: String,
    /// `gitCommit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_commit: Option<String>,
    /// `buildDate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_date: Option<String>,
    /// `platform`, such as `linux/amd64`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
}

/// What will be run. In a shard it is the share of this shard; merging adds the shares.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The selected properties.
    pub properties: Vec<PlannedProperty>,
    /// Whether every property of the profile was selected (before dividing into shards). Only then may a verdict name
    /// the profile.
    #[serde(default)]
    pub profile_complete: bool,
    /// Requirements that are not judged: the target lacks what their properties need, or its release does not
    /// promise them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<Unsupported>,
}

/// One selected property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedProperty {
    /// Its ID.
    pub id: String,
    /// References (`PRUNE-004`, `PRUNE-004/e2`) that its checks can assert; [`Case::asserted`] points into this list.
    pub requirements: Vec<String>,
    /// Cases that it should judge.
    pub cases: u64,
    /// With fewer cases than this the property is inconclusive.
    pub minimum: u64,
}

/// A requirement that is not judged, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsupported {
    /// Its reference.
    pub requirement: String,
    /// The reason, as text.
    pub reason: String,
    /// The capability that the target lacks; none if the release does not promise the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
}

/// One finished scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Case {
    /// The property that planned it.
    pub property: String,
    /// Its number within the property; seed, property and index determine the scenario. One that an earlier run kept
    /// has a number from 2^40 on, and does not depend on the seed.
    pub index: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Generated objects, updates or version lists that were judged in it.
    pub cases: u64,
    /// What its checks asserted, as indices into [`PlannedProperty::requirements`] of this property.
    pub asserted: Vec<usize>,
    /// Requests sent.
    pub requests: u64,
    /// Milliseconds from its first request to its verdict.
    pub ms: u64,
    /// Why it ended in an error or was discarded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The signatures of its failures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Signature>,
}

/// How a scenario ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The tool or the connection failed; this is no verdict on conformance.
    Error,
    /// An assumption of the scenario did not hold.
    Discard,
    /// All its checks passed.
    Pass,
    /// At least one of its checks failed.
    Fail,
}

/// An event outside the scenarios: a 429, a lost connection, an interruption.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened, in one word.
    pub kind: String,
    /// The property that it is about, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Details.
    pub detail: String,
}

impl Event {
    /// A planned property was skipped because the target lacks a capability, which is the event's detail.
    pub const SKIPPED: &'static str = "skipped";
    /// A property was stopped before all its cases had run; the detail is the reason.
    pub const STOPPED: &'static str = "stopped";
    /// Something about the target that the report should mention though nothing selected asserts it; the detail is one
    /// sentence.
    pub const NOTE: &'static str = "note";

    /// An event that is about no property.
    pub fn new(kind: &str, detail: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), property: None, detail: detail.into() }
    }

    /// An event that is about a property.
    pub fn about(property: &str, kind: &str, detail: impl Into<String>) -> Self {
        Self { property: Some(property.to_owned()), ..Self::new(kind, detail) }
    }
}

/// What cases that learn have reached.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// Scenarios that were answered.
    pub scenarios: u64,
    /// Combinations of keyword, position and class of value that were reached.
    pub cells: u64,
    /// All such combinations that exist.
    pub all_cells: u64,
    /// Pairs of keywords in one schema.
    pub pairs: u64,
    /// Kinds of answers.
    pub answers: u64,
    /// Entries of the corpus that reached something that was new.
    pub entries: u64,
    /// Entries of the corpus that had no turn yet.
    pub waiting: u64,
    /// Entries that were added to the corpus.
    pub kept: u64,
    /// Seconds since something new was reached, or since the start if nothing was.
    pub quiet_seconds: f64,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footer {
    /// Whether everything that was planned was run; false if the time budget ended it.
    pub complete: bool,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The verdict of the run; readers compute it again.
    pub verdict: String,
    /// Cases judged.
    pub cases: u64,
    /// Scenarios that failed.
    pub failures: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// Requests sent, including probes and clean-up.
    #[serde(default)]
    pub requests: u64,
    /// When it ended, RFC 3339.
    pub ended: String,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Everything planned was run.
    Finished,
    /// The time budget was used up. The run is complete if each property reached its minimum.
    TimeBudget,
    /// A signal ended it.
    Interrupted,
    /// The target cannot be judged: it stopped responding, or lacks what every property needs.
    TargetUnusable,
    /// The tool itself failed.
    Broken,
    /// The limit of failures was reached.
    FailureLimit,
    /// A reason that a newer minor version added.
    #[serde(other)]
    Unknown,
}
