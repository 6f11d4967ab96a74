#![allow(clippy::unwrap_used)]

use rstest::rstest;
use serde_json::{Value, json};

use super::{Checked, Problem, check};
use crate::journal::{Case, Event, Journal, Outcome, Shard, StopReason};
use crate::redact::Redactor;
use crate::render;
use crate::sample::{self, KNOWN, case, catalogue, clean, eventful, second_target, written};
use crate::soak::Asked;

fn checked(bytes: &[u8]) -> Checked {
    check(bytes, &catalogue()).unwrap().unwrap()
}

/// The catalogue's own digest, and sums that fit.
fn sound(journal: Journal) -> Journal {
    let mut journal = journal;
    journal.header.catalogue.digest = catalogue().digest();
    journal.header.catalogue.requirements = catalogue().iter().count();
    for (finding, number) in journal.findings.iter_mut().zip(1..) {
        finding.id = format!("f{number}");
    }
    if let Some(footer) = &mut journal.footer {
        let with = |outcome| journal.cases.iter().filter(|case| case.outcome == outcome).count() as u64;
        footer.cases = journal.cases.iter().map(|case| case.cases).sum();
        footer.failures = with(Outcome::Fail);
        footer.errors = with(Outcome::Error);
    }
    journal
}

fn text(journal: Journal) -> String {
    String::from_utf8(written(sound(journal))).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    checked(text.as_bytes()).problems.iter().map(Problem::to_string).collect()
}

fn comparison() -> Journal {
    let mut journal = eventful();
    journal.header.second_target = Some(second_target());
    journal.findings[0].second_requests = journal.findings[0].minimal.requests.clone();
    journal
}

fn shard() -> Journal {
    let mut journal = clean();
    journal.header.run.shard = Some(Shard { index: 2, count: 16 });
    journal
}

#[rstest]
#[case::clean(clean(), "the journal of a run on https://127.0.0.1:6443 (v1.36.3): 6 scenarios, 0 failures")]
#[case::eventful(eventful(), "the journal of a run on https://127.0.0.1:6443 (v1.36.3): 11 scenarios, 2 failures")]
#[case::comparison(
    comparison(),
    "the journal of a comparison on https://127.0.0.1:6443 (v1.36.3) and embedded: 11 scenarios, 2 failures"
)]
#[case::shard(
    shard(),
    "the journal of a run, part 3 of 16 on https://127.0.0.1:6443 (v1.36.3): 6 scenarios, 0 failures"
)]
fn a_sound_journal(#[case] journal: Journal, #[case] what: &str) {
    let checked = checked(text(journal).as_bytes());
    assert_eq!((checked.what.as_str(), &checked.problems, &checked.incomplete), (what, &Vec::new(), &None));
    assert!(checked.is_sealed && checked.is_of_this_catalogue);
}

#[test]
fn the_journal_of_a_killed_run_is_valid_and_incomplete() {
    let text = text(Journal { footer: None, ..eventful() });
    let whole = checked(text.as_bytes());
    assert!(whole.is_valid() && whole.incomplete.unwrap().contains("no footer"));
    let cut = checked(&text.as_bytes()[..text.len() - 9]);
    assert!(cut.is_valid(), "{cut:?}");
    assert!(cut.incomplete.unwrap().contains("was cut off"));
    let only_header = checked(format!("{}\n", text.lines().next().unwrap()).as_bytes());
    assert!(only_header.is_valid() && only_header.incomplete.is_some());
}

/// The lines of an eventful journal: header, plan, 11 scenarios, 2 failures, 2 events, what was sent, footer.
fn lines() -> Vec<String> {
    text(eventful()).lines().map(str::to_owned).collect()
}

const HEADER: usize = 0;
const PLAN: usize = 1;
const CASE: usize = 2;
const FAILURE: usize = 13;
const FOOTER: usize = 18;

#[rstest]
#[case::no_header(|lines: &mut Vec<String>| drop(lines.remove(HEADER)), "line 1: a journal begins with a header")]
#[case::no_plan(
    |lines: &mut Vec<String>| drop(lines.remove(PLAN)),
    "line 2: scenario 0 of prune-undeclared: no plan comes before it"
)]
#[case::plan_later(|lines: &mut Vec<String>| lines.swap(PLAN, CASE), "line 3: the plan is not the second line")]
#[case::header_later(|lines: &mut Vec<String>| lines.swap(HEADER, PLAN), "line 1: a journal begins with a header")]
#[case::footer_earlier(|lines: &mut Vec<String>| lines.swap(FOOTER, CASE), "line 4: nothing may follow the footer")]
#[case::two_headers(
    |lines: &mut Vec<String>| lines.insert(PLAN, lines[HEADER].clone()), "line 2: this is a second header"
)]
#[case::two_plans(|lines: &mut Vec<String>| lines.insert(PLAN, lines[PLAN].clone()), "line 3: this is a second plan")]
#[case::a_case_twice(
    |lines: &mut Vec<String>| lines.insert(CASE, lines[CASE].clone()),
    "line 4: scenario 0 of prune-undeclared is there twice"
)]
#[case::a_failing_case_twice(
    |lines: &mut Vec<String>| lines.insert(9, lines[9].clone()),
    "line 11: scenario 4 of prune-undeclared is there twice, but the run was not resumed"
)]
#[case::a_failure_twice(
    |lines: &mut Vec<String>| lines.insert(FAILURE, lines[FAILURE].clone()), "line 15: the failure f1 is there twice"
)]
#[case::a_case_is_missing(
    |lines: &mut Vec<String>| drop(lines.remove(CASE)),
    "line 18: the footer states 90 cases, but the lines before it have 80"
)]
#[case::a_footer_twice(
    |lines: &mut Vec<String>| lines.push(lines[FOOTER].clone()), "line 20: nothing may follow the footer"
)]
#[case::text(|lines: &mut Vec<String>| lines.insert(CASE, "hello".to_owned()), "line 3: this is no JSON (column 1)")]
#[case::half_a_line(|lines: &mut Vec<String>| lines[CASE].truncate(20), "line 3: this is no JSON")]
#[case::another_kind(
    |lines: &mut Vec<String>| lines.insert(CASE, "{\"k\":\"metric\"}".to_owned()),
    "line 3: journals of this version have no lines of the kind \"metric\""
)]
#[case::no_kind(|lines: &mut Vec<String>| lines.insert(CASE, "{}".to_owned()), "line 3: \"k\" is a required property")]
fn what_is_wrong_is_reported_with_its_line(#[case] change: fn(&mut Vec<String>), #[case] expected: &str) {
    let mut lines = lines();
    change(&mut lines);
    assert_reported(&lines, expected);
}

#[rstest]
#[case::another_run(
    CASE,
    "prune-undeclared",
    "other",
    "line 3: scenario 0 of other: the plan does not have its property"
)]
#[case::too_much_asserted(
    CASE,
    "[0,1,2,3]",
    "[0,1,2,9]",
    "line 3: scenario 0 of prune-undeclared asserts requirement 9, but the plan lists 4"
)]
#[case::a_negative_number(CASE, "\"cases\":10", "\"cases\":-1", "line 3, /cases: -1 is less than the minimum of 0")]
#[case::an_unknown_outcome(CASE, "\"pass\"", "\"fine\"", "line 3, /outcome: \"fine\" is not one of")]
#[case::unknown_requirement(
    PLAN,
    "\"PRUNE-002\"",
    "\"PRUNE-999\"",
    "line 2: the catalogue has no requirement PRUNE-999"
)]
#[case::changed(CASE, "\"ms\":30", "\"ms\":31", "line 19: the digest does not fit")]
#[case::before_it_began(FOOTER, "2026-11-21T12", "2026-11-20T12", "line 19: the run ended before it began")]
#[case::another_major(
    HEADER,
    "journal/2",
    "journal/3",
    "its format is \"crdible-journal/3\", but this version reads crdible-journal/2"
)]
#[case::a_longer_number(HEADER, "journal/2", "journal/20", "its format is \"crdible-journal/20\"")]
fn what_was_changed_is_reported_with_its_line(
    #[case] line: usize,
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    let mut lines = lines();
    lines[line] = lines[line].replace(from, to);
    assert_reported(&lines, expected);
}

fn assert_reported(lines: &[String], expected: &str) {
    let problems = problems(&format!("{}\n", lines.join("\n")));
    assert!(problems.iter().any(|problem| problem.starts_with(expected)), "no {expected:?} in {problems:#?}");
}

#[test]
fn a_resumed_run_tries_again_what_had_no_verdict() {
    let mut journal = eventful();
    journal.events.push(Event::new("resumed", "as run r2"));
    journal.cases.push(case("default-missing", 4, Outcome::Pass, &[0]));
    assert_eq!(problems(&text(journal.clone())), Vec::<String>::new());
    journal.cases.push(Case { outcome: Outcome::Error, ..case("default-missing", 4, Outcome::Pass, &[0]) });
    assert_eq!(problems(&text(journal)).len(), 1, "it had a verdict");
}

#[test]
fn a_run_that_goes_on_after_its_footer() {
    let interrupted = text(eventful());
    let resumed = "{\"k\":\"event\",\"kind\":\"resumed\",\"detail\":\"as run r2\"}";
    let killed = checked(format!("{interrupted}{resumed}\n").as_bytes());
    assert!(killed.is_valid() && killed.incomplete.unwrap().contains("resumed, and killed"), "{:?}", killed.problems);
    let footer = interrupted.lines().last().unwrap();
    let (start, _) = footer.split_once(",\"digest\"").unwrap();
    assert_eq!(problems(&format!("{interrupted}{resumed}\n{start}}}\n")), Vec::<String>::new());
}

#[test]
fn the_digest_goes_on_with_a_resumed_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.ndjson");
    let begun = text(Journal { footer: None, ..eventful() });
    std::fs::write(&path, format!("{begun}{{\"k\":\"case\",\"prop")).unwrap();
    let (journal, writer) = crate::journal::JournalWriter::resume(&path, Redactor::default()).unwrap();
    let mut writer = writer.through(std::io::BufWriter::new);
    let footer = sound(Journal { footer: eventful().footer, ..journal }).footer.unwrap();
    writer.write(crate::journal::Line::Footer(footer)).unwrap();
    let checked = checked(&std::fs::read(&path).unwrap());
    assert!(checked.is_valid() && checked.is_sealed, "{checked:?}");
}

#[test]
fn minor_versions_add_fields_and_lines() {
    let mut lines = lines();
    lines[HEADER] = lines[HEADER].replace("journal/2", "journal/2.7");
    lines[CASE] = lines[CASE].replace("\"index\"", "\"new\":1,\"index\"");
    lines.insert(CASE, "{\"k\":\"metric\"}".to_owned());
    let (footer, _) =
        lines.pop().unwrap().split_once(",\"digest\"").map(|(start, end)| (start.to_owned(), end.len())).unwrap();
    let checked = checked(format!("{}\n{footer}}}\n", lines.join("\n")).as_bytes());
    assert_eq!(checked.problems, []);
    assert!(checked.notes[0].contains("lines of the kind \"metric\""), "{:?}", checked.notes);
    assert!(!checked.is_sealed);
}

#[test]
fn many_problems_are_counted() {
    let text = format!("{}\n{}", lines()[HEADER], "x\n".repeat(50));
    let checked = checked(text.as_bytes());
    assert_eq!((checked.problems.len(), checked.more), (super::MOST_PROBLEMS, 30));
}

fn report() -> Value {
    serde_json::from_str(&render::json(&sample::fold(&sound(eventful()), KNOWN))).unwrap()
}

fn sealed(document: &Value) -> String {
    let mut document = document.clone();
    document["digest"] = crate::journal::digest::of_document(&document).into();
    document.to_string()
}

#[test]
fn a_sound_report() {
    for text in [report().to_string(), serde_json::to_string_pretty(&report()).unwrap()] {
        let checked = checked(text.as_bytes());
        assert_eq!(checked.problems, []);
        assert_eq!(checked.what, "the report of a run on https://127.0.0.1:6443 (v1.36.3): nonconformant, 90 cases");
        assert!(checked.is_sealed && checked.is_of_this_catalogue && checked.incomplete.is_none());
    }
    let killed = sample::fold(&sound(Journal { footer: None, ..clean() }), "");
    let killed = checked(render::json(&killed).as_bytes());
    assert!(killed.is_valid() && killed.incomplete.is_some(), "{killed:?}");
}

#[rstest]
#[case::seed("/seed", json!(43), "/seed: it is 43, but from the rest of the document follows 42")]
#[case::cases("/counts/cases", json!(1000), "/counts/cases: it is 1000, but")]
#[case::status("/requirements/0/status", json!("pass"), "/counts/requirements: it is")]
#[case::verdict(
    "/verdict",
    json!("conformant"),
    "/verdict: it is conformant, but from the rest of the document follows nonconformant"
)]
#[case::complete("/complete", json!(true), "`complete` contradicts `reasons`")]
#[case::level(
    "/requirements/0/level", json!("MAY"), "the requirement PRUNE-001 has the level MAY here, and MUST in the catalogue"
)]
#[case::twice("/requirements/1/id", json!("DEFAULT-001"), "the requirement DEFAULT-001 is there twice")]
#[case::unknown("/requirements/1/id", json!("PRUNE-999"), "the catalogue has no requirement PRUNE-999")]
#[case::schema("/target/kind", json!(1), "/target/kind: 1 is not of type \"string\"")]
#[case::version("/format", json!("crdible-report/2"), "its format is \"crdible-report/2\"")]
fn what_is_wrong_with_a_report(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
    let mut report = report();
    *report.pointer_mut(pointer).unwrap() = value;
    let found = problems(&sealed(&report));
    assert!(found.iter().any(|problem| problem.starts_with(expected)), "no {expected:?} in {found:#?}");
    // A forgotten digest is a problem, too.
    if !["/format", "/target/kind"].contains(&pointer) {
        assert!(problems(&report.to_string()).iter().any(|problem| problem.starts_with("/digest")), "{pointer}");
    }
}

#[test]
fn comparisons() {
    let compared = crate::compare(&sound(comparison()), &sample::known(""), sample::today());
    let text = render::comparison_json(&compared);
    let sound = checked(text.as_bytes());
    assert_eq!(sound.problems, []);
    assert!(
        sound.is_sealed
            && sound.what.starts_with("the comparison of https://127.0.0.1:6443 (v1.36.3) and embedded: different")
    );
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["verdict"] = json!("no-differences");
    assert_eq!(
        problems(&sealed(&document)),
        ["/verdict: the verdict no-differences contradicts the rest of the document"]
    );
}

/// The sum of a soak of two rounds, the second of which found something.
fn soak() -> Value {
    let mut tally = crate::SoakTally::new(sound(clean()).header, Asked { cases: Some(100), seconds: None });
    for journal in [clean(), eventful()] {
        tally.add(&sample::fold(&journal, KNOWN), &catalogue());
    }
    let soak = tally.conclude(Some(StopReason::Finished), None, "2026-11-21T13:00:00Z".to_owned(), 60.0);
    serde_json::from_str(&render::soak_json(&soak)).unwrap()
}

#[test]
fn a_sound_sum_of_a_soak() {
    let checked = checked(soak().to_string().as_bytes());
    assert_eq!(checked.problems, []);
    let what = "the sum of a soak on https://127.0.0.1:6443 (v1.36.3): nonconformant, ";
    assert!(checked.what.starts_with(what) && checked.what.ends_with(" cases in 2 rounds"), "{}", checked.what);
    assert!(checked.is_sealed && checked.is_of_this_catalogue && checked.incomplete.is_none());
}

#[rstest]
#[case::rounds("/counts/rounds", json!(9), "/counts/rounds: it is 9, but from the rest of the document follows 2")]
#[case::cases("/counts/cases", json!(1000), "/counts/cases: it is 1000, but")]
#[case::failures("/counts/failures", json!(0), "/counts/failures: it is 0, but")]
#[case::verdict(
    "/verdict",
    json!("conformant"),
    "/verdict: it is conformant, but from the rest of the document follows nonconformant"
)]
#[case::nothing_asked("/asked", json!({}), "/asked: it must name either cases or seconds")]
#[case::seed("/seeds/0", json!(1), "/seeds/0: it is 1, but from the rest of the document follows 42")]
#[case::evidence("/failures/0/evidence", json!("flaky"), "/failures/0/evidence: it contradicts the list")]
#[case::schema("/seeds", json!("42"), "/seeds: \"42\" is not of type \"array\"")]
#[case::version("/format", json!("crdible-soak/2"), "its format is \"crdible-soak/2\"")]
fn what_is_wrong_with_the_sum_of_a_soak(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
    let mut soak = soak();
    *soak.pointer_mut(pointer).unwrap() = value;
    let found = problems(&sealed(&soak));
    assert!(found.iter().any(|problem| problem.starts_with(expected)), "no {expected:?} in {found:#?}");
}

#[test]
fn other_files_are_none_of_ours() {
    for other in ["", "{}", "[]", "text", "{\"format\":\"other/1\"}", "\u{0}"] {
        assert_eq!(check(other.as_bytes(), &catalogue()).unwrap(), None, "{other}");
    }
    let report = render::json(&sample::fold(&eventful(), KNOWN));
    let cut = checked(&report.as_bytes()[..report.len() / 2]);
    assert!(cut.problems[0].to_string().contains("this is no JSON: EOF"), "{cut:?}");
}
