//! The verdict of a run on its target.

use serde::{Deserialize, Serialize};

use crate::ExitCode;
use crate::journal::{Header, StopReason, TargetKind};
use crate::text::{self, plural};

/// How many reasons a statement names; the report lists all.
const REASONS_IN_STATEMENT: usize = 3;

/// The verdict of a run on its target, within what was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every MUST that was asserted held.
    Conformant,
    /// Every MUST that was asserted held, except known failures.
    ConformantWithKnownFailures,
    /// A MUST was broken that is not a known failure.
    Nonconformant,
    /// Too few cases were run, or a failure could not be reproduced.
    Incomplete,
    /// The target cannot be judged.
    Unusable,
}

impl Verdict {
    /// The exit code of a run with this verdict; an interrupted run exits with [`ExitCode::INTERRUPTED`] instead.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Conformant | Self::ConformantWithKnownFailures => ExitCode::SUCCESS,
            Self::Nonconformant => ExitCode::FAILURE,
            Self::Unusable => ExitCode::UNUSABLE,
            Self::Incomplete => ExitCode::INCOMPLETE,
        }
    }

    /// The word in reports: `conformant-with-known-failures`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::ConformantWithKnownFailures => "conformant-with-known-failures",
            Self::Nonconformant => "nonconformant",
            Self::Incomplete => "incomplete",
            Self::Unusable => "unusable",
        }
    }

    /// Whether the target was not judged well enough.
    pub(crate) fn is_inconclusive(self) -> bool {
        matches!(self, Self::Incomplete | Self::Unusable)
    }

    /// The verdict as a sentence. It names the profile only if all of it was planned. `broken` is the number of failures
    /// that make the target nonconformant, `known` that of all known ones.
    pub(crate) fn statement(
        self,
        reasons: &[String],
        header: &Header,
        profile_complete: bool,
        broken: usize,
        known: usize,
    ) -> String {
        let is_converter = header.target.kind == TargetKind::Converter;
        let release = if is_converter { String::new() } else { format!(" (release {})", header.target.release) };
        let passed = if is_converter {
            "the converter is right in everything that was asked".to_owned()
        } else if profile_complete {
            format!("conformant with profile {}{release}", header.profile)
        } else {
            format!("everything selected passed{release}")
        };
        match self {
            Self::Conformant => passed,
            Self::ConformantWithKnownFailures => format!("{passed}, except {}", plural(known as u64, "known failure")),
            Self::Nonconformant => {
                let what = if is_converter { "the converter is wrong" } else { "nonconformant" };
                format!("{what}: {} of MUST requirements{release}", plural(broken as u64, "failure"))
            }
            Self::Incomplete | Self::Unusable => {
                let named =
                    reasons.iter().take(REASONS_IN_STATEMENT).map(String::as_str).collect::<Vec<_>>().join("; ");
                match reasons.len().saturating_sub(REASONS_IN_STATEMENT) {
                    0 => format!("{}: {named}", self.as_str()),
                    more => format!("{}: {named}; and {more} more", self.as_str()),
                }
            }
        }
    }
}

/// What the verdict depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Why the run ended; none if it was killed.
    pub(crate) stop_reason: Option<StopReason>,
    /// How much slower the target became, if the run ended because of that.
    pub(crate) slow: Option<String>,
    /// Whether everything was run, according to the footer.
    pub(crate) footer_complete: bool,
    /// Confirmed findings of MUST that are not known failures.
    pub(crate) broken: usize,
    /// Findings against a MUST, or a possible MUST, that are not known failures and were not reproduced in every
    /// attempt.
    pub(crate) unsettled: usize,
    /// Findings of MUST that are known failures.
    pub(crate) known: usize,
    /// Skipped properties: the missing capability, and how many properties need it.
    pub(crate) skipped: Vec<(String, u64)>,
    /// Properties below their minimum: ID, cases, minimum.
    pub(crate) short: Vec<(String, u64, u64)>,
    /// Scenarios that ended in an error and were not judged later.
    pub(crate) unanswered: u64,
    /// Whether no scenario was judged.
    pub(crate) nothing_judged: bool,
}

/// The verdict, and the reasons why the run is incomplete, as sentences without full stops.
///
/// A confirmed failure outweighs everything else, even if the target was lost later. Nothing below MUST changes the
/// verdict.
pub(crate) fn decide(evidence: &Evidence) -> (Verdict, Vec<String>) {
    let mut reasons = gaps(evidence);
    let verdict = follows(evidence.broken, evidence.known, evidence.stop_reason, !reasons.is_empty());
    if verdict == Verdict::Unusable {
        // The other reasons follow from the first.
        reasons.truncate(1);
    }
    (verdict, reasons)
}

/// The verdict that follows from the number of confirmed findings of MUST and of known ones, why the run
/// ended, and whether anything makes it incomplete.
pub(crate) fn follows(broken: usize, known: usize, stop_reason: Option<StopReason>, is_incomplete: bool) -> Verdict {
    if broken > 0 {
        Verdict::Nonconformant
    } else if stop_reason == Some(StopReason::TargetUnusable) {
        Verdict::Unusable
    } else if is_incomplete {
        Verdict::Incomplete
    } else if known > 0 {
        Verdict::ConformantWithKnownFailures
    } else {
        Verdict::Conformant
    }
}

/// Why the absence of failures is inconclusive.
fn gaps(evidence: &Evidence) -> Vec<String> {
    let ending = match evidence.stop_reason {
        None => Some("the run was killed: its journal has no end"),
        Some(StopReason::Interrupted) => Some("the run was interrupted"),
        Some(StopReason::Broken) => Some("crdible itself failed; this is a bug in crdible, not in the target"),
        Some(StopReason::FailureLimit) => Some("the run reached its limit of failures"),
        Some(StopReason::Unknown) => Some("the run ended for a reason that this version does not know"),
        Some(StopReason::Finished) if !evidence.footer_complete => Some("the run did not finish its plan"),
        Some(StopReason::TargetUnusable) if evidence.nothing_judged && evidence.broken == 0 => {
            Some("the target cannot be judged")
        }
        Some(StopReason::TargetUnusable) => Some("the target stopped responding"),
        // Only the time budget excuses missing cases: the minimum of each property decides.
        Some(StopReason::Finished | StopReason::TimeBudget) => None,
    };
    let mut gaps: Vec<String> = ending.map(str::to_owned).into_iter().collect();
    // Why cases are missing comes before which ones.
    let slow = evidence.slow.iter().filter(|_| !evidence.short.is_empty());
    gaps.extend(slow.map(|detail| format!("the target became slow: {detail}")));
    if evidence.unsettled > 0 {
        let failures = plural(evidence.unsettled as u64, "failure");
        gaps.push(format!("{failures} could not be confirmed"));
    }
    for (capability, properties) in &evidence.skipped {
        gaps.push(skipped(capability, *properties));
    }
    for (property, cases, minimum) in &evidence.short {
        gaps.push(format!("{property} judged {cases} of at least {minimum} cases"));
    }
    if evidence.nothing_judged {
        gaps.push("no scenario was judged".to_owned());
    }
    if evidence.unanswered > 0 {
        gaps.push(format!("{} ended in an error", plural(evidence.unanswered, "scenario")));
    }
    gaps
}

/// The reason for properties that were skipped.
pub(crate) fn skipped(capability: &str, properties: u64) -> String {
    let were = text::were(properties);
    format!("{} {were} skipped because the target does not support {capability}", text::properties(properties))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn whole() -> Evidence {
        Evidence { stop_reason: Some(StopReason::Finished), footer_complete: true, ..Evidence::default() }
    }

    fn lost() -> Evidence {
        Evidence { stop_reason: Some(StopReason::TargetUnusable), footer_complete: false, ..Evidence::default() }
    }

    fn skipped() -> Vec<(String, u64)> {
        vec![("pruning".to_owned(), 2)]
    }

    fn short() -> Vec<(String, u64, u64)> {
        vec![("prune".to_owned(), 3, 10)]
    }

    #[rstest]
    #[case::all_held(whole(), Verdict::Conformant, 0)]
    #[case::known_ones(Evidence { known: 1, ..whole() }, Verdict::ConformantWithKnownFailures, 0)]
    #[case::broken(Evidence { broken: 1, ..whole() }, Verdict::Nonconformant, 1)]
    #[case::broken_outweighs_known(Evidence { broken: 1, known: 4, ..whole() }, Verdict::Nonconformant, 1)]
    #[case::broken_outweighs_killed(
        Evidence { broken: 1, stop_reason: None, ..whole() }, Verdict::Nonconformant, 1)]
    #[case::broken_outweighs_short(Evidence { broken: 1, short: short(), ..whole() }, Verdict::Nonconformant, 1)]
    #[case::killed(Evidence { stop_reason: None, ..whole() }, Verdict::Incomplete, 4)]
    #[case::interrupted(
        Evidence { stop_reason: Some(StopReason::Interrupted), ..whole() }, Verdict::Incomplete, 4)]
    #[case::failure_limit_with_known_ones_only(
        Evidence { stop_reason: Some(StopReason::FailureLimit), known: 9, ..whole() }, Verdict::Incomplete, 4)]
    #[case::unknown_reason(Evidence { stop_reason: Some(StopReason::Unknown), ..whole() }, Verdict::Incomplete, 4)]
    #[case::short(Evidence { short: short(), ..whole() }, Verdict::Incomplete, 4)]
    #[case::short_and_known(Evidence { short: short(), known: 1, ..whole() }, Verdict::Incomplete, 4)]
    #[case::footer_denies(Evidence { footer_complete: false, ..whole() }, Verdict::Incomplete, 4)]
    #[case::time_budget_with_minimum(
        Evidence { stop_reason: Some(StopReason::TimeBudget), footer_complete: false, ..whole() },
        Verdict::Conformant, 0)]
    #[case::time_budget_without_minimum(
        Evidence { stop_reason: Some(StopReason::TimeBudget), short: short(), ..whole() }, Verdict::Incomplete, 4)]
    #[case::only_errors(Evidence { nothing_judged: true, ..whole() }, Verdict::Incomplete, 4)]
    #[case::some_errors(Evidence { unanswered: 2, ..whole() }, Verdict::Incomplete, 4)]
    #[case::a_defect_of_the_tool(
        Evidence { stop_reason: Some(StopReason::Broken), footer_complete: false, ..whole() }, Verdict::Incomplete, 4)]
    #[case::flaky(Evidence { unsettled: 1, ..whole() }, Verdict::Incomplete, 4)]
    #[case::skipped(Evidence { skipped: skipped(), ..whole() }, Verdict::Incomplete, 4)]
    #[case::skipped_and_known(Evidence { skipped: skipped(), known: 1, ..whole() }, Verdict::Incomplete, 4)]
    #[case::broken_outweighs_skipped(
        Evidence { skipped: skipped(), broken: 1, ..whole() }, Verdict::Nonconformant, 1)]
    #[case::lost(lost(), Verdict::Unusable, 3)]
    #[case::broken_outweighs_lost(Evidence { broken: 3, ..lost() }, Verdict::Nonconformant, 1)]
    #[case::lost_outweighs_known_and_unconfirmed(
        Evidence { known: 1, unsettled: 1, short: short(), skipped: skipped(), ..lost() }, Verdict::Unusable, 3)]
    #[case::never_there(Evidence { nothing_judged: true, ..lost() }, Verdict::Unusable, 3)]
    fn verdicts(#[case] evidence: Evidence, #[case] expected: Verdict, #[case] exit_code: u8) {
        let (verdict, reasons) = decide(&evidence);
        assert_eq!(verdict, expected);
        assert_eq!(verdict.exit_code(), exit_code);
        assert_eq!(
            serde_json::to_value(verdict).ok(),
            Some(serde_json::Value::String(verdict.as_str().to_owned())),
            "reports and messages use the same word"
        );
        if matches!(verdict, Verdict::Incomplete | Verdict::Unusable) {
            assert!(!reasons.is_empty(), "a missing verdict has a reason");
        }
    }

    #[rstest]
    #[case::nonconformant(
        Evidence { broken: 1, nothing_judged: true, short: short(), ..lost() }, 3, "stopped responding"
    )]
    #[case::unusable(Evidence { short: short(), unanswered: 16, ..lost() }, 1, "stopped responding")]
    #[case::slow(
        Evidence { slow: Some("60 times as long".to_owned()), short: short(), ..whole() },
        2,
        "the target became slow: 60 times as long"
    )]
    #[case::from_the_start(Evidence { nothing_judged: true, ..lost() }, 1, "cannot be judged")]
    fn why_the_run_ended_is_the_first_reason(#[case] evidence: Evidence, #[case] count: usize, #[case] expected: &str) {
        let (_, reasons) = decide(&evidence);
        assert_eq!(reasons.len(), count, "{reasons:?}");
        assert!(reasons[0].contains(expected), "{reasons:?}");
    }
}
