//! What changed between two runs.

use std::collections::BTreeSet;

use super::{Column, rows, statuses};
use crate::Signature;
use crate::fold::order;
use crate::model::{Report, Status};

/// What changed from one run to another: two versions of a server, two releases, or two implementations.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// The runs: before and after.
    pub columns: [Column; 2],
    /// The requirements and edges whose result changed, in the order of the specification within each kind of change.
    pub changed: Vec<Changed>,
    /// How many requirements and edges have the same result.
    pub same: usize,
    /// The signatures of findings, known or not, that only the first run has.
    pub gone: Vec<String>,
    /// Those that only the second run has.
    pub new: Vec<String>,
    /// Why some of it may be due to the runs and not to their targets, in sentences.
    pub caveats: Vec<String>,
}

/// A requirement or edge whose result changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changed {
    /// `PRUNE-004` or `PRUNE-004/e2`.
    pub reference: String,
    /// What kind of change it is.
    pub change: Change,
    /// Its status in the first run; `None` if that run did not assert it.
    pub before: Option<Status>,
    /// Its status in the second run.
    pub after: Option<Status>,
    /// Whether one of the runs saw a failure of it, known or not, also one that was not reproduced or not confirmed.
    pub has_failure: bool,
}

/// The kinds of changes, the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It held and fails now, or fails and is asserted for the first time.
    Fails,
    /// It failed and holds now.
    Fixed,
    /// The release did not have it, or the target could not be judged, and it holds now.
    Begins,
    /// It held, and the release or the target no longer has it.
    Ends,
    /// One of the runs could not decide it.
    Unclear,
}

impl Change {
    pub(super) fn of(before: Option<Status>, after: Option<Status>) -> Self {
        let has_failed = |status| matches!(status, Some(Status::Fail | Status::Known | Status::Flaky));
        let holds = |status| matches!(status, Some(Status::Pass | Status::UnexpectedPass));
        let is_absent = |status| matches!(status, None | Some(Status::Unsupported | Status::NotPromised));
        if !has_failed(before) && has_failed(after) && (holds(before) || is_absent(before)) {
            Self::Fails
        } else if has_failed(before) && holds(after) {
            Self::Fixed
        } else if is_absent(before) && holds(after) {
            Self::Begins
        } else if is_absent(after) && (holds(before) || has_failed(before)) {
            Self::Ends
        } else {
            Self::Unclear
        }
    }
}

impl Changes {
    /// What changed from the first report to the second.
    pub fn between(before: &Report, after: &Report) -> Self {
        let reports = [before, after];
        let pairs = rows(&reports, |report| statuses(report));
        let all = pairs.len();
        let failed: BTreeSet<&str> = reports.into_iter().flat_map(failed).collect();
        let mut changed: Vec<Changed> = pairs
            .into_iter()
            .map(|(reference, cells)| (reference, cells[0], cells[1]))
            .filter(|(_, before, after)| !is_same(*before, *after))
            .map(|(reference, before, after)| Changed {
                reference: reference.to_owned(),
                change: Change::of(before, after),
                before,
                after,
                has_failure: failed.contains(reference),
            })
            .collect();
        changed.sort_by_cached_key(|changed| (changed.change, order(&changed.reference)));
        let [found_before, found_after] = reports.map(signatures);
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect();
        Self {
            columns: reports.map(Column::of),
            same: all - changed.len(),
            changed,
            gone: only(&found_before, &found_after),
            new: only(&found_after, &found_before),
            caveats: caveats(before, after),
        }
    }
}

/// Whether two results mean the same: a requirement that a run did not
/// assert is like one that its release does not have.
fn is_same(before: Option<Status>, after: Option<Status>) -> bool {
    let plain = |status: Option<Status>| match status {
        Some(Status::Unsupported | Status::NotPromised) => None,
        Some(Status::UnexpectedPass) => Some(Status::Pass),
        status => status,
    };
    plain(before) == plain(after)
}

/// The requirements and edges with a failure.
fn failed(report: &Report) -> impl Iterator<Item = &str> {
    report.requirements.iter().flat_map(|requirement| {
        let edges = requirement.edges.iter();
        let edges = edges.map(|edge| (edge.reference.as_str(), edge.failures + edge.known));
        let own = (requirement.id.as_str(), requirement.failures + requirement.known);
        std::iter::once(own).chain(edges).filter(|(_, failures)| *failures > 0).map(|(reference, _)| reference)
    })
}

/// The signatures of all findings that count, known or not.
fn signatures(report: &Report) -> BTreeSet<String> {
    let known = report.known.iter().map(|known| &known.finding);
    let findings = report.failures.iter().chain(known);
    findings.flat_map(|finding| finding.signatures().map(Signature::to_string).collect::<Vec<_>>()).collect()
}

fn caveats(before: &Report, after: &Report) -> Vec<String> {
    let mut caveats = Vec::new();
    if before.catalogue.digest != after.catalogue.digest {
        caveats.push("the runs used different specifications, so some requirements may have other texts".to_owned());
    }
    if (before.generator.digest != after.generator.digest) || before.seed != after.seed {
        caveats.push(
            "the runs generated different cases, so a rare failure may have been missed by one of them".to_owned(),
        );
    }
    if before.profile != after.profile || before.profile_complete != after.profile_complete {
        caveats.push("the runs selected different properties".to_owned());
    }
    for (report, which) in [(before, "first"), (after, "second")] {
        if !report.complete {
            caveats.push(format!("the {which} run is incomplete: {}", report.reasons.join("; ")));
        }
    }
    caveats
}
