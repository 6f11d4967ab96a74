//! The words of a page, each with a sign, so that colour is never needed.

use serde::Serialize;

use crate::model::Status;
use crate::render::style::Look;
use crate::verdict::Verdict;

/// A status as the page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Shown {
    pub(super) word: &'static str,
    pub(super) sign: &'static str,
}

/// The statuses in the order of bars and legend: a sign, and what the status means.
const STATUSES: [(Status, &str, &str); 9] = [
    (Status::Pass, "✓", "it was asserted in enough cases, and held in all of them"),
    (Status::UnexpectedPass, "!", "it is listed as a known failure, but held"),
    (Status::Known, "≈", "it was violated, and the file of known failures lists that"),
    (Status::Fail, "✗", "it was violated, each time that it was tried again"),
    (Status::Flaky, "~", "it was violated, but not each time that it was tried again"),
    (
        Status::Inconclusive,
        "?",
        "too few cases, only errors, a failure that did not occur again, or a \
         target that does not support what a part of it needs",
    ),
    (Status::NotRun, "·", "no property that asserts it was run"),
    (Status::Unsupported, "∅", "it could not be judged, since the target does not support what it needs"),
    (Status::NotPromised, "–", "the release by which the target is judged does not promise it"),
];

/// The statuses in the order of bars and legend.
pub(super) fn all() -> impl Iterator<Item = Status> {
    STATUSES.iter().map(|(status, ..)| *status)
}

/// Of a requirement that a run does not have.
pub(super) const ABSENT: Shown = Shown { word: "absent", sign: " " };

impl Shown {
    pub(super) fn of(status: Status) -> Self {
        let sign = STATUSES.iter().find(|(shown, ..)| *shown == status).map_or("", |(_, sign, _)| *sign);
        Self { word: status.as_str(), sign }
    }
}

/// What a word means.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Word {
    status: Shown,
    meaning: &'static str,
}

/// The legend: the statuses of requirements.
pub(super) fn words() -> Vec<Word> {
    STATUSES.iter().map(|&(status, _, meaning)| Word { status: Shown::of(status), meaning }).collect()
}

/// The legend: the verdicts.
pub(super) fn verdicts() -> [(&'static str, &'static str, &'static str); 5] {
    let of = |verdict: Verdict, meaning| (Look::of(verdict).sign, verdict.as_str(), meaning);
    [
        of(Verdict::Conformant, "every MUST that was asserted held; SHOULD and MAY never change a verdict"),
        of(Verdict::ConformantWithKnownFailures, "every MUST that was asserted held, except known failures"),
        of(Verdict::Nonconformant, "a MUST was violated that is not a known failure"),
        of(Verdict::Incomplete, "too few cases were judged, or a failure could not be confirmed"),
        of(Verdict::Unusable, "the target could not be judged"),
    ]
}
