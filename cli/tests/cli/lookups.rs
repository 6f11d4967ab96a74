//! Commands that only print: `list`, `explain`, `completions`, `doctor`, `--help`; and `serve`.

use rstest::rstest;
use rustix::process::Signal;
use serde_json::Value;

use crate::{process::Folder, servers::Right};

#[rstest]
#[case::list("list", &["prune-001-unknown-keys", "ver-004-spec-order", " properties; "])]
#[case::list_some("list --requirement ver-004", &["ver-004-spec-order"])]
#[case::coverage("list --coverage", &["MUST items", " of ", "not asserted in chapter"])]
#[case::explain_requirement(
    "explain PRUNE-001", &["PRUNE-001 ", "[MUST]", "since: ", "checked by: prune-001-unknown-keys"]
)]
#[case::explain_sources(
    "explain CRDVAL-001",
    &["source: A:val ", "\n  A:val https://github.com/kubernetes/apiextensions-apiserver/", "https://kubernetes.io/docs/"]
)]
#[case::explain_in_lower_case("explain prune-001/e1", &["PRUNE-001 ", "edge PRUNE-001/e1"])]
#[case::explain_unchecked("explain ADM-001", &["ADM-001 ", "checked by: no property ("])]
#[case::explain_younger("explain VALUE-008 --release 1.35", &["VALUE-008 ", "not promised by Kubernetes 1.35"])]
#[case::explain_edges("explain VALUE-041 --release 1.37", &["/e2 [MUST]: since 1.37: "])]
#[case::explain_unpromised_edges(
    "explain VALUE-014 --release 1.34", &["edge VALUE-014/e1: not promised by Kubernetes 1.34", "/e2 [QUIRK]: "]
)]
#[case::explain_defects("explain VALUE-044 --release 1.35", &["known defect of kube-apiserver 1.33 to 1.37: "])]
#[case::explain_defects_of_a_patch_release(
    "explain CRDVAL-057 --release 1.34.0", &["known defect of kube-apiserver 1.34.0: "]
)]
#[case::explain_property("explain prune-001-unknown-keys", &["asserts:", "PRUNE-001", "crdible run --property"])]
#[case::bash("completions bash", &["_crdible()", "--insecure-skip-tls-verify"])]
#[case::fish("completions fish", &["complete -c crdible"])]
#[case::zsh("completions zsh", &["#compdef crdible"])]
#[case::doctor(
    "doctor",
    &[
        "the embedded server", "version     v1.36", "leftovers   none",
        "failures    a failure of this server is a defect of crdible itself",
    ]
)]
#[case::version("--version", &["crdible 0."])]
fn prints(#[case] arguments: &str, #[case] words: &[&str]) {
    let folder = Folder::new();
    folder.crdible(arguments).ends(0).without_remarks().prints(words);
    assert!(folder.everything().is_empty(), "nothing is written");
}

/// Users read this first, so every change of it must show in review.
#[rstest]
#[case::all("")]
#[case::run("run")]
#[case::list("list")]
#[case::explain("explain")]
#[case::fuzz("fuzz")]
#[case::replay("replay")]
#[case::compare("compare")]
#[case::report("report")]
#[case::report_render("report render")]
#[case::report_matrix("report matrix")]
#[case::report_diff("report diff")]
#[case::report_validate("report validate")]
#[case::report_badge("report badge")]
#[case::check_webhook("check-webhook")]
#[case::rules("rules")]
#[case::serve("serve")]
#[case::doctor("doctor")]
#[case::completions("completions")]
fn help(#[case] command: &str) {
    let ended = Folder::new().crdible(&format!("{command} --help")).ends(0).without_remarks();
    let name = if command.is_empty() { "all".to_owned() } else { command.replace(' ', "-") };
    insta::assert_snapshot!(format!("help-{name}"), ended.stdout);
}

#[test]
fn lists_are_also_json() {
    let folder = Folder::new();
    let properties = folder.crdible("list --output json").json(0);
    let properties = properties.as_array().unwrap();
    assert!(properties.len() > 100, "{}", properties.len());
    assert!(
        properties.iter().all(|entry| entry["id"].is_string() && !entry["requirements"].as_array().unwrap().is_empty())
    );
    let chapters = folder.crdible("list --coverage --output json").json(0);
    let pruning = chapters.as_array().unwrap().iter().find(|entry| entry["chapter"] == 3).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    assert!(number(&pruning["must"]["asserted"]) > 0);
    assert!(number(&pruning["must"]["asserted"]) <= number(&pruning["must"]["total"]), "{pruning}");
}

#[test]
fn doctor_without_probe_only_reads() {
    let server = Right::new().serve();
    Folder::new().on(&server, "doctor").ends(0).prints(&[&server.url(), "round trip"]);
    let requests = server.requests();
    assert!(requests.len() > 3);
    assert!(requests.iter().all(|seen| seen.method == "GET" && seen.body.is_empty()), "{requests:#?}");
}

#[test]
fn doctor_with_probe_leaves_nothing() {
    let right = Right::new();
    let server = right.serve();
    Folder::new().on(&server, "doctor --probe").ends(0);
    assert!(server.requests().iter().any(|seen| seen.method == "POST"), "it writes");
    assert_eq!(right.definitions(), 0, "what was created is removed");
}

#[rstest]
#[case::ctrl_c(Signal::INT)]
#[case::terminate(Signal::TERM)]
fn serve_prints_its_address_and_serves_until_a_signal(#[case] signal: Signal) {
    let folder = Folder::new();
    let serving = folder.start("serve --listen 127.0.0.1:0");
    let url = serving.line();
    assert!(url.starts_with("http://127.0.0.1:") && !url.ends_with(":0"), "{url}");
    let run = folder.crdible(&format!("run --property ver-004-spec-order --cases 5 --server {url} --output json"));
    assert_eq!(run.json(0)["target"]["address"], url);
    let again = format!("serve --listen {}", url.trim_start_matches("http://"));
    folder.crdible(&again).complains(2, &["in use", "127.0.0.1:0"]);
    let ended = serving.end(signal);
    assert_eq!((ended.code, ended.stdout), (Some(0), format!("{url}\n")));
}
