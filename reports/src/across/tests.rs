#![allow(clippy::unwrap_used)]

use rstest::rstest;

use super::{Change, Changes, Matrix, SavedError, read};
use crate::journal::Journal;
use crate::model::{Report, Status};
use crate::render::{self, Form, Style};
use crate::sample::{KNOWN, catalogue, clean, eventful, fold, known, second_target, today, written};

/// A clean run of a later release, which no longer has PRUNE-002.
fn later() -> Journal {
    let mut journal = clean();
    journal.header.target.release = "1.99".to_owned();
    journal.header.target.version.as_mut().unwrap().git_version = "v1.99.0".to_owned();
    journal.plan.properties[0].requirements[3] = "PRUNE-004".to_owned();
    journal
}

fn changes(before: &Report, after: &Report) -> Vec<(String, Change)> {
    let changes = Changes::between(before, after);
    changes.changed.into_iter().map(|changed| (changed.reference, changed.change)).collect()
}

#[rstest]
#[case::fails(Some(Status::Pass), Some(Status::Fail), Change::Fails)]
#[case::a_known_failure_is_one(Some(Status::Pass), Some(Status::Known), Change::Fails)]
#[case::fails_at_once(None, Some(Status::Fail), Change::Fails)]
#[case::failed_already(Some(Status::Known), Some(Status::Fail), Change::Unclear)]
#[case::fixed(Some(Status::Known), Some(Status::UnexpectedPass), Change::Fixed)]
#[case::begins(Some(Status::Unsupported), Some(Status::Pass), Change::Begins)]
#[case::ends(Some(Status::Pass), None, Change::Ends)]
#[case::unclear(Some(Status::Pass), Some(Status::Inconclusive), Change::Unclear)]
fn kinds_of_changes(#[case] before: Option<Status>, #[case] after: Option<Status>, #[case] expected: Change) {
    assert_eq!(Change::of(before, after), expected);
}

#[test]
fn what_fails_comes_first_and_back_it_is_fixed() {
    let (before, after) = (fold(&clean(), ""), fold(&eventful(), ""));
    let expected = |change| ["PRUNE-001", "PRUNE-001/e1", "DEFAULT-001"].map(|of| (of.to_owned(), change)).to_vec();
    assert_eq!(changes(&before, &after), expected(Change::Fails));
    assert_eq!(changes(&after, &before), expected(Change::Fixed));
    assert_eq!(changes(&after, &after), []);
}

#[test]
fn promises_begin_and_end_with_a_release() {
    let found = changes(&fold(&clean(), ""), &fold(&later(), ""));
    assert_eq!(found, [("PRUNE-004".to_owned(), Change::Begins), ("PRUNE-002".to_owned(), Change::Ends)]);
}

#[test]
fn runs_that_cannot_be_compared_say_so() {
    let mut other = eventful();
    other.header.catalogue.digest = "another".to_owned();
    other.header.run.seed = 7;
    other.plan.profile_complete = false;
    other.footer = None;
    let caveats = Changes::between(&fold(&clean(), ""), &fold(&other, "")).caveats;
    for words in ["different specifications", "different cases", "different properties", "second run is incomplete"] {
        assert!(caveats.iter().any(|caveat| caveat.contains(words)), "{words}: {caveats:?}");
    }
    assert_eq!(Changes::between(&fold(&clean(), ""), &fold(&later(), "")).caveats, Vec::<String>::new());
}

#[test]
fn a_matrix_shows_where_runs_differ() {
    let reports = [fold(&clean(), ""), fold(&eventful(), KNOWN), fold(&later(), "")];
    let matrix = Matrix::of(&reports);
    let shown: Vec<&str> = matrix.requirements.iter().map(|row| row.reference.as_str()).collect();
    // PRUNE-001/e2 and DEFAULT-002 have the same result everywhere.
    assert_eq!(shown, ["PRUNE-001", "PRUNE-001/e1", "PRUNE-002", "PRUNE-004", "DEFAULT-001"]);
    let text = |form| render::matrix(&matrix, &catalogue(), form);
    insta::assert_snapshot!("matrix-text", text(Form::Text(Style::default())));
    insta::assert_snapshot!("matrix-markdown", text(Form::Markdown));
}

#[test]
fn changes_as_text_and_as_markdown() {
    let changes = Changes::between(&fold(&later(), ""), &fold(&eventful(), KNOWN));
    let text = |form| render::changes(&changes, &catalogue(), form);
    insta::assert_snapshot!("changes-text", text(Form::Text(Style::default())));
    insta::assert_snapshot!("changes-markdown", text(Form::Markdown));
    let same = Changes::between(&fold(&clean(), ""), &fold(&clean(), ""));
    assert!(
        render::changes(&same, &catalogue(), Form::Markdown)
            .ends_with("\nnothing changed in 6 requirements and edges\n")
    );
}

#[test]
fn what_one_run_could_not_decide_is_one_line() {
    let (before, mut after) = (fold(&clean(), ""), fold(&clean(), ""));
    after.requirements.iter_mut().take(2).for_each(|requirement| requirement.status = Status::Inconclusive);
    let text = |before: &Report, after: &Report| {
        render::changes(&Changes::between(before, after), &catalogue(), Form::Markdown)
    };
    let undecided = text(&before, &after);
    assert!(undecided.contains("- pass → inconclusive: PRUNE-001, PRUNE-002\n"), "{undecided}");
    // A failure that was not reproduced or not confirmed.
    after.requirements[0].failures = 1;
    let failed = text(&before, &after);
    let own = "- PRUNE-001 (pass → inconclusive): undeclared fields\n";
    assert!(failed.contains("- pass → inconclusive: PRUNE-002\n") && failed.contains(own), "{failed}");
    let back = text(&after, &before);
    assert!(back.contains("- PRUNE-001 (inconclusive → pass): undeclared fields\n"), "{back}");
}

fn saved(text: &[u8]) -> Result<Report, SavedError> {
    read(text, &known(KNOWN), &catalogue(), today())
}

#[test]
fn a_report_is_read_from_itself_and_from_its_journal() {
    let report = fold(&eventful(), KNOWN);
    assert_eq!(saved(render::json(&report).as_bytes()).unwrap(), report);
    assert_eq!(saved(&written(eventful())).unwrap(), report);
    let killed = Journal { footer: None, ..eventful() };
    assert_eq!(saved(&written(killed.clone())).unwrap(), fold(&killed, KNOWN));
}

#[rstest]
#[case::empty("", "it is empty")]
#[case::other_json("{\"format\": \"crdible-replay/2\"}", "neither a report")]
#[case::list("[]", "neither a report")]
#[case::newer("{\"format\": \"crdible-report/9\"}", "`crdible-report/9`")]
#[case::newer_journal("{\"k\": \"header\", \"format\": \"crdible-journal/9\"}", "crdible-journal/9")]
#[case::half_a_report("{\"format\": \"crdible-report/1\"}", "neither a report")]
fn what_is_no_report(#[case] text: &str, #[case] words: &str) {
    let error = saved(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn the_journal_of_a_comparison_has_no_report() {
    let mut journal = clean();
    journal.header.second_target = Some(second_target());
    assert!(matches!(saved(&written(journal)), Err(SavedError::Comparison)));
}
