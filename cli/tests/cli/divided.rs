//! Runs in several parts: shards, what is resumed, and runs that end early or begin late.

use std::{
    collections::BTreeSet,
    fs,
    io::Write as _,
    sync::atomic::{AtomicU32, Ordering},
};

use rstest::rstest;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    process::{Folder, short_run},
    servers::{Right, adds_a_key, start},
    target_support::answer,
};

const SELECTION: &str = "--property prune-001-unknown-keys ver-004-spec-order default-001-missing-property";

/// The parts of a report that do not depend on how a run was divided.
fn judged(report: &Value) -> Value {
    const PARTS: [&str; 8] = ["id", "planned", "minimum", "cases", "passed", "failed", "errors", "discarded"];
    let properties = report["properties"].as_array().unwrap();
    let properties: Vec<_> = properties.iter().map(|property| PARTS.map(|part| &property[part])).collect();
    json!([report["verdict"], report["requirements"], properties, report["counts"]["cases"], report["complete"]])
}

#[test]
fn merged_shards_are_the_whole_run() {
    let folder = Folder::new();
    let run = format!("run {SELECTION} --cases 60 --seed 7");
    let whole = folder.crdible(&format!("{run} --output json --journal whole.ndjson")).json(0);
    for part in 1..=3 {
        folder.crdible(&format!("{run} --shard {part}/3 --journal {part}.ndjson"));
    }
    let merged = folder.crdible("report merge 2.ndjson 1.ndjson 3.ndjson --journal m.ndjson --output json").json(0);
    assert_eq!(judged(&merged), judged(&whole));
    let scenarios = |files: &[&str]| {
        let read = files.iter().flat_map(|file| folder.journal(file).cases);
        let cases: Vec<_> = read.map(|case| (case.property, case.index, case.asserted)).collect();
        let distinct: BTreeSet<_> = cases.iter().cloned().collect();
        assert_eq!(distinct.len(), cases.len(), "no scenario runs twice");
        distinct
    };
    assert_eq!(scenarios(&["1.ndjson", "2.ndjson", "3.ndjson"]), scenarios(&["whole.ndjson"]));
    assert_eq!(scenarios(&["m.ndjson"]), scenarios(&["whole.ndjson"]));
    let again = folder.crdible("report merge m.ndjson --output json").json(0);
    assert_eq!(judged(&again), judged(&whole));

    folder.crdible("report merge 1.ndjson 3.ndjson").ends(4);
    folder.crdible("report merge 1.ndjson 1.ndjson").complains(2, &["both part 1"]);
    folder.crdible("report merge 1.ndjson whole.ndjson").complains(2, &["is a whole run"]);
    folder.crdible("report merge 1.ndjson 2.ndjson 3.ndjson --journal 1.ndjson").complains(2, &["1.ndjson"]);
    folder.crdible(&format!("run {SELECTION} --cases 60 --seed 8 --shard 2/3 --journal other.ndjson"));
    folder.crdible("report merge 1.ndjson other.ndjson").complains(2, &["seed 7", "has 8"]);
    folder.crdible(&format!("run {SELECTION} --shard 1/3")).complains(2, &["--seed"]);
}

#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new();
    let selection = format!("{SELECTION} --cases 120 --seed 7");
    // Slow, so that it does not end before it is killed.
    let running = folder.start(&format!("run {selection} --qps 400 --journal j.ndjson"));
    folder.wait_for_lines("j.ndjson", 30);
    assert_eq!(running.end(Signal::KILL).code, None, "a signal ended it");
    assert!(folder.journal("j.ndjson").footer.is_none(), "it was killed in time");
    // The line that it was writing.
    let mut file = fs::OpenOptions::new().append(true).open(folder.path("j.ndjson")).unwrap();
    file.write_all(b"{\"k\":\"case\",\"prop").unwrap();

    let resumed = folder.crdible("run --resume j.ndjson --output json").json(0);
    let whole = folder.crdible(&format!("run {selection} --output json")).json(0);
    assert_eq!(judged(&resumed), judged(&whole));
    let journal = folder.journal("j.ndjson");
    let scenarios: BTreeSet<_> = journal.cases.iter().map(|case| (&case.property, case.index)).collect();
    assert_eq!(scenarios.len(), journal.cases.len(), "what was finished was not run again");
    assert_eq!(journal.footer.unwrap().cases, whole["counts"]["cases"].as_u64().unwrap());

    let again = folder.crdible("run --resume j.ndjson --output json");
    assert_eq!(judged(&again.json(0)), judged(&whole));
    again.remarks(&["has ended"]);
}

#[test]
fn failures_are_not_investigated_again() {
    let folder = Folder::new();
    let wrong = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 40 --seed 3 --journal j.ndjson --output json";
    let whole = folder.on(&wrong, run).json(1);
    // As if it had been killed before its last lines were written.
    let text = folder.read("j.ndjson");
    let lines: Vec<&str> = text.lines().collect();
    let found = lines.iter().position(|line| line.contains("\"k\":\"failure\"")).unwrap();
    fs::remove_file(folder.path("j.ndjson")).unwrap();
    folder.write("j.ndjson", &format!("{}\n", lines[..=found].join("\n")));
    folder.crdible("run --resume j.ndjson").complains(2, &["its target is", "name the same target"]);
    let resumed = folder.on(&wrong, "run --resume j.ndjson --output json").json(1);
    let signatures = |report: &Value| {
        let failures = report["failures"].as_array().unwrap().clone();
        failures.into_iter().map(|failure| failure["signature"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(signatures(&resumed), signatures(&whole));
    let journal = folder.journal("j.ndjson");
    let ids: BTreeSet<_> = journal.findings.iter().map(|finding| &finding.id).collect();
    let found: BTreeSet<_> = journal.findings.iter().map(|finding| &finding.failure.signature).collect();
    assert_eq!((ids.len(), found.len()), (journal.findings.len(), journal.findings.len()), "each is reported once");
}

#[rstest]
#[case::another_version("\"generator\":{\"digest\":\"", "\"generator\":{\"digest\":\"0", "another version of crdible")]
#[case::another_property("ver-004-spec-order", "ver-004-no-such-order", "properties that this version does not have")]
#[case::no_header("\"k\":\"header\"", "\"k\":\"plan\"", "line 1")]
#[case::a_broken_line("\"k\":\"footer\"", "\"k\":\"foo", "line")]
fn what_cannot_be_resumed(#[case] from: &str, #[case] to: &str, #[case] words: &str) {
    let folder = Folder::new();
    let text = short_run().replace("\"stop_reason\":\"finished\"", "\"stop_reason\":\"interrupted\"");
    folder.write("j.ndjson", &text.replace(from, to));
    folder.crdible("run --resume j.ndjson").complains(2, &["j.ndjson", words]);
}

#[test]
fn a_journal_without_a_plan_or_no_journal_cannot_be_resumed() {
    let folder = Folder::new();
    folder.write("header.ndjson", &format!("{}\n", short_run().lines().next().unwrap()));
    folder.crdible("run --resume header.ndjson").complains(2, &["header.ndjson", "before it was planned"]);
    folder.crdible("compare embedded embedded --property ver-004-spec-order --cases 2 --journal compared.ndjson");
    for command in ["run --resume", "report merge"] {
        folder.crdible(&format!("{command} compared.ndjson")).complains(2, &["compared.ndjson", "comparison"]);
    }
    folder.crdible("run --resume none.ndjson").complains(2, &["none.ndjson"]);
}

#[test]
fn a_run_ends_after_so_many_failures() {
    let folder = Folder::new();
    let wrong = start(adds_a_key());
    let run = "run --property prune-* default-* --cases 100000 --seed 3 --output json --max-failures 1";
    let report = folder.on(&wrong, run).json(1);
    assert_eq!(report["stop_reason"], "failure-limit");
    assert!(report["counts"]["failures"].as_u64() >= Some(1), "{}", report["counts"]);
    assert!(report["reasons"].to_string().contains("limit of failures"), "{}", report["reasons"]);
    folder.crdible("run --max-failures 0").complains(2, &["--max-failures"]);
}

#[test]
fn an_entry_that_no_longer_fails_fails_a_strict_run() {
    let folder = Folder::new();
    folder.write("known.toml", "[[known]]\nrequirement = \"VER-004\"\nreason = \"sorted by name\"\n");
    let run = "run --property ver-004-spec-order --cases 60 --seed 1 --known known.toml";
    folder.crdible(run).ends(0);
    let strict = folder.crdible(&format!("{run} --strict-known")).ends(1);
    assert!(strict.stdout.contains("known.toml") || strict.stdout.contains("VER-004"), "{strict:#?}");
    folder.crdible("run --strict-known").complains(2, &["--known"]);
}

#[test]
fn a_target_that_starts_late_is_waited_for() {
    let late = |requests: u32| {
        let seen = AtomicU32::new(0);
        let is_starting = move || seen.fetch_add(1, Ordering::Relaxed) < requests;
        let starting = || answer("404 Not Found", "text/plain", "", "starting");
        Right::new().serve_except(move |_| is_starting().then(starting))
    };
    let folder = Folder::new();
    let run = "run --property ver-004-spec-order --cases 5";
    folder.on(&late(4), run).complains(3, &["not a Kubernetes API server"]);
    folder.on(&late(4), &format!("{run} --wait 30s")).ends(0);
    folder.on(&late(u32::MAX), &format!("{run} --wait 1s")).complains(3, &["not a Kubernetes API server"]);
}

#[test]
fn accepted_failures_are_known() {
    let folder = Folder::new();
    let wrong = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 40 --seed 3 --output json";
    folder.write("report.json", &folder.on(&wrong, run).stdout);
    let accept = "report accept report.json --issue https://example.com/1 --expires 2999-12-31";
    folder.write("known.toml", &folder.crdible(accept).ends(0).stdout);
    let report = folder.on(&wrong, &format!("{run} --known known.toml")).json(0);
    assert_eq!(report["verdict"], "conformant-with-known-failures");
    assert_eq!(report["known_entries"][0]["issue"], "https://example.com/1");
    folder.write("report.json", &report.to_string());
    folder.crdible("report accept report.json").complains(0, &["no failure that is not known"]);
    folder.crdible("report accept report.json --expires soon").complains(2, &["2027-06-30"]);
    folder.crdible("report accept known.toml").complains(2, &["known.toml"]);
}
