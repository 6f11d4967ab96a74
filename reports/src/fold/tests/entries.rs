//! Findings with the same symptom are one entry.

use crdible_spec::Level;
use rstest::rstest;

use super::{entry, status};
use crate::Signature;
use crate::journal::{Event, Journal, RecordedFinding, Reproduced};
use crate::model::{EvidenceKind, Report, Status};
use crate::sample::{clean, failing, finding, fold, signature};
use crate::verdict::Verdict;

/// A failure of a property that the plan has, with this symptom.
fn seen(check: &str, requirement: &str, symptom: &str) -> RecordedFinding {
    let signature = signature("prune-undeclared", check, "", "");
    RecordedFinding { symptom: symptom.to_owned(), ..finding("prune-undeclared", 3, &[requirement], &signature) }
}

fn flaky(finding: RecordedFinding) -> RecordedFinding {
    RecordedFinding { reproduced: Reproduced { attempts: 3, times: 1, races: 0 }, ..finding }
}

/// The failure of a capability test.
fn missing_capability(finding: RecordedFinding) -> RecordedFinding {
    let mut finding = finding;
    finding.failure.signature = signature("capability-pruning", Signature::CAPABILITY, "", "unable");
    finding.lacks = Some("pruning".to_owned());
    finding
}

fn with(findings: impl IntoIterator<Item = RecordedFinding>) -> Journal {
    let mut journal = clean();
    journal.findings.extend(findings);
    journal
}

/// The check of each entry, with those of the findings that it lists.
fn entries(report: &Report) -> Vec<String> {
    let checks = |finding: &crate::model::ReportedFinding| {
        finding.signatures().map(|signature| signature.check.clone()).collect::<Vec<_>>().join("+")
    };
    report.failures.iter().map(checks).collect()
}

#[test]
fn findings_with_one_symptom_are_one_entry_and_every_requirement_still_fails() {
    let journal = with([
        seen("a", "PRUNE-002", "unknown keys stay"),
        seen("b", "PRUNE-001/e1", "unknown keys stay"),
        seen("c", "DEFAULT-001", "something else"),
        seen("d", "PRUNE-001", ""),
        seen("e", "PRUNE-001", ""),
    ]);
    let report = fold(&journal, "");
    assert_eq!(entries(&report), ["a+b", "c", "d", "e"], "without a symptom a failure stands alone");
    assert_eq!((report.counts.failures, report.counts.findings), (4, 5));
    assert_eq!(report.statement, "nonconformant: 4 failures of MUST requirements (release 1.36)");
    for requirement in ["PRUNE-001", "PRUNE-001/e1", "PRUNE-002", "DEFAULT-001"] {
        assert_eq!(status(&report, requirement), Status::Fail, "{requirement}");
    }
    let first = &report.failures[0];
    assert_eq!((first.symptom.as_str(), first.occurrences), ("unknown keys stay", 1));
    let also = &first.also[0];
    assert_eq!((also.requirements.as_slice(), also.occurrences), (&["PRUNE-001/e1".to_owned()][..], 1));
    assert_eq!(also.replay.as_deref(), Some("crdible replay crdible-failures/f3.json"));
}

#[rstest]
#[case::stronger_level(seen("b", "PRUNE-001", "x"), seen("a", "PRUNE-003", "x"), "b+a")]
#[case::capability(missing_capability(seen("", "PRUNE-001", "x")), seen("a", "PRUNE-001", "x"), "capability+a")]
#[case::other_check_of_a_capability(
    {
        let mut missing = missing_capability(seen("", "PRUNE-001", "x"));
        missing.failure.signature.check = "nothing-stored".to_owned();
        missing
    },
    seen("a", "PRUNE-001", "x"),
    "nothing-stored+a"
)]
#[case::level_before_capability(
    seen("b", "PRUNE-001", "x"),
    missing_capability(seen("", "PRUNE-003", "x")),
    "b+capability"
)]
#[case::confirmed(seen("b", "PRUNE-001", "x"), flaky(seen("a", "PRUNE-001", "x")), "b+a")]
#[case::settled_before_stronger_capability(
    seen("b", "PRUNE-001", "x"),
    flaky(missing_capability(seen("", "PRUNE-001", "x"))),
    "b+capability"
)]
#[case::flaky_before_not_reproduced(
    flaky(seen("b", "PRUNE-001", "x")),
    RecordedFinding { reproduced: Reproduced { attempts: 3, times: 0, races: 0 }, ..seen("a", "PRUNE-001", "x") },
    "b+a"
)]
#[case::fewer_requests(
    { let mut short = seen("b", "PRUNE-001", "x"); short.minimal.requests.pop(); short },
    seen("a", "PRUNE-001", "x"),
    "b+a"
)]
#[case::smaller_documents(
    { let mut small = seen("b", "PRUNE-001", "x"); small.minimal.objects.clear(); small },
    seen("a", "PRUNE-001", "x"),
    "b+a"
)]
#[case::less_to_read(
    {
        let mut small = seen("b", "PRUNE-001", "x");
        small.minimal.objects.clear();
        small.minimal.definitions.clear();
        let again = small.minimal.requests[1].clone();
        small.minimal.requests.push(again);
        small
    },
    seen("a", "PRUNE-001", "x"),
    "b+a"
)]
#[case::names_what_the_symptom_is_about(
    seen("b", "PRUNE-002", "x / PRUNE-002"),
    seen("a", "PRUNE-001", "x / PRUNE-002"),
    "b+a"
)]
#[case::signature(seen("a", "PRUNE-001", "x"), seen("b", "PRUNE-001", "x"), "a+b")]
fn the_clearest_finding_is_the_entry(
    #[case] clear: RecordedFinding,
    #[case] other: RecordedFinding,
    #[case] expected: &str,
) {
    for findings in [[clear.clone(), other.clone()], [other, clear]] {
        assert_eq!(entries(&fold(&with(findings), "")), [expected]);
    }
}

/// Failures with these symptoms, each with its own check, and this many that were not confirmed.
fn of_symptoms(symptoms: &[&str], unconfirmed: u64) -> Report {
    let letters = 'a'..='z';
    let mut journal =
        with(symptoms.iter().zip(letters).map(|(symptom, letter)| seen(&letter.to_string(), "PRUNE-001", symptom)));
    for number in 0..unconfirmed {
        let signature = signature("prune-undeclared", &number.to_string(), "", "");
        journal.cases.push(failing("prune-undeclared", 100 + number, &[0], &signature));
    }
    fold(&journal, "")
}

/// Four are few. Of five, those that begin with the same two parts are one entry.
const DETAILS: [&str; 5] = [
    "objects / spec / missing",
    "objects / spec / unexpected",
    "objects / status / missing",
    "watch / events / late",
    "tables / cells / missing",
];

/// Twelve are few. Of thirteen, those of one area are one entry.
const PLACES: [&str; 13] = [
    "objects / a",
    "objects / b",
    "objects / c",
    "objects / d",
    "objects / e",
    "watch / a",
    "watch / b",
    "watch / c",
    "watch / d",
    "tables / a",
    "tables / b",
    "tables / c",
    "tables / d",
];

#[rstest]
#[case::few_details(&DETAILS[..4], &["a", "b", "c", "d"])]
#[case::many_details(&DETAILS, &["a+b", "c", "d", "e"])]
#[case::few_places(&PLACES[..12], &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"])]
#[case::many_places(&PLACES, &["a+b+c+d+e", "f+g+h+i", "j+k+l+m"])]
fn many_failures_are_reported_by_area_however_many_are_not_confirmed(
    #[case] symptoms: &[&str],
    #[case] expected: &[&str],
) {
    assert_eq!(entries(&of_symptoms(symptoms, 0)), expected);
    let with_others = entries(&of_symptoms(symptoms, 9));
    assert_eq!(&with_others[..expected.len()], expected);
    assert_eq!(with_others.len(), expected.len() + 9, "what was not confirmed stands alone");
}

#[test]
fn failures_of_one_area_keep_their_symptoms() {
    let report = of_symptoms(&DETAILS, 0);
    let first = &report.failures[0];
    assert_eq!((first.symptom.as_str(), first.also[0].symptom.as_str()), (DETAILS[0], DETAILS[1]));
    assert!(!first.is_of_one_symptom());
    assert!(of_symptoms(&["x", "x"], 0).failures[0].is_of_one_symptom());
}

/// The finding to fix first may be listed in an entry that another finding heads.
#[test]
fn a_missing_capability_that_an_entry_only_lists_puts_it_first_too() {
    let mut journal =
        with([seen("a", "PRUNE-001", ""), seen("b", "PRUNE-001", "x"), missing_capability(seen("", "PRUNE-003", "x"))]);
    journal.findings.push(seen("0", "PRUNE-001", "y"));
    journal.findings.push(seen("1", "PRUNE-001", "y"));
    let skipped = [("p1", "pruning"), ("p2", "pruning")];
    journal.events.extend(skipped.map(|(property, capability)| Event::about(property, Event::SKIPPED, capability)));
    assert_eq!(entries(&fold(&journal, "")), ["b+capability", "0+1", "a"]);
}

#[test]
fn missing_capabilities_that_keep_as_much_from_being_judged_are_in_the_order_of_their_failures() {
    let mut defaulting = missing_capability(seen("", "PRUNE-003", ""));
    defaulting.failure.signature = signature("capability-defaulting", Signature::CAPABILITY, "", "unable");
    defaulting.lacks = Some("defaulting".to_owned());
    let mut journal = with([defaulting, missing_capability(seen("", "PRUNE-001", ""))]);
    let skipped = [("p1", "defaulting"), ("p2", "pruning"), ("p3", "causes")];
    journal.events.extend(skipped.map(|(property, capability)| Event::about(property, Event::SKIPPED, capability)));
    let report = fold(&journal, "");
    let missing: Vec<_> = report.lacks.iter().map(|missing| (missing.capability.as_str(), missing.failure)).collect();
    assert_eq!(missing, [("pruning", Some(1)), ("defaulting", Some(2)), ("causes", None)]);
}

/// What is broken most is shown first, and each other thing once before the rest.
#[test]
fn an_entry_shows_what_most_of_its_failures_are_about() {
    let about = |check: &str, requirement: &str| seen(check, "PRUNE-001", &format!("11.3 Patch / {requirement}"));
    let mut journal = with([
        about("a", "REST-028"),
        about("b", "REST-034"),
        about("c", "REST-034"),
        about("d", "REST-035"),
        about("e", "REST-034"),
    ]);
    journal
        .findings
        .extend(PLACES.iter().zip('f'..).map(|(place, check)| seen(&check.to_string(), "PRUNE-001", place)));
    let report = fold(&journal, "");
    let entry = report.failures.iter().find(|entry| entry.area() == "11.3 Patch").expect("an entry of this area");
    let checks: Vec<&str> = entry.signatures().map(|signature| signature.check.as_str()).collect();
    assert_eq!(checks, ["b", "a", "d", "c", "e"]);
    let shares: Vec<_> = entry.shares.iter().map(|share| (share.of.as_str(), share.failures)).collect();
    assert_eq!(shares, [("REST-034", 3), ("REST-028", 1), ("REST-035", 1)]);
}

/// In the list of a weaker entry it would be missing from the verdict.
#[test]
fn an_unsettled_must_is_not_hidden_by_a_settled_should() {
    let journal =
        with([seen("a", "PRUNE-003", "x"), flaky(seen("b", "PRUNE-001", "x")), flaky(seen("c", "PRUNE-003", "x"))]);
    let report = fold(&journal, "");
    assert_eq!(entries(&report), ["b", "a+c"]);
    assert_eq!(
        (report.verdict, &report.reasons[..]),
        (Verdict::Incomplete, &["1 failure could not be confirmed".to_owned()][..])
    );
    assert_eq!(report.failures[0].level, Level::Must);
    assert_eq!(report.failures[1].also[0].evidence, EvidenceKind::Flaky);
}

#[test]
fn entries_are_ordered_by_level_then_by_what_they_explain_and_what_is_unconfirmed_is_last() {
    let mut journal = with([
        seen("a", "PRUNE-001", ""),
        seen("b", "PRUNE-001", "x"),
        seen("c", "PRUNE-001", "x"),
        seen("d", "PRUNE-003", "y"),
        seen("e", "PRUNE-003", "y"),
        seen("f", "PRUNE-003", "y"),
    ]);
    journal.cases.push(failing("prune-undeclared", 5, &[0], &signature("prune-undeclared", "0", "", "")));
    let report = fold(&journal, "");
    assert_eq!(entries(&report), ["b+c", "a", "d+e+f", "0"]);
    assert_eq!(report.failures[3].level, Level::Must);
}

#[test]
fn a_known_failure_joins_no_group_and_hides_no_other() {
    let journal = with([seen("a", "PRUNE-001", "x"), seen("b", "PRUNE-002", "x"), seen("c", "PRUNE-002", "x")]);
    for subject in ["requirement = \"PRUNE-001\"", "signature = \"prune-undeclared:a:*\""] {
        let report = fold(&journal, &entry(subject));
        assert_eq!((entries(&report), report.known.len()), (vec!["b+c".to_owned()], 1));
        assert_eq!((report.counts.failures, report.counts.findings, report.counts.known_failures), (1, 2, 1));
        assert!(report.known[0].finding.also.is_empty());
        assert_eq!((status(&report, "PRUNE-001"), status(&report, "PRUNE-002")), (Status::Known, Status::Fail));
    }
}

#[test]
fn missing_capabilities_are_ordered_by_what_was_not_judged_because_of_them_and_name_their_failure() {
    let mut journal = with([seen("a", "PRUNE-001", ""), missing_capability(seen("", "PRUNE-002", ""))]);
    let skipped = [("p1", "defaulting"), ("p2", "pruning"), ("p3", "pruning"), ("p3", "pruning")];
    journal.events.extend(skipped.map(|(property, capability)| Event::about(property, Event::SKIPPED, capability)));
    let report = fold(&journal, "");
    let missing: Vec<_> = report
        .lacks
        .iter()
        .map(|missing| (missing.capability.as_str(), missing.properties.len(), missing.failure))
        .collect();
    assert_eq!(missing, [("pruning", 2, Some(1)), ("defaulting", 1, None)]);
    assert_eq!(report.failures[0].failure.signature.property, "capability-pruning");

    // Also if another finding is the entry.
    journal.findings[0].symptom = "unknown keys stay".to_owned();
    journal.findings[1].symptom = "unknown keys stay".to_owned();
    journal.findings[1].failure.requirements = vec!["PRUNE-003".to_owned()];
    let report = fold(&journal, "");
    assert_eq!((entries(&report), report.lacks[0].failure), (vec!["a+capability".to_owned()], Some(1)));
    // A known failure has no number.
    let report = fold(&journal, &entry("signature = \"capability-pruning:*\""));
    assert_eq!(report.lacks[0].failure, None);
}

#[test]
fn each_note_is_reported_once() {
    let mut journal = clean();
    for detail in ["it rejects Protobuf", "it lists no groups", "it rejects Protobuf"] {
        journal.events.push(Event::new(Event::NOTE, detail));
    }
    let report = fold(&journal, "");
    assert_eq!(report.notes, ["it rejects Protobuf", "it lists no groups"]);
    assert_eq!((report.verdict, report.events.len()), (Verdict::Conformant, 0));
}
