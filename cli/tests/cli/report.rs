//! The stdout of a successful run.

use std::net::TcpStream;

use rstest::rstest;
use serde_json::json;

use crate::{
    process::{Folder, whole_run},
    servers::Right,
    target_support::{self, Fake},
};

/// A very short run.
const SMALL: &str = "run --property prune-001-unknown-keys ver-004-spec-order default-001-missing-property --cases 20";

#[test]
fn text_contains_verdict_and_seed() {
    let folder = Folder::new();
    let ended = folder.crdible(&format!("{SMALL} --seed 7")).ends(0);
    ended.prints(&["verdict: everything selected passed", "\nseed 7\n", "embedded", " 3 properties"]);
    // No colours unless on a terminal; and a selection is not the profile.
    ended.omits(&["\u{1b}"]);
    ended.prints(&["a selection of profile core"]);
    assert!(folder.everything().is_empty(), "a run without failures writes no file");

    folder.crdible(&format!("{SMALL} --color always")).prints(&["\u{1b}"]);
}

#[test]
fn stdout_is_only_the_json_report_which_matches_its_schema() {
    let report = Folder::new().crdible(&format!("{SMALL} --seed 18446744073709551615 --output json")).json(0);
    assert_eq!(report["verdict"], "conformant");
    assert_eq!(report["seed"], u64::MAX);
    assert_eq!(report["target"]["kind"], "embedded");
    assert_eq!(report["profile_complete"], false);
    assert_eq!(report["counts"]["properties"], 3);
    assert!(report["counts"]["cases"].as_u64() >= Some(60), "{}", report["counts"]);
    assert_eq!(report["failures"], serde_json::json!([]));
    let requirements = report["requirements"].as_array().unwrap();
    assert!(requirements.iter().any(|requirement| requirement["id"] == "PRUNE-001" && requirement["status"] == "pass"));
    for requirement in requirements {
        for name in ["id", "level", "status", "cases", "failures"] {
            assert!(!requirement[name].is_null(), "no {name} in {requirement}");
        }
    }
}

#[test]
fn a_seed_repeats_a_run() {
    let folder = Folder::new();
    let run = |arguments: &str| {
        let report = folder.crdible(&format!("{SMALL} --output json {arguments}")).json(0);
        let parts = ["seed", "counts", "requirements", "failures"].map(|part| report[part].clone());
        serde_json::json!(parts)
    };
    let first = run("--seed 11 --workers 4");
    assert_eq!(first, run("--seed 11 --workers 4"));
    assert_ne!(first, run("--seed 12 --workers 4"));
    folder.with_variable("CRDIBLE_SEED", "");
    assert_ne!(run("")[0], run("")[0], "without a seed each run has its own");
}

#[test]
fn the_profile_is_named_when_all_of_it_was_run() {
    let folder = Folder::new();
    folder.write("whole.json", &whole_run().report);
    folder.write("small.toml", "name = 'small'\n[include]\nproperties = ['ver-004-*']\n");
    let first_line = |arguments: &str| folder.crdible(arguments).ends(0).stdout.lines().next().unwrap().to_owned();
    let whole = first_line("report render whole.json");
    assert!(whole.contains("conformant") && whole.contains("core"), "{whole}");
    let part = first_line("run --profile small.toml --cases 1 --seed 1");
    assert!(!part.contains("small"), "a run with too few cases is not a run of the profile: {part}");
}

#[rstest]
#[case::older("1.35", "it is judged by Kubernetes 1.35, so changes since 1.35 may be reported as failures")]
#[case::unknown("1.99", "crdible does not know Kubernetes 1.99; it takes 1.37, the nearest that it knows")]
#[case::unnamed("1.x", "`1.x` names no release of Kubernetes; crdible takes 1.36")]
fn another_release_than_the_claimed_one_causes_a_warning(#[case] release: &str, #[case] sentence: &str) {
    let ended = Folder::new().on(&Right::new().serve(), &format!("{SMALL} --release {release}")).ends(0);
    assert_eq!(ended.stderr.matches(sentence).count(), 1, "{}", ended.stderr);
}

/// A correct server that says that it is of this version.
fn of_version(version: &'static str) -> Fake {
    let said = move || target_support::json("200 OK", &json!({ "gitVersion": version }));
    Right::new().serve_except(move |seen| (seen.path == "/version").then(said))
}

/// Forks append to the version.
#[test]
fn the_release_of_a_fork_is_the_one_that_it_is_made_from() {
    let ended = Folder::new().on(&of_version("v1.34.4-eks-1234"), SMALL);
    ended.prints(&["release 1.34, "]);
    assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
}

#[test]
fn the_embedded_server_emulates_the_release_by_which_it_is_judged() {
    let report = Folder::new().crdible(&format!("{SMALL} --release 1.34 --output json")).json(0);
    assert_eq!(report["target"]["release"], "1.34");
    assert_eq!(report["target"]["version"]["git_version"], "v1.34.0-crdible");
}

#[test]
fn a_property_that_is_younger_than_the_release_is_not_run() {
    let younger = "run --property value-008-numeric-formats --release 1.35";
    Folder::new().crdible(younger).complains(2, &["1.35", "promises nothing", "value-008-numeric-formats"]);
    Folder::new().crdible(&format!("{younger} --property value-007-bounds --cases 3")).ends(0).prints(&[" 1 property"]);
}

#[rstest]
#[case::run(SMALL)]
#[case::doctor("doctor")]
#[case::probe("doctor --probe")]
fn a_server_of_another_release_causes_a_warning(#[case] command: &str) {
    let ended = Folder::new().on(&of_version("v1.26.4+k3s1"), command).ends(0);
    let sentence = "the server says that it is v1.26.4+k3s1; it is judged by Kubernetes 1.33, \
                    the nearest release that crdible knows";
    assert_eq!(ended.stderr.matches(sentence).count(), 1, "{}", ended.stderr);
    // The report of a run says it, too.
    assert_eq!(ended.stdout.contains(sentence), command.starts_with("run"), "{}", ended.stdout);
}

#[test]
fn a_launched_server_ends_with_the_run() {
    let folder = Folder::new();
    folder.write_program("server.sh", &format!("#!/bin/sh\nexec '{}' serve\n", env!("CARGO_BIN_EXE_crdible")));
    let report = folder.crdible(&format!("{SMALL} --output json --launch ./server.sh")).json(0);
    assert_eq!(report["target"]["kind"], "launched");
    let address = report["target"]["address"].as_str().unwrap().strip_prefix("http://").unwrap();
    assert!(TcpStream::connect(address).is_err(), "nothing listens at {address} any more");
}
