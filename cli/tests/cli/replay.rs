//! From a failing run to its counterexample, and back.

use rustix::process::Signal;

use crate::{
    process::{Ended, Folder},
    servers::{adds_a_key, adds_a_key_to_what_it_pruned, start},
    target_support::{Reply, answer},
};

fn assert_prints(ended: &Ended, code: i32, words: &str) {
    assert_eq!(ended.code, Some(code), "{ended:#?}");
    assert!(ended.stdout.contains(words), "no {words:?} in {}", ended.stdout);
}

#[test]
fn a_counterexample_can_be_replayed() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures found/here --journal j.ndjson";
    let ended = folder.crdible(&format!("{run} --output json --server {}", faulty.url()));
    let report = ended.json(1);
    assert_eq!(report["verdict"], "nonconformant");
    let failures = report["failures"].as_array().unwrap();
    assert!(!failures.is_empty());
    for failure in failures {
        assert_eq!(failure["property"], "prune-001-unknown-keys");
        assert!(failure["requirements"].as_array().is_some_and(|list| !list.is_empty()), "{failure}");
        assert!(failure["signature"].as_str().unwrap().starts_with("prune-001-unknown-keys:"), "{failure}");
        let summary = failure["summary"].as_str().unwrap();
        assert!(ended.stderr.contains(summary), "it was reported when it was found: {}", ended.stderr);
    }

    let replay = &failures[0]["replay"];
    let path = replay["path"].as_str().unwrap();
    assert!(path.starts_with("found/here/") && folder.path(path).is_file(), "{path}");
    let command = replay["command"].as_str().unwrap();
    assert_eq!(command, format!("crdible replay {path} --server {}", faulty.url()));
    let again = folder.crdible(command.strip_prefix("crdible ").unwrap());
    assert_prints(&again, 0, "\nprune-001-unknown-keys:");
    assert!(again.stdout.starts_with("reproduced: ") && again.stdout.contains("planted"), "{}", again.stdout);

    assert_prints(&folder.crdible(&format!("replay {path}")), 1, "not reproduced: all checks pass");

    let serving = folder.start("serve --listen 127.0.0.1:0");
    assert_prints(
        &folder.crdible(&format!("replay {path} --server {}", serving.line())),
        1,
        "not reproduced: all checks pass",
    );
    serving.signal(Signal::INT);
    let served = serving.wait();
    assert_eq!((served.code, served.stdout.lines().count()), (Some(0), 1), "{served:#?}");

    let elsewhere = start(|_| -> Reply { answer("200 OK", "text/html", "", "<html>") });
    let url = elsewhere.url();
    folder.crdible(&format!("replay {path} --server {url}")).complains(3, &["not a Kubernetes API server", &url]);
}

#[test]
fn several_counterexamples_are_listed_as_fixed_or_failing() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let url = faulty.url();
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures kept --output json";
    let report = folder.crdible(&format!("{run} --server {url}")).json(1);
    // Some failures are reported together with others.
    let count = std::fs::read_dir(folder.path("kept")).unwrap().count();
    let first = report["failures"][0]["replay"]["path"].as_str().unwrap();

    let fails = folder.crdible(&format!("replay kept --server {url}"));
    let words = format!("\n{count} counterexamples: 0 fixed, {count} fail, 0 flaky, 0 inconclusive");
    assert_prints(&fails, 1, &words);
    assert!(
        fails.stdout.starts_with("fails        kept/") && fails.stdout.contains("-f1.json (PRUNE-"),
        "{}",
        fails.stdout
    );
    assert!(fails.stdout.contains("planted"), "{}", fails.stdout);

    let fixed = folder.crdible("replay kept --times 2");
    assert_prints(&fixed, 0, &format!("\n{count} counterexamples: {count} fixed, 0 fail"));
    assert!(fixed.stdout.contains(&format!("fixed        {first} (PRUNE-")), "{}", fixed.stdout);
    // Two files are reported like a folder, in their order.
    assert_prints(&folder.crdible(&format!("replay {first} {first}")), 0, "2 counterexamples: 2 fixed");

    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.crdible("replay empty").complains(2, &["empty holds no counterexample"]);
    std::fs::write(folder.path("kept/z.json"), "{}").unwrap();
    folder.crdible("replay kept").complains(2, &["kept/z.json", "not a counterexample"]);
    folder.crdible("replay kept --script s.sh").complains(2, &["--script needs one counterexample"]);
    folder.crdible("replay absent").complains(2, &["absent"]);
}

#[test]
fn what_matters_is_shown() {
    let folder = Folder::new();
    let faulty = start(adds_a_key_to_what_it_pruned());
    let url = faulty.url();
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures kept --output json";
    let report = folder.crdible(&format!("{run} --server {url}")).json(1);
    let path = report["failures"][0]["replay"]["path"].as_str().unwrap();
    let varied = folder.crdible(&format!("replay {path} --vary --server {url}"));
    assert!(varied.stdout.contains(" of these fail, too\n"), "{varied:#?}");
    assert!(varied.stdout.contains("\nthe definition\n") && varied.stdout.contains("may be anything"), "{varied:#?}");
    assert!(varied.code == Some(0) && varied.stdout.starts_with("reproduced: "), "{varied:#?}");
    // It does not fail there, so nothing is varied.
    let passes = folder.crdible(&format!("replay {path} --vary"));
    assert_prints(&passes, 1, "not reproduced");
    assert!(!passes.stdout.contains("varied"), "{passes:#?}");
    folder.crdible("replay kept --vary").complains(2, &["--vary needs one counterexample"]);
}

#[test]
fn what_no_random_case_shows_is_not_varied() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let url = faulty.url();
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures kept --output json";
    let report = folder.crdible(&format!("{run} --server {url}")).json(1);
    let path = report["failures"][0]["replay"]["path"].as_str().unwrap();
    let unvaried = folder.crdible(&format!("replay {path} --vary --server {url}"));
    assert_prints(&unvaried, 0, "reproduced: ");
    assert!(unvaried.stderr.contains("what matters is not known: "), "{unvaried:#?}");

    // Of another version, which has a property that this one has not.
    folder.write("unknown.json", &folder.read(path).replace("prune-001-unknown-keys", "prune-999-later"));
    let unknown = folder.crdible(&format!("replay unknown.json --vary --server {url}"));
    assert_prints(&unknown, 0, "reproduced: ");
    assert!(unknown.stderr.contains("has no property prune-999-later whose cases could be varied"), "{unknown:#?}");
}

#[test]
fn a_counterexample_becomes_a_script_and_a_rust_test() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures kept --output json";
    let report = folder.crdible(&format!("{run} --server {}", faulty.url())).json(1);
    let path = report["failures"][0]["replay"]["path"].as_str().unwrap();

    let replay = format!("replay {path} --script found.sh --rust-test found.rs");
    assert_prints(&folder.crdible(&replay), 1, "not reproduced");
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

    let test = std::fs::read_to_string(folder.path("found.rs")).unwrap();
    assert!(test.contains("fn prune_001_unknown_keys_") && test.contains("crdible::harness::replay("), "{test}");
    let text = test.split_once("r#\"").unwrap().1.rsplit_once("\"#;").unwrap().0;
    assert_eq!(text, std::fs::read_to_string(folder.path(path)).unwrap());
}

#[test]
fn a_counterexample_names_the_release_by_which_the_server_was_judged() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures found --output json --release 1.34";
    let report = folder.crdible(&format!("{run} --server {}", faulty.url())).json(1);
    let replay = &report["failures"][0]["replay"];
    let path = replay["path"].as_str().unwrap();
    let file: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path(path)).unwrap()).unwrap();
    assert_eq!(file["release"], "1.34");
    assert_eq!(replay["command"], format!("crdible replay {path} --server {}", faulty.url()));
}

#[test]
fn the_report_of_a_failing_run() {
    let faulty = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3";
    let ended = Folder::new().crdible(&format!("{run} --server {}", faulty.url()));
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    for words in
        ["verdict: nonconformant", "PRUNE-001", "CustomResourceDefinition", "curl ", "planted", "crdible replay "]
    {
        assert!(ended.stdout.contains(words), "no {words:?} in {}", ended.stdout);
    }
}

#[test]
fn a_seed_repeats_its_failures() {
    let folder = Folder::new();
    let run = || {
        let faulty = start(adds_a_key());
        let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --output json";
        let report = folder.crdible(&format!("{run} --server {}", faulty.url())).json(1);
        let parts =
            |failure: &serde_json::Value| ["signature", "summary", "requirements"].map(|part| failure[part].clone());
        report["failures"].as_array().unwrap().iter().map(parts).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
