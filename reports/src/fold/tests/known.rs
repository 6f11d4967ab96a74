//! How a file of known failures changes a verdict.

use rstest::rstest;

use super::{broken, entry, status, without_pruning};
use crate::journal::Journal;
use crate::model::{KnownState, Status};
use crate::sample::{KNOWN, clean, eventful, failing, finding, fold, signature};
use crate::verdict::Verdict;

#[test]
fn known_failures_are_counted_separately_and_every_entry_has_a_state() {
    let report = fold(&eventful(), KNOWN);
    assert_eq!(report.verdict, Verdict::Nonconformant, "the entry for it has expired");
    assert_eq!((report.failures.len(), report.known.len()), (1, 1));
    assert_eq!((report.counts.failures, report.counts.known_failures), (1, 1));
    assert_eq!(report.known[0].entry, "DEFAULT-001");
    assert_eq!(status(&report, "DEFAULT-001"), Status::Known);
    assert_eq!(status(&report, "PRUNE-002"), Status::UnexpectedPass);
    assert_eq!(report.failures[0].occurrences, 2);
    let states: Vec<KnownState> = report.known_entries.iter().map(|entry| entry.state).collect();
    assert_eq!(states, [KnownState::Failed, KnownState::UnexpectedPass, KnownState::Expired]);
    let counts = &report.counts;
    assert_eq!((counts.errors, counts.discarded, counts.failed), (1, 1, 3));
    assert_eq!((report.events.len(), report.events[0].count), (1, 2));
}

#[rstest]
#[case::requirement("requirement = \"PRUNE-001\"", Verdict::ConformantWithKnownFailures, KnownState::Failed)]
#[case::signature("signature = \"prune-undeclared:*\"", Verdict::ConformantWithKnownFailures, KnownState::Failed)]
#[case::other_signature("signature = \"prune-undeclared:y\"", Verdict::Nonconformant, KnownState::UnexpectedPass)]
#[case::signature_of_nothing_run("signature = \"prune:y\"", Verdict::Nonconformant, KnownState::NotExercised)]
#[case::passed("requirement = \"PRUNE-002\"", Verdict::Nonconformant, KnownState::UnexpectedPass)]
#[case::not_asserted("requirement = \"DEFAULT-002\"", Verdict::Nonconformant, KnownState::NotExercised)]
fn entries(#[case] subject: &str, #[case] verdict: Verdict, #[case] state: KnownState) {
    let report = fold(&broken(&["PRUNE-001"], 3, 3), &entry(subject));
    assert_eq!((report.verdict, report.known_entries[0].state), (verdict, state));
}

#[test]
fn a_failure_of_several_requirements_is_known_only_if_all_of_them_are() {
    let journal = broken(&["PRUNE-001", "PRUNE-001/e1", "PRUNE-002"], 3, 3);
    let [one, other] = ["PRUNE-001", "PRUNE-002"].map(|id| entry(&format!("requirement = \"{id}\"")));
    let report = fold(&journal, &one);
    assert_eq!((report.verdict, report.known.len()), (Verdict::Nonconformant, 0));
    assert_eq!(report.known_entries[0].state, KnownState::Failed);
    assert_eq!((status(&report, "PRUNE-001"), status(&report, "PRUNE-002")), (Status::Fail, Status::Fail));

    let report = fold(&journal, &format!("{one}issue = \"i/1\"\n{}", other.replace("\"r\"", "\"s\"")));
    assert_eq!((report.verdict, report.failures.len()), (Verdict::ConformantWithKnownFailures, 0));
    let known = &report.known[0];
    let shown = (known.entry.as_str(), known.reason.as_str(), known.issue.as_deref());
    assert_eq!(shown, ("PRUNE-001, PRUNE-002", "r; s", Some("i/1")));
    assert_eq!(status(&report, "PRUNE-002"), Status::Known);

    let expired = format!("{one}{other}expires = \"2026-11-20\"\n");
    assert_eq!(fold(&journal, &expired).verdict, Verdict::Nonconformant);
}

#[test]
fn entries_of_other_releases_and_days_hide_nothing() {
    let journal = broken(&["PRUNE-001"], 3, 3);
    let other = entry("requirement = \"PRUNE-001\"").replace("1.36", "1.35");
    let report = fold(&journal, &other);
    assert_eq!((report.verdict, report.known_entries[0].state), (Verdict::Nonconformant, KnownState::OtherRelease));
    let expired = entry("requirement = \"PRUNE-001\"") + "expires = \"2026-11-20\"\n";
    let report = fold(&journal, &expired);
    assert_eq!((report.verdict, report.known_entries[0].state), (Verdict::Nonconformant, KnownState::Expired));
}

#[test]
fn a_known_failure_below_must_leaves_the_run_conformant() {
    let report = fold(&broken(&["PRUNE-003"], 3, 3), &entry("requirement = \"PRUNE-003\""));
    assert_eq!((report.verdict, report.known.len()), (Verdict::Conformant, 1));
}

/// The clean run, with a failure that the run could not confirm.
fn unconfirmed() -> Journal {
    let mut journal = clean();
    journal.cases.push(failing("default-missing", 3, &[0], &signature("default-missing", "x", "", "y")));
    journal
}

/// A rejected definition breaks a requirement that no check asserts: that all asserted ones are known proves nothing.
#[test]
fn an_unconfirmed_failure_is_not_known_by_its_requirements() {
    let report = fold(&unconfirmed(), &entry("requirement = \"DEFAULT-001\""));
    assert_eq!((report.verdict, report.known.len()), (Verdict::Incomplete, 0));
    assert_eq!(report.known_entries[0].state, KnownState::Failed, "it may have failed, so the entry must stay");
    assert_eq!(status(&report, "DEFAULT-001"), Status::Inconclusive);
}

#[test]
fn an_unconfirmed_failure_is_known_by_its_signature() {
    let known = entry("signature = \"default-missing:x:*\"");
    let report = fold(&unconfirmed(), &known);
    assert_eq!((report.verdict, report.failures.len()), (Verdict::ConformantWithKnownFailures, 0));
    assert_eq!((report.known.len(), report.known_entries[0].state), (1, KnownState::Failed));
    assert_eq!(status(&report, "DEFAULT-001"), Status::Inconclusive, "the signature is certain, not what it breaks");

    for other in [known.replace("x:*", "z:*"), known.replace("1.36", "1.35"), known + "expires = \"2026-11-20\"\n"] {
        let report = fold(&unconfirmed(), &other);
        assert_eq!((report.verdict, report.known.len()), (Verdict::Incomplete, 0), "{other}");
    }
}

#[test]
fn a_confirmed_known_failure_outweighs_an_unconfirmed_one() {
    let mut journal = unconfirmed();
    let confirmed = signature("default-missing", "w", "", "y");
    journal.findings.push(finding("default-missing", 3, &["DEFAULT-001"], &confirmed));
    let report = fold(&journal, &entry("signature = \"default-missing:*\""));
    assert_eq!((status(&report, "DEFAULT-001"), report.known.len()), (Status::Known, 2));
}

#[test]
fn reasons_are_joined_without_their_full_stops() {
    let journal = broken(&["PRUNE-001", "PRUNE-002"], 3, 3);
    let known = entry("requirement = \"PRUNE-001\"").replace("\"r\"", "\"It adds a key. Always.\"")
        + &entry("requirement = \"PRUNE-002\"").replace("\"r\"", "\"It is late.\"");
    assert_eq!(fold(&journal, &known).known[0].reason, "It adds a key. Always; It is late");
}

#[test]
fn a_known_missing_capability_that_nothing_needs_is_a_known_failure() {
    let report = fold(&without_pruning(&[]), &entry("signature = \"capability-pruning:*\""));
    assert_eq!(report.verdict, Verdict::ConformantWithKnownFailures);
}
