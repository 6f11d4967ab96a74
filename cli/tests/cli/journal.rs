//! The journal file of a complete run, and of one that was killed.

use crdible_reports::{
    ExitCode, KnownFailures, fold,
    journal::{Journal, StopReason},
};
use crdible_spec::Catalogue;
use rustix::process::Signal;
use serde_json::Value;

use crate::process::{Folder, wait_until};

#[test]
fn from_header_to_footer() {
    let folder = Folder::new();
    let ended = folder.crdible("run --property ver-004-spec-order --cases 20 --seed 5 --journal j.ndjson");
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let text = folder.read("j.ndjson");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["k"].as_str().unwrap()).collect();
    let (first, last) = (&kinds[..2], &kinds[kinds.len() - 2..]);
    assert_eq!((first, last), (&["header", "plan"][..], &["sent", "footer"][..]));
    assert!(kinds[2..kinds.len() - 2].iter().all(|kind| *kind == "case"), "{kinds:?}");

    let journal = Journal::read(text.as_bytes()).unwrap();
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
    wait_until("cases are in the journal", || {
        std::fs::read_to_string(folder.path("j.ndjson")).is_ok_and(|text| text.lines().count() > 20)
    });
    running.signal(Signal::KILL);
    assert_eq!(running.wait().code, None, "a signal ended it");
    let journal = Journal::read(std::fs::read(folder.path("j.ndjson")).unwrap().as_slice()).unwrap();
    assert!(journal.cases.len() > 10 && journal.footer.is_none());
    let report = fold(&journal, &KnownFailures::default(), Catalogue::embedded(), "2026-11-21".parse().unwrap());
    assert_eq!(report.exit_code(), ExitCode::INCOMPLETE);
}
