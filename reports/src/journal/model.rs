//! The lines of a journal, as data.
//!
//! A journal is newline-delimited JSON; each line is one [`Line`], told apart by its field `k`. Minor versions of the
//! format add fields and line kinds, they never change one: a reader ignores what it does not know and refuses another
//! major version. Structs are open to literals on purpose: whoever writes a journal must be told by the compiler when a
//! field is added.

use serde::{Deserialize, Serialize};

use super::failure::Failure;

/// The name and the major version of the format that [`Header::format`] carries; `crdible-journal/1.4` is read too.
pub const FORMAT: &str = "crdible-journal/1";

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Line {
    /// What runs against what: always the first line.
    Header(Box<Header>),
    /// What is to be run: the second line.
    Plan(Plan),
    /// One finished scenario.
    Case(Case),
    /// One failure, confirmed and shrunk.
    Failure(Box<Failure>),
    /// Something that happened around the scenarios.
    Event(Event),
    /// The end of the run; a journal without it was killed.
    Footer(Footer),
    /// A kind that a newer minor version added; readers skip it.
    #[serde(other)]
    Unknown,
}

/// What runs against what, and everything that is needed to run it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// The program that writes the journal.
    pub tool: Tool,
    /// The requirements that the run knows; two runs are comparable only with equal digests.
    pub catalogue: CatalogueStamp,
    /// The generators; a seed or a tape means the same only under an equal digest.
    pub generator: GeneratorStamp,
    /// How the run was asked for.
    pub run: Run,
    /// What is being judged.
    pub target: Target,
    /// The profile that the target claims, such as `core`.
    pub profile: String,
}

/// Name and version of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name, `crdible`.
    pub name: String,
    /// Its version, `0.1.0`.
    pub version: String,
}

/// Identity of the catalogue of requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueStamp {
    /// A digest of all its text.
    pub digest: String,
    /// How many requirements it holds.
    pub requirements: usize,
}

/// Identity of the generators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorStamp {
    /// Changes whenever the same choices make another scenario.
    pub digest: String,
}

/// How a run was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Names this run; also the label on everything that it makes in a cluster.
    pub id: String,
    /// When it began, RFC 3339.
    pub started: String,
    /// The command line, without secrets.
    pub command: String,
    /// What started the random source.
    pub seed: u64,
    /// Cases asked for per property.
    pub cases: u64,
    /// The budget in seconds, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// Scenarios in flight at once.
    pub workers: u32,
    /// The bound on requests per second, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qps: Option<f64>,
    /// Which part of a divided run this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// One part of a divided run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Counted from 0.
    pub index: u32,
    /// How many parts there are.
    pub count: u32,
}

/// What is being judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// How it is reached.
    pub kind: TargetKind,
    /// Its address, without user-info or secrets.
    pub address: String,
    /// What it says about itself under `/version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<ServerVersion>,
    /// The Kubernetes minor that it claims, such as `1.36`.
    pub release: String,
}

/// How a target is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TargetKind {
    /// The server that comes with the suite, in process.
    Embedded,
    /// A server that was there before the run.
    Server,
    /// A server that the run started and ended.
    Launched,
    /// A kind that a newer minor version added.
    #[serde(other)]
    Unknown,
}

/// What a server says about itself under `/version`.
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

/// What is to be run. In a shard: this shard's share; merging adds the shares up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The selected properties.
    pub properties: Vec<PlannedProperty>,
    /// Whether every property of the profile was selected (before dividing into shards). Only then may a verdict name
    /// the profile.
    #[serde(default)]
    pub profile_complete: bool,
    /// Requirements that the user's filters left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<LeftOut>,
    /// Requirements that the target declares not to support, or that do not hold at its release.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<LeftOut>,
}

/// One selected property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedProperty {
    /// Its ID.
    pub id: String,
    /// References (`PRUNE-004`, `PRUNE-004/e2`) that its checks can assert; [`Case::asserted`] points into this list.
    pub requirements: Vec<String>,
    /// Cases that it is to judge.
    pub cases: u64,
    /// Cases below which nothing may be concluded.
    pub minimum: u64,
}

/// A requirement that is not run, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its reference.
    pub requirement: String,
    /// Why, for people.
    pub reason: String,
}

/// One finished scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Case {
    /// The property that planned it.
    pub property: String,
    /// Which scenario of the property: with seed and property it determines the scenario.
    pub index: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Generated objects, updates or version lists that were judged in it.
    pub cases: u64,
    /// What its checks asserted: indices into [`PlannedProperty::requirements`] of this property.
    pub asserted: Vec<usize>,
    /// Requests sent.
    pub requests: u64,
    /// Milliseconds from its first request to its verdict.
    pub ms: u64,
    /// Why it is an error, was discarded or skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Signatures of what failed in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// How a scenario ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was not run.
    Skipped,
    /// The tool or the way to the server failed; says nothing about conformance.
    Error,
    /// An assumption of the scenario did not hold.
    Discard,
    /// Everything that it asserts held.
    Pass,
    /// Something that it asserts did not hold.
    Fail,
}

/// Something that happened around the scenarios: a 429, a lost connection, an interruption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened, in one word.
    pub kind: String,
    /// More about it.
    pub detail: String,
}

impl Event {
    const LEFT_OUT: &'static str = "left-out";
    const LACKS: &'static str = ": the target lacks ";

    /// A planned property was not run, since the target lacks a capability (`pruning`).
    pub fn left_out(property: &str, lack: &str) -> Self {
        Self { kind: Self::LEFT_OUT.to_owned(), detail: format!("{property}{}{lack}", Self::LACKS) }
    }

    /// Property and lack, if that is what happened.
    pub(crate) fn as_left_out(&self) -> Option<(&str, &str)> {
        // Whatever its words: what was not run stands in the way of a verdict.
        (self.kind == Self::LEFT_OUT)
            .then(|| self.detail.split_once(Self::LACKS).unwrap_or((&self.detail, "what they need")))
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footer {
    /// Whether everything that was planned was run; false if the budget of time ended it.
    pub complete: bool,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The verdict as the run saw it; readers judge anew.
    pub verdict: String,
    /// Cases judged.
    pub cases: u64,
    /// Scenarios that failed.
    pub failures: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// When it ended, RFC 3339.
    pub ended: String,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StopReason {
    /// Everything planned was run.
    Finished,
    /// The budget of time was used up. Complete, if each property had its minimum.
    TimeBudget,
    /// A person or a signal ended it.
    Interrupted,
    /// The target cannot be judged: it stopped answering, is no Kubernetes, lacks what every property needs.
    TargetUnusable,
    /// The tool itself failed.
    Broken,
    /// So many failures that going on was of no use.
    FailureLimit,
    /// A reason that a newer minor version added.
    #[serde(other)]
    Unknown,
}
