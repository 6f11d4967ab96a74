#![allow(clippy::unwrap_used)]

use std::io::{self, Write};

use rstest::rstest;

use super::{ENDED, Journal, JournalError, JournalWriter, Line, Outcome, Sent, StopReason, Truncation};
use crate::redact::Redactor;
use crate::sample;

fn text(journal: Journal) -> String {
    String::from_utf8(sample::written(journal)).unwrap()
}

#[test]
fn what_is_written_is_read_back() {
    let journal = sample::eventful();
    let mut read = Journal::read(sample::written(journal.clone()).as_slice()).unwrap();
    assert!(read.valid_bytes > 0 && !read.ends_without_newline);
    read.valid_bytes = 0;
    assert_eq!(read, journal);
}

#[test]
fn what_is_told_of_a_finding_is_written_only_if_there_is_something() {
    let mut journal = sample::eventful();
    assert!(!["symptom", "between"].iter().any(|key| text(journal.clone()).contains(&format!("\"{key}\":"))));
    let finding = &mut journal.findings[0];
    finding.symptom = "unknown keys stay".to_owned();
    finding.lacks = Some("pruning".to_owned());
    finding.failure.between = Some(Box::new(["one answer", "another"].map(str::to_owned)));
    let read = Journal::read(sample::written(journal.clone()).as_slice()).unwrap();
    assert_eq!(read.findings, journal.findings);
}

#[test]
fn every_kind_of_line_has_its_word() {
    let words: std::collections::BTreeSet<String> = sample::lines()
        .iter()
        .map(|line| serde_json::to_value(line).unwrap()["k"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(words.into_iter().collect::<Vec<_>>(), ["case", "event", "failure", "footer", "header", "plan", "sent"]);
}

#[test]
fn each_line_is_flushed_in_one_piece() {
    #[derive(Default)]
    struct Recorder {
        writes: Vec<Vec<u8>>,
        flushed: usize,
    }
    impl Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes.push(bytes.to_vec());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            self.flushed = self.writes.len();
            Ok(())
        }
    }
    let mut writer = JournalWriter::new(Recorder::default(), Redactor::default());
    let lines = sample::lines();
    let count = lines.len();
    for line in lines {
        writer.write(line).unwrap();
    }
    let recorder = writer.into_inner();
    assert_eq!((recorder.writes.len(), recorder.flushed), (count, count));
    assert!(recorder.writes.iter().all(|line| line.iter().position(|&byte| byte == b'\n') == Some(line.len() - 1)));
}

#[test]
fn a_cut_off_last_line_is_ignored_and_reported_wherever_it_was_cut() {
    let mut journal = sample::eventful();
    journal.footer = None;
    journal.sent = Sent::default();
    let whole = text(journal);
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    let lines = whole.lines().count();
    for cut in last + 1..whole.len() - 1 {
        let read = Journal::read(&whole.as_bytes()[..cut]).unwrap();
        assert_eq!(read.truncated, Some(Truncation { line: lines, bytes: cut - last }));
        assert_eq!(read.events.len(), 1);
        assert_eq!(read.valid_bytes, last as u64);
    }
    // Only the newline is lost.
    let read = Journal::read(&whole.as_bytes()[..whole.len() - 1]).unwrap();
    assert_eq!((read.truncated, read.events.len(), read.ends_without_newline), (None, 2, true));
}

#[test]
fn newer_minor_versions_add_fields_kinds_and_words() {
    let text = text(sample::clean())
        .replace("crdible-journal/2", "crdible-journal/2.7")
        .replace("\"k\":\"case\"", "\"k\":\"case\",\"mood\":{\"x\":[1]}")
        .replace("\"kind\":\"server\"", "\"kind\":\"satellite\"")
        .replace("\"stop_reason\":\"finished\"", "\"stop_reason\":\"bored\"")
        + "{\"k\":\"horoscope\",\"sign\":\"leo\"}\n\n";
    let read = Journal::read(text.as_bytes()).unwrap();
    assert_eq!(read.cases, sample::clean().cases);
    assert_eq!(serde_json::to_string(&read.header.target.kind).unwrap(), "\"unknown\"");
    assert_eq!(read.footer.unwrap().stop_reason, StopReason::Unknown);
}

#[rstest]
#[case::empty("", "line 1 is not a header")]
#[case::something_else("{\"k\":\"case\"}\n", "line 1 is not a header")]
#[case::no_json("hello\n", "line 1 is not a header")]
#[case::other_major("{\"k\":\"header\",\"format\":\"crdible-journal/3\"}\n", "crdible-journal/3")]
#[case::no_minor("{\"k\":\"header\",\"format\":\"crdible-journal/23\"}\n", "crdible-journal/23")]
#[case::header_lacks_fields("{\"k\":\"header\",\"format\":\"crdible-journal/2\"}\n", "line 1, column")]
fn a_file_that_is_not_a_journal_is_rejected(#[case] text: &str, #[case] message: &str) {
    let error = Journal::read(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn a_broken_line_before_the_last_is_an_error_with_its_number() {
    let text = text(sample::clean()).replacen("\"k\":\"case\"", "\"k\":case", 1);
    let error = Journal::read(text.as_bytes()).unwrap_err();
    assert!(matches!(error, JournalError::Broken { line: 3, .. }), "{error}");
    // Also the last one, if it ends with a newline.
    let error = Journal::read((self::text(sample::clean()) + "{]\n").as_bytes()).unwrap_err();
    assert!(matches!(error, JournalError::Broken { line: 10, .. }), "{error}");
}

#[rstest]
#[case::header(0, "second header")]
#[case::plan(1, "second plan")]
fn two_journals_in_one_file_are_rejected(#[case] line: usize, #[case] message: &str) {
    let text = text(sample::clean());
    let doubled = format!("{text}{}\n", text.lines().nth(line).unwrap());
    let error = Journal::read(doubled.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(message) && error.starts_with("line 10 "), "{error}");
}

#[rstest]
#[case::property("\"property\":\"default-missing\"", "\"property\":\"other\"")]
#[case::assertion("\"asserted\":[0]", "\"asserted\":[1]")]
fn a_case_outside_the_plan_is_rejected(#[case] from: &str, #[case] to: &str) {
    let text = text(sample::clean()).replacen(from, to, 1);
    let error = Journal::read(text.as_bytes()).unwrap_err();
    assert!(matches!(error, JournalError::NotPlanned { index: 0, .. }), "{error}");
}

#[test]
fn a_resumed_run_repeats_errors_and_unconfirmed_failures() {
    let mut journal = sample::eventful();
    journal.cases.push(sample::failing(
        "default-missing",
        7,
        &[0],
        &sample::signature("default-missing", "new", "", "x"),
    ));
    journal.cases.push(sample::case("default-missing", 8, Outcome::Fail, &[0]));
    let finished = journal.finished();
    let indices =
        |property| finished.iter().filter(|(of, _)| *of == property).map(|(_, index)| *index).collect::<Vec<u64>>();
    assert_eq!(indices("prune-undeclared"), [0, 1, 2, 3, 4]);
    assert_eq!(indices("default-missing"), [0, 1, 2, 3, 5], "4 is an error, 7 and 8 are not confirmed");
}

#[test]
fn a_resumed_run_shrinks_what_was_confirmed_only() {
    let mut journal = sample::eventful();
    let before: Vec<(String, u64)> = finished(&journal);
    let found = journal.findings.iter_mut().find(|finding| finding.shrink.is_some()).expect("a shrunk finding");
    found.shrink.as_mut().unwrap().stopped_by = ENDED.to_owned();
    let signature = found.failure.signature.clone();
    assert!(journal.investigated().all(|investigated| *investigated != signature));
    let again: Vec<u64> =
        before.iter().filter(|case| !finished(&journal).contains(case)).map(|(_, index)| *index).collect();
    let failing = journal.cases.iter().filter(|case| case.failures.contains(&signature)).map(|case| case.index);
    assert_eq!(again, failing.collect::<Vec<u64>>());
    assert!(!again.is_empty());
}

fn finished(journal: &Journal) -> Vec<(String, u64)> {
    journal.finished().into_iter().map(|(property, index)| (property.to_owned(), index)).collect()
}

#[rstest]
#[case::whole("")]
#[case::cut_off("{\"k\":\"ca")]
#[case::without_line_end("{\"k\":\"event\",\"kind\":\"x\",\"detail\":\"y\"}")]
fn resuming_appends_after_the_last_complete_line(#[case] rest: &str) {
    let mut journal = sample::clean();
    journal.footer = None;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.ndjson");
    std::fs::write(&path, text(journal.clone()) + rest).unwrap();

    let (before, mut writer) = JournalWriter::resume(&path, Redactor::default()).unwrap();
    assert_eq!(before.cases, journal.cases);
    writer.write(Line::Footer(sample::footer())).unwrap();
    let after = Journal::read(std::fs::read(&path).unwrap().as_slice()).unwrap();
    assert_eq!((after.cases, after.footer, after.truncated), (journal.cases, Some(sample::footer()), None));
    assert_eq!(after.events.len(), usize::from(rest.ends_with('}')));
}

#[test]
fn an_error_of_resuming_names_the_file() {
    let error = JournalWriter::resume(std::path::Path::new("/nowhere/run.ndjson"), Redactor::default()).unwrap_err();
    assert!(error.to_string().contains("/nowhere/run.ndjson"), "{error}");
}
