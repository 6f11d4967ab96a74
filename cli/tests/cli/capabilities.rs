//! Servers that do nothing correctly: one finding for each missing capability, not one for each case.

use rstest::rstest;
use serde_json::{Value, json};

use crate::{
    process::Folder,
    servers::{Right, is_about_objects, start},
    target_support::{self, Reply, Seen, answer, good, status},
};

/// Answers only the preflight correctly.
fn preflight_answer(seen: &Seen, then: fn(&Seen) -> Reply) -> Reply {
    let first =
        seen.path == "/version" || seen.path == "/apis/apiextensions.k8s.io/v1" || seen.path.ends_with("?limit=1");
    if first { good(seen) } else { then(seen) }
}

fn accepts_everything(_: &Seen) -> Reply {
    target_support::json("201 Created", &json!({}))
}

fn knows_nothing(_: &Seen) -> Reply {
    answer("404 Not Found", "text/plain", "", "404 page not found")
}

fn fails_always(_: &Seen) -> Reply {
    status(500, "InternalError", "no")
}

fn echoes(seen: &Seen) -> Reply {
    let length = seen.body.len();
    let head = format!("HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    Reply::Raw([head.as_bytes(), &seen.body].concat())
}

#[rstest]
#[case::accepts_everything(accepts_everything, &["definitions"])]
#[case::knows_nothing(knows_nothing, &["definitions"])]
#[case::fails_always(fails_always, &["definitions"])]
#[case::echoes(echoes, &["definitions"])]
fn servers_that_do_nothing_correctly(#[case] then: fn(&Seen) -> Reply, #[case] missing: &[&str]) {
    let server = start(move |seen| preflight_answer(seen, then));
    let folder = Folder::new();
    let report = folder.on(&server, "run --cases 5 --patience 0.1 --output json").json(1);
    assert_eq!(report["verdict"], "nonconformant");
    assert_eq!(findings(&report), missing);
    assert!(server.requests().len() < 500, "{} requests", server.requests().len());
    can_be_replayed(&folder, &report);
}

/// Definitions are accepted and never served.
#[test]
fn a_server_that_never_establishes_definitions() {
    let right = Right::new();
    let server = right.serve_except(|seen| is_about_objects(seen).then(|| knows_nothing(seen)));
    let folder = Folder::new();
    let report = folder.on(&server, "run --cases 5 --patience 0.1 --output json").json(1);
    assert_eq!(findings(&report), ["serving"]);
    let summary = report["failures"][0]["summary"].as_str().unwrap();
    assert!(summary.contains("404"), "{summary}");
    assert_eq!(right.definitions(), 0, "what was created is removed");
    can_be_replayed(&folder, &report);
    // It is printed as soon as it is known, and not once more when the cases begin.
    let printed = folder.on(&server, "run --cases 5 --patience 0.1").ends(1).stderr;
    assert_eq!(printed.matches("(capability-serving)").count(), 1, "{printed}");
}

/// Stores what is sent as a dry run, and lists no groups.
fn ignores_dry_runs_and_has_no_groups() -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let right = Right::new();
    move |seen| {
        if seen.path.starts_with("/apis/g") && !is_about_objects(seen) {
            return knows_nothing(seen);
        }
        let path = seen.path.replace("?dryRun=All&", "?").replace("?dryRun=All", "");
        right.answer(&Seen { path, ..seen.clone() }).send()
    }
}

/// The verdict is about the selected properties: a missing capability that they do not need is a note.
#[test]
fn a_lack_that_nothing_selected_needs_is_no_failure() {
    let server = start(ignores_dry_runs_and_has_no_groups());
    let folder = Folder::new();
    let run = |property: &str, code: i32| {
        let flags = "--cases 60 --seed 1 --patience 1 --output json";
        folder.on(&server, &format!("run --property {property} {flags}")).json(code)
    };
    let report = run("default-010-request-defaulting", 0);
    assert_eq!(report["verdict"], "conformant", "{report}");
    assert_eq!(findings(&report), Vec::<String>::new());

    let report = run("ver-004-spec-order", 1);
    assert_eq!(findings(&report), ["discovery"]);
}

/// A server may have one namespace only. All else is judged, so it may be conformant as a whole.
#[test]
fn a_server_without_a_second_namespace_is_conformant() {
    let server = Right::new().serve_except(|seen| {
        let is_missing = seen.path.contains("/namespaces/kube-public/");
        is_missing.then(|| status(404, "NotFound", "namespaces \"kube-public\" not found"))
    });
    let folder = Folder::new();
    // Few properties need it; all of the profile takes long.
    folder.write("some.toml", "name = 'some'\n[include]\nproperties = ['rest-022-*', 'ver-00*']\n");
    let report = folder.on(&server, "run --profile some.toml --cases 50 --output json").json(0);
    assert_eq!(report["verdict"], "conformant", "{}", report["reasons"]);
    assert_eq!(report["profile_complete"], true, "{}", report["statement"]);
    assert_eq!(report["lacks"], json!([]));
    let notes = report["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("namespace")), "{notes:?}");
}

/// Each failure of a report is reproduced on the same target, and not on the embedded server.
fn can_be_replayed(folder: &Folder, report: &Value) {
    for failure in report["failures"].as_array().unwrap() {
        let command = failure["replay"]["command"].as_str().unwrap().strip_prefix("crdible ").unwrap();
        folder.crdible(&format!("{command} --patience 0.1")).ends(0).begins("reproduced: ");
        folder.crdible(&format!("replay {}", failure["replay"]["path"].as_str().unwrap())).ends(1);
    }
}

/// The capabilities that the failures of a report are about; the whole signature of any other failure.
fn findings(report: &Value) -> Vec<String> {
    let failures = report["failures"].as_array().unwrap();
    let property = |failure: &Value| failure["property"].as_str().unwrap().to_owned();
    failures.iter().map(property).map(|id| id.strip_prefix("capability-").map_or(id.clone(), str::to_owned)).collect()
}
