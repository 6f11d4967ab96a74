//! The journal file of a complete run, and of one that was killed.

use crdible_reports::{ExitCode, KnownFailures, fold, journal::StopReason};
use crdible_spec::Catalogue;
use rustix::process::Signal;
use serde_json::Value;

use crate::process::Folder;

#[test]
fn from_header_to_footer() {
    let folder = Folder::new();
    folder.crdible("run --property ver-004-spec-order --cases 20 --seed 5 --journal j.ndjson").ends(0);
    let text = folder.read("j.ndjson");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["k"].as_str().unwrap()).collect();
    let (first, last) = (&kinds[..2], &kinds[kinds.len() - 2..]);
    assert_eq!((first, last), (&["header", "plan"][..], &["sent", "footer"][..]));
    assert!(kinds[2..kinds.len() - 2].iter().all(|kind| *kind == "case"), "{kinds:?}");

    let journal = folder.journal("j.ndjson");
    assert_eq!(journal.header.run.seed, 5);
    assert_eq!(journal.plan.properties[0].id, "ver-004-spec-order");
    let footer = journal.footer.unwrap();
    assert_eq!((footer.stop_reason, footer.verdict.as_str()), (StopReason::Finished, "conformant"));
    assert_eq!(footer.cases, journal.cases.iter().map(|case| case.cases).sum::<u64>());
    let answers = journal.sent.requests.values();
    assert!(
        answers.clone().count() > 0 && answers.clone().all(|latency| latency.count() > 0 && latency.within(100) > 0)
    );
    assert!(journal.sent.schemas["ver-004-spec-order"] > 0, "{:?}", journal.sent.schemas);
}

#[test]
fn of_a_killed_run() {
    let folder = Folder::new();
    let running = folder.start("run --property ver-004-spec-order --time 5m --journal j.ndjson");
    folder.wait_for_lines("j.ndjson", 20);
    assert_eq!(running.end(Signal::KILL).code, None, "a signal ended it");
    let journal = folder.journal("j.ndjson");
    assert!(journal.cases.len() > 10 && journal.footer.is_none());
    let report = fold(&journal, &KnownFailures::default(), Catalogue::embedded(), "2026-11-21".parse().unwrap());
    assert_eq!(report.exit_code(), ExitCode::INCOMPLETE);
}
