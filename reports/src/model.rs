//! The report of a run, as data: the source of every rendering.

use crdible_spec::Level;
use serde::{Deserialize, Serialize};

use crate::ExitCode;
use crate::journal::{CatalogueStamp, GeneratorStamp, Reached, Run, Sent, StopReason, Target, Tool};
use crate::verdict::Verdict;

mod finding;
mod rules;

pub use finding::{AlsoSeen, EvidenceKind, KnownFinding, ReportedFinding, Share};
pub use rules::{Operand, RuleEvaluation, RuleOutcome, RulesOfFinding};

/// The name and the major version of the report format: [`Report::format`].
pub const FORMAT: &str = "crdible-report/1";

/// A finished, interrupted or killed run, folded from its journal by [`crate::fold()`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// The verdict on the target, within what was selected.
    pub verdict: Verdict,
    /// The verdict as a sentence without a full stop; it names the profile only if all of it was planned.
    pub statement: String,
    /// Why the run is incomplete; listed with other verdicts, too.
    pub reasons: Vec<String>,
    /// Whether each planned property reached its minimum of cases and nothing ended the run early.
    pub complete: bool,
    /// Why the run ended; none if it was killed.
    pub stop_reason: Option<StopReason>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The profile that the target claims.
    pub profile: String,
    /// Whether every property of the profile was selected.
    pub profile_complete: bool,
    /// The program that ran.
    pub tool: Tool,
    /// The catalogue of requirements that it used.
    pub catalogue: CatalogueStamp,
    /// The generators that it used.
    pub generator: GeneratorStamp,
    /// The options of the run.
    pub run: Run,
    /// When it ended, RFC 3339; none if it was killed.
    pub ended: Option<String>,
    /// The target.
    pub target: Target,
    /// Totals.
    pub counts: Counts,
    /// The requirements that the plan names, in specification order.
    pub requirements: Vec<RequirementResult>,
    /// The properties of the plan, in plan order.
    pub properties: Vec<PropertyResult>,
    /// The missing capabilities of the target that planned properties need, the one that most of them need first.
    #[serde(default)]
    pub lacks: Vec<MissingCapability>,
    /// Findings that are not known failures; those with the same symptom are one entry, or, if there are many, those of
    /// the same area. Strongest level first, then the entry with most findings and properties that were not judged
    /// because of it; what was not confirmed comes last.
    pub failures: Vec<ReportedFinding>,
    /// Findings that are known failures.
    pub known: Vec<KnownFinding>,
    /// The state of each entry of the file of known failures.
    pub known_entries: Vec<KnownEntryResult>,
    /// Notes about the target that no selected property asserts, in sentences.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What cases that learn reached; none for a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// What was sent.
    #[serde(default, skip_serializing_if = "Sent::is_empty")]
    pub sent: Sent,
    /// Other events outside the scenarios, one entry per kind.
    pub events: Vec<EventSummary>,
    /// What the implementation is called, if the reader knows; else its version is shown,
    /// which may be that of the server that it imitates.
    #[serde(skip)]
    pub implementation: Option<String>,
}

impl Report {
    /// The exit code of the run.
    pub fn exit_code(&self) -> u8 {
        // By shell convention Ctrl-C is reported, whatever was found before.
        if self.stop_reason == Some(StopReason::Interrupted) { ExitCode::INTERRUPTED } else { self.verdict.exit_code() }
    }

    /// The exit code if a known failure that no longer fails counts as a failure.
    pub fn exit_code_if_strict(&self) -> u8 {
        let is_outdated = self.known_entries.iter().any(|entry| entry.state == KnownState::UnexpectedPass);
        if is_outdated && self.exit_code() == ExitCode::SUCCESS { ExitCode::FAILURE } else { self.exit_code() }
    }
}

/// Totals of a run.
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
    /// Scenarios that ended in an error of the tool or of the connection.
    pub errors: u64,
    /// Scenarios that were discarded: an assumption did not hold.
    pub discarded: u64,
    /// Entries of findings that are not known failures, as in [`Report::failures`].
    pub failures: u64,
    /// All findings within these entries.
    #[serde(default)]
    pub findings: u64,
    /// The entries by the strongest level of their requirements.
    pub failures_by_level: LevelCounts,
    /// Findings that are known failures.
    pub known_failures: u64,
    /// Requirements by status.
    pub requirements: StatusCounts,
}

impl Counts {
    /// The totals of these results. They saturate: a file may state any numbers.
    pub(crate) fn of(
        properties: &[PropertyResult],
        requirements: &[RequirementResult],
        failures: &[ReportedFinding],
        known: &[KnownFinding],
    ) -> Self {
        let sum = |of: fn(&PropertyResult) -> u64| properties.iter().map(of).fold(0, u64::saturating_add);
        let mut counts = Self {
            properties: properties.len() as u64,
            cases: sum(|property| property.cases),
            requests: sum(|property| property.requests),
            passed: sum(|property| property.passed),
            failed: sum(|property| property.failed),
            errors: sum(|property| property.errors),
            discarded: sum(|property| property.discarded),
            failures: failures.len() as u64,
            findings: failures.iter().map(ReportedFinding::explains).sum(),
            known_failures: known.len() as u64,
            ..Self::default()
        };
        failures.iter().for_each(|finding| counts.failures_by_level.add(finding.level));
        requirements.iter().for_each(|requirement| counts.requirements.add(requirement.status));
        counts
    }
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
    #[serde(default)]
    pub not_promised: u64,
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
            Status::NotPromised => &mut self.not_promised,
            Status::NotRun => &mut self.not_run,
            Status::Inconclusive => &mut self.inconclusive,
        } += 1;
    }
}

/// The result for one requirement or edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was asserted in enough cases and held in all of them.
    Pass,
    /// It was violated, and no known failure covers that.
    Fail,
    /// It was violated, and known failures cover every finding.
    Known,
    /// It is listed as a known failure, but held in every case.
    UnexpectedPass,
    /// It was violated, but not every time.
    Flaky,
    /// The target does not support a capability that it needs.
    Unsupported,
    /// The release by which the target is judged does not have it.
    NotPromised,
    /// No property that asserts it was run.
    NotRun,
    /// Too few cases, only errors, a failure that could not be reproduced, or
    /// a missing capability that a part of it needs.
    Inconclusive,
}

impl Status {
    /// The word in reports: `unexpected-pass`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Known => "known",
            Self::UnexpectedPass => "unexpected-pass",
            Self::Flaky => "flaky",
            Self::Unsupported => "unsupported",
            Self::NotPromised => "not-promised",
            Self::NotRun => "not-run",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// The result for one requirement, including its edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequirementResult {
    /// Its ID.
    pub id: String,
    /// Its level; MUST if the catalogue does not have it.
    pub level: Level,
    /// Its title; empty if the catalogue does not have it.
    pub title: String,
    /// The number of its chapter; 0 if the catalogue does not have it.
    pub chapter: u8,
    /// The worst status of the requirement itself and of its edges with the same level or a stronger one.
    pub status: Status,
    /// Why it was not judged, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Cases in which it or one of its edges was asserted.
    pub cases: u64,
    /// Findings that are not known failures, including those of its edges.
    pub failures: u64,
    /// Findings that are known failures, including those of its edges.
    pub known: u64,
    /// The properties that can assert it.
    pub properties: Vec<String>,
    /// Those of its edges that the plan names.
    pub edges: Vec<EdgeResult>,
}

/// The result for one edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EdgeResult {
    /// Such as `PRUNE-004/e2`.
    pub reference: String,
    /// Its level.
    pub level: Level,
    /// Its status.
    pub status: Status,
    /// Cases in which it was asserted.
    pub cases: u64,
    /// Findings that are not known failures.
    pub failures: u64,
    /// Findings that are known failures.
    pub known: u64,
}

/// The result for one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PropertyResult {
    /// Its ID.
    pub id: String,
    /// Cases that it should judge.
    pub planned: u64,
    /// With fewer cases than this it is inconclusive.
    pub minimum: u64,
    /// Cases that it judged.
    pub cases: u64,
    /// Scenarios that passed.
    pub passed: u64,
    /// Scenarios that failed.
    pub failed: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// Scenarios that were discarded: an assumption did not hold.
    pub discarded: u64,
    /// Requests sent.
    pub requests: u64,
    /// Milliseconds, summed over scenarios that may have run concurrently.
    pub ms: u64,
    /// Why scenarios ended in errors or were discarded: one example of each.
    pub examples: Vec<String>,
}

/// A missing capability of the target: the properties that need it were not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MissingCapability {
    /// The capability, such as `pruning`.
    pub capability: String,
    /// The planned properties that were not run because of it.
    pub properties: Vec<String>,
    /// The number of the entry in [`Report::failures`] that shows it, counted from 1; none if it is a known
    /// failure, or follows from another missing capability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<u64>,
}

impl MissingCapability {
    /// How many properties it keeps from being judged.
    pub(crate) fn count(&self) -> u64 {
        self.properties.len() as u64
    }
}

/// An entry of the file of known failures after a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownEntryResult {
    /// Requirement or signature of the entry.
    pub entry: String,
    /// The line of the file where it starts, counted from 1.
    pub line: usize,
    /// Its state.
    pub state: KnownState,
    /// What the server does instead, from the entry.
    pub reason: String,
    /// Where it is tracked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The last day on which it applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

/// The state of an entry of the file of known failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownState {
    /// What it names failed, or may have failed, even if the failure is not covered because it violates other
    /// requirements, too.
    Failed,
    /// What it names was asserted and held: the entry can be removed.
    UnexpectedPass,
    /// Its last day is over: it no longer covers anything.
    Expired,
    /// It applies to other releases.
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
    /// Details of the first of them.
    pub detail: String,
}
