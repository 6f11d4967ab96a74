//! Commands that end early: by their time budget, and by signals.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
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
    process::{Folder, Running, contains, wait_until},
    servers::{Right, adds_a_key, is_about_definitions, is_about_objects, start},
    target_support::{Fake, Reply, Seen, status},
};

/// Starts a run that only a signal ends soon, and waits until it has judged something.
fn long_run(folder: &Folder, server: &Fake) -> Running {
    let running = folder.start_on(server, "run --time 5m --journal j.ndjson");
    folder.wait_for_lines("j.ndjson", 5);
    running
}

/// Whether the tests, and what they start, ignore SIGHUP, which is signal 1: bit 0 of the mask.
fn are_under_nohup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|signals| signals & 1 != 0)
}

#[test]
fn a_time_budget_below_the_minimum_is_inconclusive() {
    // At 50 requests per second no machine is fast enough for 50 cases.
    let ended = Folder::new().crdible("run --property ver-004-spec-order --time 0.1 --qps 50").ends(4);
    ended.prints(&["verdict: incomplete", "ver-004-spec-order judged", "at least 50 cases"]);
}

#[test]
fn the_time_includes_finding_out_what_the_target_can_do() {
    // At five requests per second nothing else is done in a second.
    let ended = Folder::new().crdible("run --time 1s --qps 5").ends(4);
    ended.prints(&["verdict: incomplete", "the time was over while it was found out"]);
}

#[test]
fn a_time_budget_above_the_minimum_is_a_whole_run() {
    // As long as this machine needs for the minimum; not faster than needed,
    // so that it leaves the machine to other tests.
    let run =
        |seconds: u32| Folder::new().crdible(&format!("run --property ver-004-spec-order --time {seconds}s --qps 200"));
    [4, 16, 64, 256].into_iter().map(run).find(|ended| ended.code != Some(4)).expect("a whole run").ends(0);
}

#[rstest]
#[case::ctrl_c(Signal::INT)]
#[case::terminate(Signal::TERM)]
#[case::closed_terminal(Signal::HUP)]
fn an_interrupted_run_reports_and_cleans_up(#[case] signal: Signal) {
    let (folder, right) = (Folder::new(), Right::new());
    let running = long_run(&folder, &right.serve());
    assert!(right.definitions() > 0);
    let ending = if signal == Signal::HUP && are_under_nohup() {
        // So is the run, which goes on then.
        running.signal(signal);
        Signal::INT
    } else {
        signal
    };
    let ended = running.end(ending).ends(130);
    ended.prints(&["the run was interrupted"]);
    ended.remarks(&["interrupt again"]);
    assert_eq!(right.definitions(), 0, "what was created is removed");
    assert!(folder.read("j.ndjson").lines().last().unwrap().contains("\"stop_reason\":\"interrupted\""));
}

#[rstest]
#[case::ctrl_c(Signal::INT)]
#[case::terminate(Signal::TERM)]
fn a_signal_before_the_target_answers_ends_the_run(#[case] signal: Signal) {
    let folder = Folder::new();
    folder.write("silent", "#!/bin/sh\ntouch started\nexec sleep 500\n");
    fs::set_permissions(folder.path("silent"), fs::Permissions::from_mode(0o755)).unwrap();
    let running = folder.start("run --launch ./silent");
    wait_until("the command has begun", || folder.path("started").exists());
    running.end(signal).ends(130).remarks(&["interrupted before the target answered; nothing was created"]);
}

/// A report that is cut off must not look like a whole one.
#[rstest]
#[case::help("--help")]
#[case::help_of_a_command("run --help")]
#[case::list("list")]
#[case::explain("explain PRUNE-001")]
#[case::completions("completions bash")]
#[case::run("run --property ver-004-spec-order --cases 5 --output json")]
#[case::serve("serve")]
fn a_full_disk_is_an_error(#[case] arguments: &str) {
    let (code, errors) = Folder::new().crdible_on_a_full_disk(arguments);
    assert_eq!(code, Some(2), "{errors}");
    contains(&errors, &["cannot write the result to standard output", "No space left"]);
}

#[test]
fn a_journal_that_is_cut_off_is_an_error() {
    let (code, errors) = Folder::new()
        .crdible_with_small_files("run --property ver-004-spec-order --cases 20 --seed 1 --journal run.ndjson");
    assert_eq!(code, Some(2), "{errors}");
    contains(&errors, &["warning: the journal ends here", "error: cannot write the journal run.ndjson"]);
}

/// A server may create a definition after the client has stopped waiting for it.
#[test]
fn a_late_creation_is_removed_too() {
    let right = Right::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let done = Arc::new(AtomicUsize::new(0));
    let (served, begun, ended) = (right.clone(), Arc::clone(&asked), Arc::clone(&done));
    // The preflight tries one as a dry run.
    let creates = |seen: &Seen| seen.method == "POST" && is_about_definitions(seen) && !seen.path.contains("dryRun");
    let server = start(move |seen| {
        begun.fetch_add(usize::from(creates(seen)), Ordering::SeqCst);
        if creates(seen) {
            thread::sleep(Duration::from_secs(1));
        }
        let answer = served.answer(seen).send();
        ended.fetch_add(usize::from(creates(seen)), Ordering::SeqCst);
        answer
    });
    let running = Folder::new().start_on(&server, "run");
    wait_until("a definition is requested", || asked.load(Ordering::SeqCst) > 0);
    let code = running.end(Signal::INT).code;
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
        let run = "run --property prune-001-unknown-keys --cases 1 --output json";
        let report = folder.on(&start(adds_a_key()), run).json(1);
        let path = folder.path(report["failures"][0]["replay"]["path"].as_str().unwrap());
        std::fs::create_dir(folder.path("failures")).unwrap();
        std::fs::rename(path, folder.path("failures/it.json")).unwrap();
    }
    let right = Right::new();
    let server = right.serve_except(|seen| is_about_objects(seen).then(|| status(404, "NotFound", "not yet")));
    let running = folder.start_on(&server, &format!("{command} --patience 5m"));
    wait_until("there is a definition", || right.definitions() > 0);
    running.end(Signal::INT).ends(130);
    assert_eq!(right.definitions(), 0, "what was created is removed");
}

#[test]
fn interrupted_twice_it_prints_how_to_remove_what_is_left() {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let since = Arc::clone(&is_interrupted);
    let hangs =
        move |seen: &Seen| seen.method == "DELETE" && is_about_definitions(seen) && since.load(Ordering::Relaxed);
    let server = Right::new().serve_except(move |seen| hangs(seen).then_some(Reply::Hang));
    let running = long_run(&Folder::new(), &server);
    is_interrupted.store(true, Ordering::Relaxed);
    running.signal(Signal::INT);
    running.wait_for_remark("interrupt again");
    running.end(Signal::INT).ends(130).remarks(&["crdible doctor --clean r"]);
}

#[test]
fn leftovers_of_a_killed_run_are_listed_and_kept_while_it_may_be_alive() {
    let (folder, right) = (Folder::new(), Right::new());
    let server = right.serve();
    long_run(&folder, &server).end(Signal::KILL);
    // Its last requests may still be processed.
    wait_until("nothing more is created", || {
        let before = right.definitions();
        thread::sleep(Duration::from_secs(2));
        right.definitions() == before
    });
    let left = right.definitions();
    assert!(left > 0);
    let diagnosis = folder.on(&server, "doctor").ends(0);
    let run = diagnosis.stdout.lines().find_map(|line| line.trim().strip_prefix("run ")?.split(':').next()).unwrap();
    let words = [run, "may be running until", "stop it first"];
    folder.on(&server, &format!("doctor --clean {run}")).complains(4, &words);
    folder.on(&server, "doctor --older-than 1h").ends(0);
    assert_eq!(right.definitions(), left, "nothing of a run that may be alive is removed");
}
