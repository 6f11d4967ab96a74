//! From a failing run to its counterexample, and back.

use rustix::process::Signal;

use crate::{
    process::{Ended, Folder},
    servers::{adds_a_key, start},
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
