//! `crdible fuzz`: runs on correct and incorrect servers, their corpus, and invalid corpora.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use rstest::rstest;
use rustix::process::Signal;
use serde_json::json;

use crate::{
    process::{Ended, Folder, wait_until},
    servers::{Right, adds_a_key, start},
};

/// A fuzz run that ends when a test has seen enough of it.
const FUZZ: &str = "fuzz --property value-011-length --time 5m --seed 1";

/// The entries of the corpus in a folder.
fn entries(folder: &Folder, corpus: &str) -> BTreeSet<PathBuf> {
    // A hidden file is not complete yet.
    let is_hidden = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    let is_entry = |path: &PathBuf| {
        path.starts_with(folder.path(corpus)) && path.parent() != Some(&folder.path(corpus)) && !is_hidden(path)
    };
    folder.files().into_iter().filter(is_entry).collect()
}

/// Starts a fuzz run and interrupts it once it has done what a test needs.
fn fuzz(folder: &Folder, arguments: &str, is_enough: impl Fn() -> bool) -> Ended {
    let running = folder.start(arguments);
    wait_until("the run has done enough", is_enough);
    running.end(Signal::INT).ends(130)
}

#[test]
fn a_second_night_begins_with_what_the_first_one_kept() {
    let folder = Folder::new();
    let enough = || entries(&folder, "crdible-corpus").len() > 30;
    let first = fuzz(&folder, &format!("{FUZZ} --journal j.ndjson --output json"), enough);
    let report = first.json(130);
    let kept = entries(&folder, "crdible-corpus");
    let reached = &report["reached"];
    assert!(reached["cells"].as_u64() > Some(20) && reached["pairs"].as_u64() > Some(5), "{reached}");
    assert!(reached["kept"].as_u64() >= Some(kept.len() as u64), "{reached}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("cells (keyword, position, class of value)"), "{notes}");
    assert_eq!(report["run"]["fuzz"], true);
    assert!(folder.read("j.ndjson").lines().any(|line| line.starts_with(r#"{"k":"reached""#)));
    // Seed and index do not say what was run.
    folder.crdible("run --resume j.ndjson").complains(2, &["j.ndjson", "start another fuzz run with its corpus"]);

    let something_new = || !entries(&folder, "crdible-corpus").is_subset(&kept);
    let second = fuzz(&folder, "fuzz --property value-011-length --time 5m --seed 2", something_new);
    second.remarks(&[&format!("the corpus has {} entries", kept.len())]);
    second.prints(&["kinds of answers with a corpus of"]);
    let now = entries(&folder, "crdible-corpus");
    assert!(now.len() * 2 > kept.len(), "{} entries after {}", now.len(), kept.len());
}

#[test]
fn a_finding_is_a_counterexample_that_can_be_replayed() {
    let faulty = start(adds_a_key());
    let folder = Folder::new();
    let fuzz = "fuzz --property prune-001-unknown-keys --time 5m --max-failures 1 --seed 3";
    let found = folder.on(&faulty, fuzz).ends(1);
    found.prints(&["PRUNE-001"]);
    // The entry shows the plainest of several counterexamples, which need not be the first.
    let command = found.stdout.lines().find(|line| line.starts_with("crdible replay crdible-failures/"));
    let command = command.and_then(|line| line.strip_prefix("crdible ")).unwrap_or_else(|| panic!("{}", found.stdout));
    assert!(command.ends_with(&format!("--server {}", faulty.url())), "{command}");
    folder.crdible(command).ends(0);
}

#[test]
fn a_quiet_night_ends_early() {
    let folder = Folder::new();
    // Slow, so that it leaves the machine to other tests.
    let quiet = "fuzz --property ver-004-spec-order --time 5m --until-quiet 4s --qps 200 --journal j.ndjson";
    folder.crdible(quiet).ends(0);
    let journal = folder.read("j.ndjson");
    assert!(journal.lines().any(|line| line.contains(r#""kind":"quiet""#)), "{journal}");
    assert!(journal.lines().last().unwrap().contains(r#""stop_reason":"time-budget""#));
}

#[test]
fn explorations_are_sent_and_never_fail_a_server() {
    let folder = Folder::new();
    let both = || {
        let judged = fs::read_to_string(folder.path("j.ndjson")).unwrap_or_default();
        folder.path("crdible-corpus/explore-requests").is_dir() && judged.contains("ver-004-spec-order\",\"index")
    };
    let explored = "fuzz --property explore-requests ver-004-spec-order --time 5m --journal j.ndjson --output json";
    assert_eq!(fuzz(&folder, explored, both).json(130)["failures"], json!([]));
    assert!(!folder.read("j.ndjson").contains("explore-requests\",\"index"), "what nothing judges is not a case");
}

/// What is in a corpus when a signal comes in the middle of a fuzz run, and whether it can be used again.
#[rstest]
#[case::ctrl_c(Signal::INT, Some(130))]
#[case::killed(Signal::KILL, None)]
fn a_night_that_ends_early_keeps_its_corpus(#[case] signal: Signal, #[case] code: Option<i32>) {
    let (folder, right) = (Folder::new(), Right::new());
    let running = folder.start_on(&right.serve(), "fuzz --property value-* --time 5m");
    wait_until("something is kept", || entries(&folder, "crdible-corpus").len() > 20);
    let ended = running.end(signal);
    assert_eq!(ended.code, code, "{ended:#?}");
    if code.is_some() {
        ended.prints(&["the run was interrupted", "kept"]);
        assert_eq!(right.definitions(), 0, "everything that was created was removed");
    }
    let kept = entries(&folder, "crdible-corpus");
    let again = fuzz(&folder, FUZZ, || !entries(&folder, "crdible-corpus").is_subset(&kept));
    again.remarks(&[&format!("the corpus has {} entries", kept.len())]);
}

const ENTRY: &str =
    r#"{"format":"crdible-corpus/1","property":"value-011-length","release":"1.36","generator":"0","tape":{"":[1,2]}}"#;

#[rstest]
#[case::no_corpus("notes.txt", "mine", &["c is not a corpus", "holds notes.txt", "name an empty folder"])]
#[case::mark_of_a_newer_version(
    "crdible-corpus.json",
    r#"{"format":"crdible-corpus/2"}"#,
    &["c/crdible-corpus.json", "`crdible-corpus/2`", "version of crdible that wrote it"]
)]
#[case::mark_of_an_older_version(
    "crdible-corpus.json",
    r#"{"format":"crdible-corpus/0"}"#,
    &["c/crdible-corpus.json", "`crdible-corpus/0`", "version of crdible that wrote it", "another corpus"]
)]
#[case::mark_without_a_format(
    "crdible-corpus.json",
    "{}",
    &["c/crdible-corpus.json", "of which format", r#"write {"format":"crdible-corpus/1"} to this file"#]
)]
#[case::mark_cut_off("crdible-corpus.json", "{", &["c/crdible-corpus.json", "EOF", "to this file"])]
fn a_folder_that_is_no_corpus_is_not_used(#[case] file: &str, #[case] text: &str, #[case] words: &[&str]) {
    let folder = Folder::new();
    folder.write(&format!("c/{file}"), text);
    folder.crdible("fuzz --corpus c --time 1s").complains(2, words);
    assert_eq!(folder.read(&format!("c/{file}")), text, "nothing is lost");
    assert_eq!(folder.everything().len(), 1, "nothing is written");
}

#[rstest]
#[case::cut_off("a.json", &ENTRY[..40], &["value-011-length/a.json", "was cut off"])]
#[case::empty("a.json", "", &["value-011-length/a.json", "was cut off"])]
#[case::of_a_newer_version(
    "a.json", r#"{"format":"crdible-corpus/2"}"#, &["a.json", "`crdible-corpus/2`", "reads `crdible-corpus/1`"]
)]
#[case::of_an_older_version(
    "a.json",
    &ENTRY.replace("corpus/1", "corpus/0"),
    &["a.json", "`crdible-corpus/0`", "reads `crdible-corpus/1`", "version of crdible that wrote it"]
)]
#[case::a_counterexample("a.json", r#"{"format":"crdible-replay/2"}"#, &["a.json", "its format is `crdible-replay/2`"])]
#[case::another_file("a.yaml", "a: 1", &["value-011-length/a.yaml", "not an entry of a corpus"])]
fn a_file_that_is_no_entry_is_named(#[case] file: &str, #[case] text: &str, #[case] words: &[&str]) {
    let folder = Folder::new();
    folder.write("c/crdible-corpus.json", "{\"format\":\"crdible-corpus/1\"}\n");
    folder.write(&format!("c/value-011-length/{file}"), text);
    folder.write("c/value-011-length/good.json", ENTRY);
    let before = folder.everything();
    folder.crdible("fuzz --corpus c --time 1s").complains(2, words);
    assert_eq!(folder.everything(), before, "nothing is lost, and nothing is written");
}

#[test]
fn entries_of_other_versions_are_tried_and_stay() {
    let folder = Folder::new();
    folder.write("c/crdible-corpus.json", "{\"format\":\"crdible-corpus/1.3\"}\n");
    folder.write("c/README.md", "Our fuzz runs.");
    folder.write("c/value-011-length/old.json", ENTRY);
    folder.write("c/value-999-later/new.json", &ENTRY.replace("value-011-length", "value-999-later"));
    fuzz(&folder, &format!("{FUZZ} --corpus c"), || entries(&folder, "c").len() > 5).remarks(&[
        "2 entries",
        "1 entry of the corpus belong",
        "written by another version of crdible",
    ]);
    assert_eq!(folder.read("c/crdible-corpus.json"), "{\"format\":\"crdible-corpus/1.3\"}\n", "its mark stays, too");
    assert_eq!(folder.read("c/value-011-length/old.json"), ENTRY);
    assert!(folder.read("c/value-999-later/new.json").contains("value-999-later"));
}

#[test]
fn a_corpus_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    folder.write("file", "mine");
    folder.crdible("fuzz --corpus file --time 1s").complains(2, &["cannot create the corpus file"]);
    folder.crdible("fuzz --corpus /proc/none --time 1s").complains(2, &["cannot create the corpus /proc/none"]);
    // The folder of a property cannot be created, which shows only in the middle of the run.
    folder.write("c/crdible-corpus.json", "{\"format\":\"crdible-corpus/1\"}\n");
    folder.write("c/value-011-length", "mine");
    let running = folder.start(&format!("{FUZZ} --corpus c"));
    running.wait_for_remark("warning:");
    let ended = running.end(Signal::INT).ends(2);
    // The report is there.
    ended.prints(&["the run was interrupted"]);
    ended.remarks(&["warning:", "the search goes on", "error: cannot write the corpus c/value-011-length/"]);
    assert_eq!(ended.stderr.matches("warning:").count(), 1, "{}", ended.stderr);
    assert_eq!(folder.read("c/value-011-length"), "mine");
}

#[rstest]
#[case::time("fuzz --time soon", &["--time", "soon"])]
#[case::seed("fuzz --seed x", &["--seed", "'x'", "a whole number from 0 to"])]
#[case::quiet("fuzz --until-quiet 0", &["--until-quiet", "positive"])]
#[case::property("fuzz --property explore-requets", &["did you mean `explore-requests`"])]
#[case::flag_of_run("fuzz --cases 5", &["--cases"])]
#[case::known("fuzz --known absent.toml", &["absent.toml", "No such file"])]
fn bad_flags(#[case] arguments: &str, #[case] words: &[&str]) {
    let folder = Folder::new();
    folder.crdible(arguments).complains(2, words);
    assert!(folder.everything().is_empty(), "nothing is written");
}
