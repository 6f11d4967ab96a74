#![allow(clippy::unwrap_used)]

mod entries;
mod known;

use crdible_spec::Level;
use proptest::prelude::*;
use rstest::rstest;

use crate::Signature;
use crate::journal::{Case, Event, Journal, Outcome, Reproduced, StopReason};
use crate::model::{EvidenceKind, Report, Status};
use crate::sample::{KNOWN, case, clean, eventful, failing, finding, fold, planned, signature, unsupported};
use crate::verdict::Verdict;

fn extra() -> Signature {
    signature("prune-undeclared", "body-equal", "content", "unexpected")
}

fn status(report: &Report, reference: &str) -> Status {
    let edges = report.requirements.iter().flat_map(|found| &found.edges).map(|edge| (&edge.reference, edge.status));
    let mut all = report.requirements.iter().map(|found| (&found.id, found.status)).chain(edges);
    all.find(|(name, _)| *name == reference).unwrap().1
}

/// The clean run with one failure of these requirements, reproduced this often.
fn broken(requirements: &[&str], attempts: u32, times: u32) -> Journal {
    let mut journal = clean();
    journal.cases.push(failing("prune-undeclared", 3, &[0, 1, 2, 3], &extra()));
    let mut finding = finding("prune-undeclared", 3, requirements, &extra());
    finding.reproduced = Reproduced { attempts, times, races: 0 };
    journal.findings.push(finding);
    journal
}

fn entry(subject: &str) -> String {
    format!("[[known]]\n{subject}\nreleases = [\"1.36\"]\nreason = \"r\"\n")
}

#[test]
fn a_clean_run_names_the_profile_only_if_all_of_it_was_planned() {
    let report = fold(&clean(), "");
    assert_eq!((report.verdict, report.exit_code(), report.complete), (Verdict::Conformant, 0, true));
    assert_eq!(report.statement, "conformant with profile core (release 1.36)");
    let mut journal = clean();
    journal.plan.profile_complete = false;
    assert_eq!(fold(&journal, "").statement, "everything selected passed (release 1.36)");
}

#[test]
fn a_clean_run_is_counted() {
    let report = fold(&clean(), "");
    let counts = &report.counts;
    assert_eq!((counts.cases, counts.passed, counts.requests, counts.properties), (60, 6, 72, 2));
    assert_eq!((counts.requirements.pass, counts.requirements.unsupported), (3, 1));
    let prune = &report.requirements[0];
    assert_eq!((prune.id.as_str(), prune.cases, prune.level), ("PRUNE-001", 30, Level::Must));
    assert_eq!(
        prune.edges.iter().map(|edge| (edge.cases, edge.level)).collect::<Vec<_>>(),
        [(30, Level::Must), (30, Level::Quirk)]
    );
    let ids: Vec<&str> = report.requirements.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["PRUNE-001", "PRUNE-002", "DEFAULT-001", "DEFAULT-002"], "in the order of the specification");
}

#[rstest]
#[case::must(&["PRUNE-001"], Verdict::Nonconformant, Status::Fail, Status::Pass)]
#[case::edge_of_must(&["PRUNE-001/e1"], Verdict::Nonconformant, Status::Fail, Status::Pass)]
#[case::quirk_edge(&["PRUNE-001/e2"], Verdict::Conformant, Status::Pass, Status::Fail)]
#[case::should(&["PRUNE-003"], Verdict::Conformant, Status::Pass, Status::Pass)]
#[case::should_and_must(&["PRUNE-003", "PRUNE-001"], Verdict::Nonconformant, Status::Fail, Status::Pass)]
#[case::nothing_named(&[], Verdict::Nonconformant, Status::Pass, Status::Pass)]
#[case::not_in_this_catalogue(&["PRUNE-777"], Verdict::Nonconformant, Status::Pass, Status::Pass)]
fn the_strongest_level_decides(
    #[case] requirements: &[&str],
    #[case] verdict: Verdict,
    #[case] requirement: Status,
    #[case] quirk: Status,
) {
    let report = fold(&broken(requirements, 3, 3), "");
    assert_eq!(report.verdict, verdict);
    assert_eq!((status(&report, "PRUNE-001"), status(&report, "PRUNE-001/e2")), (requirement, quirk));
    assert_eq!((report.failures.len(), report.counts.failures), (1, 1), "counted whatever its level");
}

#[rstest]
#[case::confirmed(3, 3, EvidenceKind::Confirmed, Status::Fail, Verdict::Nonconformant)]
#[case::not_tried(0, 0, EvidenceKind::Confirmed, Status::Fail, Verdict::Nonconformant)]
#[case::flaky(3, 1, EvidenceKind::Flaky, Status::Flaky, Verdict::Incomplete)]
#[case::never_again(3, 0, EvidenceKind::Unreproduced, Status::Inconclusive, Verdict::Incomplete)]
fn a_failure_that_is_not_reproduced_is_not_a_verdict(
    #[case] attempts: u32,
    #[case] times: u32,
    #[case] evidence: EvidenceKind,
    #[case] expected: Status,
    #[case] verdict: Verdict,
) {
    let report = fold(&broken(&["PRUNE-001"], attempts, times), "");
    assert_eq!(report.failures[0].evidence, evidence);
    assert_eq!((status(&report, "PRUNE-001"), report.verdict), (expected, verdict));
}

#[rstest]
#[case::of_a_killed_run(false)]
#[case::of_a_run_that_says_it_is_whole(true)]
fn a_failure_without_its_finding_is_reported_but_is_not_a_verdict(#[case] whole: bool) {
    let mut journal = clean();
    journal.cases.push(failing("prune-undeclared", 3, &[0, 3], &extra()));
    journal.cases.push(case("default-missing", 3, Outcome::Fail, &[0]));
    if !whole {
        journal.footer = None;
    }
    let report = fold(&journal, "");
    assert_eq!(report.failures.len(), 2);
    assert_eq!(report.failures[0].failure.signature.to_string(), "default-missing:::unnamed");
    assert_eq!(report.failures[1].failure.requirements, ["PRUNE-001", "PRUNE-002"]);
    assert_eq!((status(&report, "PRUNE-002"), report.exit_code()), (Status::Inconclusive, 4));
    assert!(report.statement.ends_with("2 failures could not be confirmed"), "{}", report.statement);
}

#[rstest]
#[case::must_among_them(&["PRUNE-003", "PRUNE-001"], Level::Must, Verdict::Incomplete)]
#[case::should_and_quirk(&["PRUNE-003", "PRUNE-001/e2"], Level::Should, Verdict::Conformant)]
#[case::quirk(&["PRUNE-001/e2"], Level::Quirk, Verdict::Conformant)]
#[case::nothing(&[], Level::Must, Verdict::Incomplete)]
fn an_unconfirmed_failure_has_the_strongest_level_that_it_may_have(
    #[case] asserted: &[&str],
    #[case] level: Level,
    #[case] verdict: Verdict,
) {
    let mut journal = clean();
    journal.plan.properties.push(planned("warn", asserted, 0));
    let places: Vec<usize> = (0..asserted.len()).collect();
    journal.cases.push(failing("warn", 0, &places, &signature("warn", "x", "", "y")));
    let report = fold(&journal, "");
    assert_eq!((report.failures[0].level, report.verdict), (level, verdict));
}

#[test]
fn only_what_was_confirmed_makes_a_target_nonconformant() {
    let mut journal = broken(&["PRUNE-001"], 3, 3);
    journal.cases.push(failing("default-missing", 3, &[0], &signature("default-missing", "x", "", "y")));
    let report = fold(&journal, "");
    assert_eq!(report.statement, "nonconformant: 1 failure of MUST requirements (release 1.36)");
    assert_eq!(report.reasons, ["1 failure could not be confirmed"]);
}

#[test]
fn one_signature_is_one_finding_shown_by_the_smallest_failure() {
    let mut journal = broken(&["PRUNE-001"], 3, 3);
    let mut smaller = finding("prune-undeclared", 9, &["PRUNE-002"], &extra());
    smaller.shrink.as_mut().unwrap().final_size = 2;
    smaller.failure.summary = "smaller".to_owned();
    journal.findings.push(smaller);
    journal.cases.push(failing("prune-undeclared", 5, &[0], &extra()));
    let report = fold(&journal, "");
    assert_eq!(report.failures.len(), 1);
    let finding = &report.failures[0];
    assert_eq!((finding.occurrences, finding.failure.summary.as_str()), (3, "smaller"));
    assert_eq!(finding.failure.requirements, ["PRUNE-001", "PRUNE-002"]);
}

/// The clean run of a target that does not prune: the properties that need it are skipped.
fn without_pruning(properties: &[&str]) -> Journal {
    let mut journal = clean();
    let signature = signature("capability-pruning", Signature::CAPABILITY, "content", "unexpected");
    let mut missing = finding("capability-pruning", 0, &["PRUNE-001"], &signature);
    missing.reproduced = Reproduced::default();
    journal.findings.push(missing);
    journal.events.extend(properties.iter().map(|property| Event::about(property, Event::SKIPPED, "pruning")));
    journal
}

const BOTH_SKIPPED: &str = "2 properties were skipped because the target does not support pruning";

#[rstest]
#[case::not_known("", Verdict::Nonconformant)]
#[case::known_by_requirement("requirement = \"PRUNE-001\"", Verdict::Nonconformant)]
#[case::known_by_signature("signature = \"capability-pruning:*\"", Verdict::Incomplete)]
fn skipped_properties_prevent_a_verdict(#[case] subject: &str, #[case] verdict: Verdict) {
    let known = if subject.is_empty() { String::new() } else { entry(subject) };
    let mut journal = without_pruning(&["prune-a", "prune-b"]);
    // Each shard reports it.
    journal.events.push(Event::about("prune-a", Event::SKIPPED, "pruning"));
    let report = fold(&journal, &known);
    assert_eq!((report.verdict, &report.reasons[..]), (verdict, &[BOTH_SKIPPED.to_owned()][..]));
    assert!(!report.complete);
}

#[test]
fn a_skipped_property_makes_a_run_incomplete() {
    let mut journal = clean();
    journal.events.push(Event::about("prune-a", Event::SKIPPED, "pruning"));
    let report = fold(&journal, "");
    let expected = ["1 property was skipped because the target does not support pruning".to_owned()];
    assert_eq!((report.exit_code(), &report.reasons[..]), (4, &expected[..]));
}

#[rstest]
#[case::not_known("", Verdict::Nonconformant, 1)]
#[case::known("requirement = \"PRUNE-001\"", Verdict::Unusable, 3)]
fn a_target_that_was_lost_later_is_still_broken(
    #[case] subject: &str,
    #[case] verdict: Verdict,
    #[case] exit_code: u8,
) {
    let mut journal = broken(&["PRUNE-001"], 3, 3);
    journal.footer.as_mut().unwrap().stop_reason = StopReason::TargetUnusable;
    let report = fold(&journal, &if subject.is_empty() { String::new() } else { entry(subject) });
    assert_eq!((report.verdict, report.exit_code()), (verdict, exit_code));
    assert_eq!(report.reasons, ["the target stopped responding"]);
}

#[test]
fn too_few_cases_are_no_verdict() {
    let mut journal = clean();
    journal.plan.properties[0].minimum = 31;
    let report = fold(&journal, "");
    assert_eq!((report.verdict, report.exit_code()), (Verdict::Incomplete, 4));
    assert_eq!(report.statement, "incomplete: prune-undeclared judged 30 of at least 31 cases");
    assert_eq!(status(&report, "PRUNE-001"), Status::Inconclusive);
    assert_eq!(status(&report, "DEFAULT-001"), Status::Pass);
}

#[test]
fn an_interrupted_run_exits_as_shells_expect_whatever_it_found() {
    let mut journal = broken(&["PRUNE-001"], 3, 3);
    journal.footer.as_mut().unwrap().stop_reason = StopReason::Interrupted;
    let report = fold(&journal, "");
    assert_eq!((report.verdict, report.exit_code()), (Verdict::Nonconformant, 130));
}

#[rstest]
#[case::only_errors(Outcome::Error, Status::Inconclusive)]
#[case::only_discards(Outcome::Discard, Status::Inconclusive)]
fn scenarios_without_a_verdict_prove_nothing(#[case] outcome: Outcome, #[case] expected: Status) {
    let mut journal = clean();
    journal.cases.iter_mut().for_each(|case| case.outcome = outcome);
    // Even if no minimum is required.
    journal.plan.properties.iter_mut().for_each(|property| property.minimum = 0);
    let report = fold(&journal, "");
    assert_eq!((report.verdict, status(&report, "PRUNE-001")), (Verdict::Incomplete, expected));
    assert_eq!(report.counts.cases, 0);
}

#[test]
fn requirements_that_are_not_run_say_why() {
    let mut journal = clean();
    journal.plan.properties.push(planned("future", &["PRUNE-004"], 0));
    journal.plan.properties.push(planned("never", &["PRUNE-003"], 0));
    journal.plan.unsupported = vec![unsupported("DEFAULT-002", "nulls")];
    let report = fold(&journal, "");
    let result = |id: &str| {
        let found = report.requirements.iter().find(|found| found.id == id).unwrap();
        (found.status, found.reason.clone().unwrap_or_default())
    };
    assert_eq!(result("PRUNE-003"), (Status::NotRun, String::new()));
    assert_eq!(
        result("PRUNE-004"),
        (Status::NotPromised, "requires release 1.99, but the target is judged by 1.36".to_owned())
    );
    assert_eq!(result("DEFAULT-002"), (Status::Unsupported, "the target does not support nulls".to_owned()));
}

#[test]
fn a_scenario_that_was_resumed_counts_once() {
    let mut journal = clean();
    journal.cases.push(Case { detail: Some("lost".to_owned()), ..case("default-missing", 0, Outcome::Error, &[]) });
    let report = fold(&journal, "");
    assert_eq!((report.counts.errors, report.counts.passed), (0, 6));
}

#[test]
fn a_cut_off_journal_says_so() {
    let bytes = crate::sample::written(clean());
    let report = fold(&Journal::read(&bytes[..bytes.len() - 9]).unwrap(), "");
    assert_eq!((report.verdict, report.ended.as_deref()), (Verdict::Incomplete, None));
    assert_eq!(report.events[0].kind, "journal-truncated");
}

fn some_case() -> impl Strategy<Value = Case> {
    let outcome = prop::sample::select(vec![Outcome::Pass, Outcome::Fail, Outcome::Error, Outcome::Discard]);
    (any::<bool>(), 0_u64..6, outcome, prop::collection::vec(0_usize..4, 0..4), 0_u64..20, 0_u8..3).prop_map(
        |(first, index, outcome, asserted, cases, signature)| Case {
            asserted: if first { asserted } else { vec![0] },
            cases,
            failures: vec![Signature::new("prune-undeclared", signature.to_string(), "", "")],
            detail: Some(format!("because {cases}")),
            ..case(if first { "prune-undeclared" } else { "default-missing" }, index, outcome, &[])
        },
    )
}

proptest! {
    #[test]
    fn the_order_of_scenarios_has_no_meaning(
        cases in prop::collection::vec(some_case(), 0..14),
        order in any::<prop::sample::Index>(),
        swapped in any::<bool>(),
    ) {
        let mut journal = eventful();
        journal.cases.extend(cases);
        let report = fold(&journal, KNOWN);
        let at = order.index(journal.cases.len());
        journal.cases.rotate_left(at);
        if swapped {
            journal.cases.reverse();
        }
        prop_assert_eq!(fold(&journal, KNOWN), report);
    }

    #[test]
    fn numbers_add_up(cases in prop::collection::vec(some_case(), 0..14)) {
        let mut journal = eventful();
        journal.cases.extend(cases);
        let report = fold(&journal, KNOWN);
        let statuses = serde_json::to_value(report.counts.requirements).unwrap();
        let sum: u64 = statuses.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        prop_assert_eq!(sum, report.requirements.len() as u64);
        let levels = serde_json::to_value(report.counts.failures_by_level).unwrap();
        let sum: u64 = levels.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        prop_assert_eq!(sum, report.counts.failures);
        for requirement in &report.requirements {
            prop_assert!(requirement.cases <= report.counts.cases);
            prop_assert!(requirement.edges.iter().all(|edge| edge.cases <= requirement.cases));
            prop_assert!(requirement.status != Status::Pass || (requirement.cases > 0));
        }
    }
}
