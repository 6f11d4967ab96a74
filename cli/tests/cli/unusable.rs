//! Exit code 3: targets that cannot be used, each with its own message.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use rstest::rstest;
use serde_json::json;

use crate::{
    process::Folder,
    servers::{DEFINITIONS, Right, is_about_definitions, is_about_objects, start},
    target_support::{self, Reply, Seen, answer, good, status},
};

fn html(_: &Seen) -> Reply {
    answer("200 OK", "text/html", "", "<!DOCTYPE html><html><body>Welcome</body></html>")
}

fn other_json(_: &Seen) -> Reply {
    target_support::json("200 OK", &json!({ "hello": "world" }))
}

fn closes(_: &Seen) -> Reply {
    Reply::Close
}

fn without_apiextensions(seen: &Seen) -> Reply {
    if seen.path == "/version" { good(seen) } else { answer("404 Not Found", "text/plain", "", "404 page not found") }
}

fn rejects_credentials(_: &Seen) -> Reply {
    status(401, "Unauthorized", "Unauthorized")
}

fn forbids_definitions(seen: &Seen) -> Reply {
    match seen.method.as_str() {
        "POST" => status(403, "Forbidden", "user eve cannot create customresourcedefinitions"),
        _ => good(seen),
    }
}

/// Passes the preflight, but closes the connection on writes.
fn closes_on_writes(seen: &Seen) -> Reply {
    if seen.method == "GET" { good(seen) } else { Reply::Close }
}

fn refuses_lists(seen: &Seen) -> Reply {
    if is_about_definitions(seen) { status(500, "InternalError", "etcd is on fire") } else { good(seen) }
}

#[rstest]
#[case::html(html, &["not a Kubernetes API server", "HTML", "check the address"])]
#[case::other_json(other_json, &["not a Kubernetes API server", "other JSON"])]
#[case::closes(closes, &["closed before the response was complete", "log of the server"])]
#[case::without_apiextensions(
    without_apiextensions, &["serves no CustomResourceDefinitions", "apiextensions.k8s.io/v1"]
)]
#[case::rejects_credentials(rejects_credentials, &["does not accept the credentials", "--token"])]
#[case::forbids_definitions(forbids_definitions, &["forbids", "403", "deploy/guest.yaml"])]
#[case::refuses_lists(refuses_lists, &["unexpected response", "etcd is on fire"])]
fn servers(#[case] server: fn(&Seen) -> Reply, #[case] words: &[&str]) {
    let folder = Folder::new();
    let server = start(server);
    folder.on(&server, "run --patience 0.1").complains(3, words);
    assert!(folder.everything().is_empty(), "there is nothing to keep");
}

/// It takes definitions, but no user may write what they define: that is no missing capability.
#[test]
fn objects_are_forbidden() {
    let server = Right::new().serve_except(|seen| {
        let is_create = seen.method == "POST" && is_about_objects(seen) && seen.path.contains(".crdible.dev/");
        is_create.then(|| status(403, "Forbidden", "user eve cannot create things"))
    });
    let folder = Folder::new();
    let run = folder.on(&server, "run --patience 0.1");
    run.complains(3, &["forbids", "POST /apis/", "403", "user eve", "deploy/guest.yaml"]);
    assert!(folder.everything().is_empty(), "there is nothing to keep");
}

/// It answers, so that is what it does with a write.
#[test]
fn a_server_that_closes_the_connection_on_writes_is_nonconformant() {
    let folder = Folder::new();
    let ended = folder.on(&start(closes_on_writes), "run --patience 0.1").ends(1);
    ended.prints(&["the connection ends without an answer", "capability-definitions", DEFINITIONS]);
}

#[test]
fn nothing_listens() {
    let address = "127.0.0.1:1";
    let (folder, words) = (Folder::new(), ["cannot reach", address, "connection refused", "check that"]);
    folder.crdible(&format!("run --server http://{address}")).complains(3, &words);
    let ended = folder.crdible(&format!("doctor --server http://{address}")).ends(3);
    // A diagnosis is a result.
    ended.prints(&["unusable"]);
}

#[test]
fn a_command_that_does_not_start_a_server() {
    Folder::new().crdible("run --launch false").complains(3, &["`false`", "before it printed a URL", "manually"]);
}

#[test]
fn a_launched_server_that_exits_says_why() {
    let folder = Folder::new();
    let pid = folder.path("pid");
    // A connection is closed only when the command has exited: from then on its last state is that of a zombie.
    let server = start(move |_| {
        let exited = || {
            let pid = fs::read_to_string(&pid).ok().filter(|pid| pid.ends_with('\n'))?;
            let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).ok()?;
            Some(stat.rsplit(')').next()?.trim_start().starts_with('Z'))
        };
        while exited() != Some(true) {
            thread::sleep(Duration::from_millis(5));
        }
        Reply::Close
    });
    let says = format!("echo $$ > pid\necho {}\necho 'panic: no more memory' >&2\nexit 7\n", server.url());
    folder.write_program("server.sh", &format!("#!/bin/sh\n{says}"));
    // Arguments of tests have no spaces.
    let ended = folder.crdible("run --launch exec${IFS}./server.sh").ends(3);
    let words = ["`exec${IFS}./server.sh` exited by itself", "exit status: 7", "panic: no more memory"];
    assert!(words.iter().all(|word| ended.stderr.contains(word)), "{}", ended.stderr);
}

#[test]
fn a_server_that_goes_away_is_reported() {
    let objects = AtomicUsize::new(0);
    let server = Right::new().serve_except(move |seen| {
        // The capabilities are tried, and some cases are judged; then the server stops answering.
        let written = objects.fetch_add(usize::from(is_about_objects(seen)), Ordering::Relaxed);
        (written > 100).then_some(Reply::Close)
    });
    let run = "run --property prune-001-unknown-keys --cases 5000 --output json --patience 0.1";
    let report = Folder::new().on(&server, run).json(3);
    assert_eq!(report["verdict"], "unusable");
    assert_eq!(report["failures"], json!([]), "errors are not findings");
}
