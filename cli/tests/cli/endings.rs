//! Commands that end early: by their time budget, and by signals.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rstest::rstest;
use rustix::process::Signal;

use crate::{
    process::{Folder, Running, wait_until},
    servers::{Right, adds_a_key, is_about_definitions, is_about_objects, start},
    target_support::{Reply, Seen, status},
};

/// Starts a run that only a signal ends soon, and waits until it has judged something.
fn long_run(folder: &Folder, url: &str) -> Running {
    let running = folder.start(&format!("run --time 5m --journal j.ndjson --server {url}"));
    wait_until("cases are in the journal", || {
        std::fs::read_to_string(folder.path("j.ndjson")).is_ok_and(|text| text.lines().count() > 5)
    });
    running
}

#[test]
fn a_time_budget_below_the_minimum_is_inconclusive() {
    // At 50 requests per second no machine is fast enough for 50 cases.
    let ended = Folder::new().crdible("run --property ver-004-spec-order --time 0.1 --qps 50");
    assert_eq!(ended.code, Some(4), "{ended:#?}");
    for words in ["verdict: incomplete", "ver-004-spec-order judged", "at least 50 cases"] {
        assert!(ended.stdout.contains(words), "no {words:?} in {}", ended.stdout);
    }
}

#[test]
fn a_time_budget_above_the_minimum_is_a_whole_run() {
    // As long as this machine needs for the minimum; not faster than needed,
    // so that it leaves the machine to other tests.
    let run =
        |seconds: u32| Folder::new().crdible(&format!("run --property ver-004-spec-order --time {seconds}s --qps 200"));
    let ended = [4, 16, 64, 256].into_iter().map(run).find(|ended| ended.code != Some(4)).expect("a whole run");
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[rstest]
#[case::ctrl_c(Signal::INT)]
#[case::terminate(Signal::TERM)]
fn an_interrupted_run_reports_and_cleans_up(#[case] signal: Signal) {
    let right = Right::new();
    let served = right.clone();
    let server = start(move |seen| served.answer(seen).send());
    let folder = Folder::new();
    let running = long_run(&folder, &server.url());
    assert!(right.definitions() > 0);
    running.signal(signal);
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{ended:#?}");
    assert!(ended.stdout.contains("the run was interrupted"), "{}", ended.stdout);
    assert!(ended.stderr.contains("interrupt again"), "{}", ended.stderr);
    assert_eq!(right.definitions(), 0, "what was created is removed");
    assert!(folder.read("j.ndjson").lines().last().unwrap().contains("\"stop_reason\":\"interrupted\""));
}

/// A server may create a definition after the client has stopped waiting for it.
#[test]
fn a_late_creation_is_removed_too() {
    let right = Right::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let done = Arc::new(AtomicUsize::new(0));
    let (served, begun, ended) = (right.clone(), Arc::clone(&asked), Arc::clone(&done));
    let server = start(move |seen| {
        // The preflight tries one as a dry run.
        if seen.method != "POST" || !is_about_definitions(seen) || seen.path.contains("dryRun") {
            return served.answer(seen).send();
        }
        begun.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_secs(1));
        let answer = served.answer(seen).send();
        ended.fetch_add(1, Ordering::SeqCst);
        answer
    });
    let running = Folder::new().start(&format!("run --server {}", server.url()));
    wait_until("a definition is requested", || asked.load(Ordering::SeqCst) > 0);
    running.signal(Signal::INT);
    let code = running.wait().code;
    wait_until("all were created", || done.load(Ordering::SeqCst) == asked.load(Ordering::SeqCst));
    assert_eq!((code, right.definitions()), (Some(130), 0), "what was created is removed");
}

/// A run waits for a definition that is never served as long as its patience lasts; a signal ends the wait.
#[rstest]
#[case::run("run")]
#[case::replay("replay failures/it.json")]
fn interrupted_while_it_waits(#[case] command: &str) {
    let folder = Folder::new();
    if command.starts_with("replay") {
        let faulty = start(adds_a_key());
        let found = format!("run --property prune-001-unknown-keys --cases 1 --output json --server {}", faulty.url());
        let report = folder.crdible(&found).json(1);
        let path = report["failures"][0]["replay"]["path"].as_str().unwrap();
        std::fs::create_dir(folder.path("failures")).unwrap();
        std::fs::rename(folder.path(path), folder.path("failures/it.json")).unwrap();
    }
    let right = Right::new();
    let served = right.clone();
    let server =
        start(
            move |seen| {
                if is_about_objects(seen) { status(404, "NotFound", "not yet") } else { served.answer(seen).send() }
            },
        );
    let running = folder.start(&format!("{command} --patience 5m --server {}", server.url()));
    wait_until("there is a definition", || right.definitions() > 0);
    running.signal(Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{ended:#?}");
    assert_eq!(right.definitions(), 0, "what was created is removed");
}

#[test]
fn interrupted_twice_it_prints_how_to_remove_what_is_left() {
    let right = Right::new();
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let since = Arc::clone(&is_interrupted);
    let hangs =
        move |seen: &Seen| seen.method == "DELETE" && is_about_definitions(seen) && since.load(Ordering::Relaxed);
    let server = start(move |seen| if hangs(seen) { Reply::Hang } else { right.answer(seen).send() });
    let folder = Folder::new();
    let running = long_run(&folder, &server.url());
    is_interrupted.store(true, Ordering::Relaxed);
    running.signal(Signal::INT);
    running.wait_for_remark("interrupt again");
    running.signal(Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{ended:#?}");
    assert!(ended.stderr.contains("crdible doctor --clean r"), "{}", ended.stderr);
}

#[test]
fn leftovers_of_a_killed_run_are_listed_and_kept_while_it_may_be_alive() {
    let right = Right::new();
    let served = right.clone();
    let server = start(move |seen| served.answer(seen).send());
    let (folder, url) = (Folder::new(), server.url());
    let running = long_run(&folder, &url);
    running.signal(Signal::KILL);
    running.wait();
    // Its last requests may still be processed.
    wait_until("nothing more is created", || {
        let before = right.definitions();
        thread::sleep(Duration::from_secs(2));
        right.definitions() == before
    });
    let left = right.definitions();
    assert!(left > 0);
    let diagnosis = folder.crdible(&format!("doctor --server {url}"));
    assert_eq!(diagnosis.code, Some(0), "{diagnosis:#?}");
    let run = diagnosis.stdout.lines().find_map(|line| line.trim().strip_prefix("run ")?.split(':').next()).unwrap();
    folder
        .crdible(&format!("doctor --clean {run} --server {url}"))
        .complains(4, &[run, "may be running until", "stop it first"]);
    assert_eq!(folder.crdible(&format!("doctor --older-than 1h --server {url}")).code, Some(0));
    assert_eq!(right.definitions(), left, "nothing of a run that may be alive is removed");
}
