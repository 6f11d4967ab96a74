//! From a failing run to its counterexample, and back.

use std::sync::LazyLock;

use crdible_reports::journal::{Case, Outcome};
use rustix::process::Signal;

use crate::{
    process::{Ended, Files, Folder},
    servers::{Right, adds_a_key, adds_a_key_to_what_it_pruned, start},
    target_support::{Fake, Reply, answer},
};

/// A run that finds failures.
const WRONG: &str = "run --property prune-001-unknown-keys --cases 3 --seed 3";

/// Keeps the counterexamples of a faulty server, and returns the path of the first one in the report.
fn keep(folder: &Folder, faulty: &Fake) -> String {
    let report = folder.on(faulty, &format!("{WRONG} --failures kept --output json")).json(1);
    report["failures"][0]["replay"]["path"].as_str().unwrap().to_owned()
}

/// A server that adds a key, a folder with the counterexamples of a run on it, and the path of the first one.
fn kept() -> (&'static Fake, Folder, &'static str) {
    static KEPT: LazyLock<(Fake, Files, String)> = LazyLock::new(|| {
        let (faulty, folder) = (start(adds_a_key()), Folder::new());
        let first = keep(&folder, &faulty);
        (faulty, folder.contents(), first)
    });
    (&KEPT.0, Folder::with(&KEPT.1), &KEPT.2)
}

/// A run tries first the random cases that earlier ones kept, on top of its own.
#[test]
fn kept_failures_are_tried_first() {
    const RUN: &str = "run --property prune-002-only-structure-counts --cases 20 --seed 3 --failures kept";
    let (folder, faulty, right) = (Folder::new(), start(adds_a_key()), Right::new().serve());
    let cases = |journal: &str| folder.journal(journal).cases;
    let is_kept = |case: &&Case| case.index >= 1 << 40;
    let says_so =
        |ended: &Ended| ended.stderr.lines().any(|line| line.starts_with("first ") && line.ends_with("kept in kept"));

    let ended = folder.on(&faulty, &format!("{RUN} --journal first.ndjson")).ends(1);
    assert!(!says_so(&ended) && !cases("first.ndjson").iter().any(|case| is_kept(&case)), "{}", ended.stderr);
    let ended = folder.on(&faulty, &format!("{RUN} --journal again.ndjson")).ends(1);
    assert!(says_so(&ended), "{}", ended.stderr);
    let again = cases("again.ndjson");
    assert!(again.iter().any(|case| is_kept(&case) && case.outcome == Outcome::Fail), "{again:?}");

    // The server is mended.
    let ended = folder.on(&right, &format!("{RUN} --journal mended.ndjson")).ends(0);
    assert!(says_so(&ended), "{}", ended.stderr);
    let mended = cases("mended.ndjson");
    assert!(mended.iter().filter(is_kept).count() > 0 && mended.iter().all(|case| case.outcome != Outcome::Fail));

    // Neither other properties, nor a part of a run: its seed alone decides.
    for (other, journal) in [
        ("run --property ver-004-spec-order --cases 3 --failures kept", "o.ndjson"),
        (&format!("{RUN} --shard 1/1"), "p.ndjson"),
    ] {
        let ended = folder.on(&right, &format!("{other} --journal {journal}")).ends(0);
        assert!(!says_so(&ended) && !cases(journal).iter().any(|case| is_kept(&case)), "{other}");
    }
}

#[test]
fn a_counterexample_can_be_replayed() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let ended = folder.on(&faulty, &format!("{WRONG} --failures found/here --journal j.ndjson --output json"));
    let report = ended.json(1);
    assert_eq!(report["verdict"], "nonconformant");
    let failures = report["failures"].as_array().unwrap();
    assert!(!failures.is_empty());
    for failure in failures {
        assert_eq!(failure["property"], "prune-001-unknown-keys");
        assert!(failure["requirements"].as_array().is_some_and(|list| !list.is_empty()), "{failure}");
        assert!(failure["signature"].as_str().unwrap().starts_with("prune-001-unknown-keys:"), "{failure}");
        // It was reported when it was found.
        ended.remarks(&[failure["summary"].as_str().unwrap()]);
    }

    let replay = &failures[0]["replay"];
    let path = replay["path"].as_str().unwrap();
    assert!(path.starts_with("found/here/") && folder.path(path).is_file(), "{path}");
    let command = replay["command"].as_str().unwrap();
    assert_eq!(command, format!("crdible replay {path} --server {}", faulty.url()));
    let again = folder.crdible(command.strip_prefix("crdible ").unwrap()).ends(0);
    again.begins("reproduced: ");
    again.prints(&["\nprune-001-unknown-keys:", "planted"]);

    let replay = format!("replay {path}");
    folder.crdible(&replay).ends(1).prints(&["not reproduced: all checks pass"]);

    let serving = folder.start("serve --listen 127.0.0.1:0");
    let served = folder.crdible(&format!("{replay} --server {}", serving.line())).ends(1);
    served.prints(&["not reproduced: all checks pass"]);
    assert_eq!(serving.end(Signal::INT).ends(0).stdout.lines().count(), 1);

    let elsewhere = start(|_| -> Reply { answer("200 OK", "text/html", "", "<html>") });
    folder.on(&elsewhere, &replay).complains(3, &["not a Kubernetes API server", &elsewhere.url()]);
}

#[test]
fn several_counterexamples_are_listed_as_fixed_or_failing() {
    let (faulty, folder, first) = kept();
    // Some failures are reported together with others.
    let count = std::fs::read_dir(folder.path("kept")).unwrap().count();

    let fails = folder.on(faulty, "replay kept").ends(1);
    fails.begins("fails        kept/");
    let words = format!("\n{count} counterexamples: 0 fixed, {count} fail, 0 flaky, 0 inconclusive");
    fails.prints(&[&words, ".json (PRUNE-", "planted"]);

    let words = [format!("\n{count} counterexamples: {count} fixed, 0 fail"), format!("fixed        {first} (PRUNE-")];
    folder.crdible("replay kept --times 2").ends(0).prints(&words.each_ref().map(String::as_str));
    // Two files are reported like a folder, in their order.
    folder.crdible(&format!("replay {first} {first}")).ends(0).prints(&["2 counterexamples: 2 fixed"]);

    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.crdible("replay empty").complains(2, &["empty holds no counterexample"]);
    folder.write("kept/z.json", "{}");
    folder.crdible("replay kept").complains(2, &["kept/z.json", "not a counterexample"]);
    folder.crdible("replay kept --script s.sh").complains(2, &["--script needs one counterexample"]);
    folder.crdible("replay absent").complains(2, &["absent"]);
}

#[test]
fn what_matters_is_shown() {
    let folder = Folder::new();
    let faulty = start(adds_a_key_to_what_it_pruned());
    let replay = format!("replay {} --vary", keep(&folder, &faulty));
    let varied = folder.on(&faulty, &replay).ends(0);
    varied.begins("reproduced: ");
    varied.prints(&[" of these fail, too\n", "\nthe definition\n", "may be anything"]);
    // It does not fail there, so nothing is varied.
    let passes = folder.crdible(&replay).ends(1);
    passes.prints(&["not reproduced"]);
    passes.omits(&["varied"]);
    folder.crdible("replay kept --vary").complains(2, &["--vary needs one counterexample"]);
}

#[test]
fn what_no_random_case_shows_is_not_varied() {
    let (faulty, folder, path) = kept();
    let unvaried = folder.on(faulty, &format!("replay {path} --vary")).ends(0);
    unvaried.prints(&["reproduced: "]);
    unvaried.remarks(&["what matters is not known: "]);

    // Of another version, which has a property that this one has not.
    folder.write("unknown.json", &folder.read(path).replace("prune-001-unknown-keys", "prune-999-later"));
    let unknown = folder.on(faulty, "replay unknown.json --vary").ends(0);
    unknown.prints(&["reproduced: "]);
    unknown.remarks(&["has no property prune-999-later whose cases could be varied"]);
}

#[test]
fn a_counterexample_becomes_a_script_and_a_rust_test() {
    let (faulty, folder, path) = kept();

    let replay = format!("replay {path} --script found.sh --rust-test found.rs");
    folder.crdible(&replay).ends(1).prints(&["not reproduced"]);
    folder.crdible(&replay).complains(2, &["cannot write found.sh", "exists"]);

    let run_script = |url: &str| {
        let mut shell = std::process::Command::new("sh");
        let ended = shell.arg(folder.path("found.sh")).env("SERVER", url).env_remove("TOKEN").output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap())
    };
    let (code, shown, errors) = run_script(&faulty.url());
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{shown}");
    assert!(shown.split("--- expected: ").next().unwrap().contains("planted"), "{shown}");
    let (code, shown, errors) = run_script("");
    assert!(code != Some(0) && errors.contains("set it to the URL of the server"), "{shown}{errors}");

    // It removes what it created.
    let serving = folder.start("serve --listen 127.0.0.1:0");
    let url = serving.line();
    for _ in 0..2 {
        let (code, shown, errors) = run_script(&url);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{shown}");
        let (answers, summary) = shown.split_once("--- expected: ").unwrap();
        assert!(!answers.contains("planted") && !answers.contains("AlreadyExists"), "{shown}");
        assert!(summary.contains("planted"), "{shown}");
    }

    let test = folder.read("found.rs");
    assert!(test.contains("fn prune_001_unknown_keys_") && test.contains("crdible::harness::replay("), "{test}");
    let text = test.split_once("r#\"").unwrap().1.rsplit_once("\"#;").unwrap().0;
    // In ASCII, whatever the text of the file is.
    let of = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(of(text), of(&folder.read(path)));
}

#[test]
fn a_counterexample_names_the_release_by_which_the_server_was_judged() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let report = folder.on(&faulty, &format!("{WRONG} --failures found --output json --release 1.34")).json(1);
    let replay = &report["failures"][0]["replay"];
    let path = replay["path"].as_str().unwrap();
    assert_eq!(folder.read_json(path)["release"], "1.34");
    assert_eq!(replay["command"], format!("crdible replay {path} --server {}", faulty.url()));
}

#[test]
fn the_report_of_a_failing_run() {
    let words = ["verdict: nonconformant", "PRUNE-001", "CustomResourceDefinition", "curl ", "planted"];
    let ended = Folder::new().on(&start(adds_a_key()), WRONG).ends(1);
    ended.prints(&words);
    ended.prints(&["crdible replay "]);
}

#[test]
fn a_seed_repeats_its_failures() {
    let folder = Folder::new();
    let run = || {
        let report = folder.on(&start(adds_a_key()), &format!("{WRONG} --output json")).json(1);
        let parts =
            |failure: &serde_json::Value| ["signature", "summary", "requirements"].map(|part| failure[part].clone());
        report["failures"].as_array().unwrap().iter().map(parts).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
