//! The report of a run, as data: what every rendering shows.

use crdible_spec::Level;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::{
    CatalogueStamp, GeneratorStamp, Minimal, Replay, Reproduced, Run, Shrink, StopReason, Target, Tool,
};
use crate::verdict::{ExitCode, Verdict};

/// The name and the major version of the format that [`Report::format`] carries.
pub const FORMAT: &str = "crdible-report/1";

/// A finished, interrupted or killed run, folded from its journal by [`crate::fold`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// What the run says about the target, within what was selected.
    pub verdict: Verdict,
    /// The same as a sentence without final stop; names the profile only if all of it was planned.
    pub statement: String,
    /// What stands in the way of a better verdict than incomplete.
    pub reasons: Vec<String>,
    /// Whether each planned property had at least its minimum of cases and nothing ended the run early.
    pub complete: bool,
    /// Why the run ended; none if it was killed.
    pub stop_reason: Option<StopReason>,
    /// What started the random source.
    pub seed: u64,
    /// The profile that the target claims.
    pub profile: String,
    /// Whether every property of the profile was selected.
    pub profile_complete: bool,
    /// The program that ran.
    pub tool: Tool,
    /// The requirements that it knew.
    pub catalogue: CatalogueStamp,
    /// The generators that it had.
    pub generator: GeneratorStamp,
    /// How the run was asked for.
    pub run: Run,
    /// When it ended, RFC 3339; none if it was killed.
    pub ended: Option<String>,
    /// What was judged.
    pub target: Target,
    /// Sums.
    pub counts: Counts,
    /// The requirements that the plan names, in the order of the specification.
    pub requirements: Vec<RequirementResult>,
    /// The properties of the plan, in its order.
    pub properties: Vec<PropertyResult>,
    /// Findings that are not known, those of the strongest level first.
    pub failures: Vec<Finding>,
    /// Findings that are known.
    pub known: Vec<KnownFinding>,
    /// What became of each entry of the file of known failures.
    pub known_entries: Vec<KnownEntryResult>,
    /// What happened around the scenarios, one entry for each kind.
    pub events: Vec<EventSummary>,
}

impl Report {
    /// The code that the run exits with.
    pub fn exit_code(&self) -> u8 {
        // By convention of shells Ctrl-C is told whatever was found before it.
        if self.stop_reason == Some(StopReason::Interrupted) { ExitCode::INTERRUPTED } else { self.verdict.exit_code() }
    }
}

/// Sums over a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counts {
    /// Planned properties.
    pub properties: u64,
    /// Cases judged.
    pub cases: u64,
    /// Requests sent.
    pub requests: u64,
    /// Scenarios that passed.
    pub passed: u64,
    /// Scenarios that failed.
    pub failed: u64,
    /// Scenarios that ended in an error of the tool or of the way to the server.
    pub errors: u64,
    /// Scenarios one of whose assumptions did not hold.
    pub discarded: u64,
    /// Scenarios that were not run.
    pub skipped: u64,
    /// Findings that are not known.
    pub failures: u64,
    /// The same by the strongest level of their requirements.
    pub failures_by_level: LevelCounts,
    /// Findings that are known.
    pub known_failures: u64,
    /// Requirements by status.
    pub requirements: StatusCounts,
}

/// One number for each level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "named after the levels, which crdible_spec::Level explains")]
pub struct LevelCounts {
    pub must: u64,
    pub should: u64,
    pub may: u64,
    pub quirk: u64,
}

impl LevelCounts {
    pub(crate) fn add(&mut self, level: Level) {
        *match level {
            Level::Must => &mut self.must,
            Level::Should => &mut self.should,
            Level::May => &mut self.may,
            Level::Quirk => &mut self.quirk,
        } += 1;
    }
}

/// One number for each status of a requirement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "named after the variants of Status, which explain themselves")]
pub struct StatusCounts {
    pub pass: u64,
    pub fail: u64,
    pub known: u64,
    pub unexpected_pass: u64,
    pub flaky: u64,
    pub unsupported: u64,
    pub excluded: u64,
    pub not_run: u64,
    pub inconclusive: u64,
}

impl StatusCounts {
    /// Counts one requirement.
    pub(crate) fn add(&mut self, status: Status) {
        *match status {
            Status::Pass => &mut self.pass,
            Status::Fail => &mut self.fail,
            Status::Known => &mut self.known,
            Status::UnexpectedPass => &mut self.unexpected_pass,
            Status::Flaky => &mut self.flaky,
            Status::Unsupported => &mut self.unsupported,
            Status::Excluded => &mut self.excluded,
            Status::NotRun => &mut self.not_run,
            Status::Inconclusive => &mut self.inconclusive,
        } += 1;
    }
}

/// What a run says about one requirement or edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was asserted in enough cases and always held.
    Pass,
    /// It was broken, and that is not known.
    Fail,
    /// It was broken, and every finding is known.
    Known,
    /// It is known to be broken, and held in every case.
    UnexpectedPass,
    /// It was broken, but not each time.
    Flaky,
    /// The target lacks what it takes, or it does not hold at its release.
    Unsupported,
    /// The user's filters left it out.
    Excluded,
    /// Nothing that asserts it was run.
    NotRun,
    /// Too few cases, only errors, or a failure that never came again.
    Inconclusive,
}

impl Status {
    /// As it stands in reports: `unexpected-pass`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Known => "known",
            Self::UnexpectedPass => "unexpected-pass",
            Self::Flaky => "flaky",
            Self::Unsupported => "unsupported",
            Self::Excluded => "excluded",
            Self::NotRun => "not-run",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// What a run says about one requirement, its edges included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequirementResult {
    /// Its ID.
    pub id: String,
    /// How strongly it binds; MUST, if the catalogue does not know it.
    pub level: Level,
    /// What it is about; empty, if the catalogue does not know it.
    pub title: String,
    /// The number of its chapter; 0, if the catalogue does not know it.
    pub chapter: u8,
    /// The worst of itself and those of its edges that bind as strongly.
    pub status: Status,
    /// Why it was not run, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Cases in which it, or an edge of it, was asserted.
    pub cases: u64,
    /// Findings that are not known, its edges included.
    pub failures: u64,
    /// Findings that are known, its edges included.
    pub known: u64,
    /// The properties that can assert it.
    pub properties: Vec<String>,
    /// Its edges, as far as the plan names them.
    pub edges: Vec<EdgeResult>,
}

/// What a run says about one edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EdgeResult {
    /// Such as `PRUNE-004/e2`.
    pub reference: String,
    /// How strongly it binds.
    pub level: Level,
    /// What the run says about it.
    pub status: Status,
    /// Cases in which it was asserted.
    pub cases: u64,
    /// Findings that are not known.
    pub failures: u64,
    /// Findings that are known.
    pub known: u64,
}

/// How far a property came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PropertyResult {
    /// Its ID.
    pub id: String,
    /// Cases that it was to judge.
    pub planned: u64,
    /// Cases below which nothing is concluded.
    pub minimum: u64,
    /// Cases that it judged.
    pub cases: u64,
    /// Scenarios that passed.
    pub passed: u64,
    /// Scenarios that failed.
    pub failed: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// Scenarios one of whose assumptions did not hold.
    pub discarded: u64,
    /// Scenarios that were not run.
    pub skipped: u64,
    /// Requests sent.
    pub requests: u64,
    /// Milliseconds, summed over scenarios that may have run side by side.
    pub ms: u64,
    /// Why scenarios were errors, discarded or skipped: one example of each outcome.
    pub examples: Vec<String>,
}

/// All failures of one signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The property that found it.
    pub property: String,
    /// The requirements that are broken, as references; of an unconfirmed one, those among which they are.
    pub requirements: Vec<String>,
    /// The strongest of their levels.
    pub level: Level,
    /// The check that failed; empty, if the run ended before the failure was confirmed.
    pub check: String,
    /// Property, check, normalised field path, reason.
    pub signature: String,
    /// One sentence: what the server did wrong.
    pub summary: String,
    /// How bad it is, if the check says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// How sure it is.
    pub evidence: EvidenceKind,
    /// Scenarios that showed it.
    pub occurrences: u64,
    /// What must have come back.
    pub expected: Value,
    /// What came back.
    pub actual: Value,
    /// The smallest experiment that shows it.
    pub minimal: Minimal,
    /// How to run it again; none, if the run ended before the failure was confirmed.
    pub replay: Option<Replay>,
    /// How it was made small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Shrink>,
    /// Whether it came again.
    pub reproduced: Reproduced,
}

/// How sure a finding is, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// It came each time that it was tried again, or was not tried again.
    Confirmed,
    /// It came again, but not each time.
    Flaky,
    /// It never came again.
    Unreproduced,
    /// The run ended before it was tried again: it is no verdict.
    Unconfirmed,
}

/// A finding and the entries that know it: one for its signature, or as many as its requirements take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownFinding {
    /// Requirement or signature of the entry; of several entries with commas between.
    pub entry: String,
    /// What the server does instead; of several entries with semicolons between.
    pub reason: String,
    /// Where it is tracked; of several entries with commas between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What was found.
    pub finding: Finding,
}

/// What became of an entry of the file of known failures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownEntryResult {
    /// Requirement or signature of the entry.
    pub entry: String,
    /// The line of the file where it begins, counted from 1.
    pub line: usize,
    /// What became of it.
    pub state: KnownState,
    /// What the server does instead, as the entry says.
    pub reason: String,
    /// Where it is tracked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The last day on which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

/// What became of an entry of the file of known failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownState {
    /// What it names failed, or may have; also if that failure is not known, since it breaks more than that.
    Failed,
    /// What it names was asserted, and held: the entry may go.
    UnexpectedPass,
    /// Its last day is over: it hides nothing any more.
    Expired,
    /// It is about other releases.
    OtherRelease,
    /// Nothing that it names was asserted.
    NotExercised,
}

/// All events of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EventSummary {
    /// What happened, in one word.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// More about the first of them.
    pub detail: String,
}
