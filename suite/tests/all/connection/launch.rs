//! `--launch`: servers that start, do not start, and do not want to end. Nothing is ever left.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::{good, serve};
use crdible::connection::{Announced, LaunchError, LaunchTimes, Launched, TargetKind, TargetOptions, connect};
use crdible::doctor::preflight;
use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

const TIMES: LaunchTimes = LaunchTimes { start: Duration::from_secs(20), grace: Duration::from_millis(400) };

/// The numbers that a script has written into `file`, once there are `count` of them.
async fn numbers(file: &Path, count: usize) -> Vec<i32> {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') && text.lines().count() >= count {
            return text.lines().map(|line| line.trim().parse().unwrap()).collect();
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "the script has not written its numbers");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Whether the process runs; one that is dead and only waits to be collected does not.
fn runs(number: i32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    let dead = state.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'));
    !dead && Pid::from_raw(number).is_some_and(|pid| test_kill_process(pid).is_ok())
}

async fn assert_gone(number: i32) {
    let begun = Instant::now();
    while runs(number) {
        assert!(begun.elapsed() < Duration::from_secs(10), "process {number} is left");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_url_on_the_first_line() {
    let command = "echo http://127.0.0.1:1234/; echo more; sleep 600";
    let (launched, announced) = Launched::start(command, TIMES).await.unwrap();
    assert_eq!(announced, Announced::Url("http://127.0.0.1:1234/".to_owned()));
    let group = i32::try_from(launched.group()).unwrap();
    assert!(runs(group));
    launched.end().await;
    assert!(!runs(group));
}

#[tokio::test]
async fn a_server_that_exits_by_itself_says_why() {
    let command = "echo http://127.0.0.1:1234/; echo 'no more memory' >&2; exit 7";
    let (mut launched, _) = Launched::start(command, TIMES).await.unwrap();
    while launched.ended().is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let failed = launched.failed().await.unwrap();
    assert!(failed.starts_with(&format!("`{command}` exited by itself (exit status: 7)")), "{failed}");
    assert!(failed.ends_with("no more memory\n"), "{failed}");
    launched.end().await;
    // One that runs says nothing, nor does one that left a server in the background.
    let (mut launched, _) = Launched::start("echo http://127.0.0.1:1234/; exec sleep 600", TIMES).await.unwrap();
    assert_eq!(launched.failed().await, None);
    launched.end().await;
    let (mut launched, _) = Launched::start("sleep 600 & echo http://127.0.0.1:1234/", TIMES).await.unwrap();
    while launched.ended().is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(launched.failed().await, None);
    launched.end().await;
}

#[tokio::test]
async fn a_kubeconfig_on_the_first_line_and_a_whole_run() {
    let fake = serve(good).await;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config");
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{server: '{}'}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n",
        fake.url()
    );
    std::fs::write(&path, text).unwrap();
    let options =
        TargetOptions { launch: Some(format!("echo {}; exec sleep 600", path.display())), ..TargetOptions::default() };
    let mut target = connect(&options).await.unwrap();
    assert_eq!(target.description.kind, TargetKind::Launched);
    assert_eq!(target.description.address.as_deref(), Some(fake.url().as_str()));
    preflight(&target).await.unwrap();
    let group = i32::try_from(target.launched().unwrap().group()).unwrap();
    target.shutdown().await;
    assert!(!runs(group));
}

#[tokio::test]
async fn a_command_that_prints_nothing_is_stopped() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let command = format!("echo $$ >> {}; echo starting >&2; sleep 600", file.display());
    let times = LaunchTimes { start: Duration::from_secs(3), ..TIMES };
    let error = Launched::start(&command, times).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LaunchError::Silent { .. }), "{text}");
    assert!(text.contains("starting") && text.contains("3s"), "{text}");
    assert_gone(numbers(&file, 1).await[0]).await;
}

#[tokio::test]
async fn the_standard_error_of_a_command_that_dies_is_shown() {
    let begun = Instant::now();
    let error = Launched::start("echo no port free >&2; exit 7", TIMES).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LaunchError::Ended { .. }), "{text}");
    assert!(text.contains("no port free") && text.contains('7'), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_command_that_does_not_exist() {
    let error = Launched::start("crdible-no-such-command", TIMES).await.unwrap_err();
    assert!(error.to_string().contains("not found"), "{error}");
}

#[tokio::test]
async fn a_first_line_that_is_no_address() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let command = format!("echo $$ >> {}; echo Listening on port 80; sleep 600", file.display());
    let error = Launched::start(&command, TIMES).await.unwrap_err();
    assert!(matches!(error, LaunchError::Nonsense { .. }), "{error}");
    assert!(error.to_string().contains("Listening on port 80"), "{error}");
    assert_gone(numbers(&file, 1).await[0]).await;
}

#[tokio::test]
async fn a_command_that_closes_its_output_and_stays() {
    let times = LaunchTimes { start: Duration::from_millis(500), ..TIMES };
    let error = Launched::start("exec 1>&-; sleep 600", times).await.unwrap_err();
    assert!(matches!(error, LaunchError::Silent { .. }), "{error}");
}

#[tokio::test]
async fn a_command_that_ignores_term_is_killed_with_its_children() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let command = format!(
        "trap '' TERM; sh -c 'echo $$ >> {0}; while :; do sleep 1; done' & echo $$ >> {0}; echo http://a:1; while :; do sleep 1; done",
        file.display()
    );
    let (launched, _) = Launched::start(&command, TIMES).await.unwrap();
    let numbers = numbers(&file, 2).await;
    assert!(numbers.iter().all(|number| runs(*number)));
    let begun = Instant::now();
    launched.end().await;
    assert!(begun.elapsed() >= TIMES.grace, "TERM comes before KILL");
    for number in numbers {
        assert_gone(number).await;
    }
}

#[tokio::test]
async fn a_grandchild_ends_although_its_parent_ended_first() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let command = format!("(sleep 600 & echo $! >> {0}); echo http://a:1; exit 0", file.display());
    let (launched, _) = Launched::start(&command, TIMES).await.unwrap();
    let grandchild = numbers(&file, 1).await[0];
    assert!(runs(grandchild));
    launched.end().await;
    assert_gone(grandchild).await;
}

#[tokio::test]
async fn dropping_ends_it_too() {
    let (launched, _) = Launched::start("echo http://a:1; sleep 600", TIMES).await.unwrap();
    let group = i32::try_from(launched.group()).unwrap();
    drop(launched);
    assert!(!runs(group));
}

#[tokio::test]
async fn a_talkative_command_is_not_blocked() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let command = format!(
        "echo http://a:1; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; echo the end >&2; echo $$ >> {}; sleep 600",
        file.display()
    );
    let (launched, _) = Launched::start(&command, TIMES).await.unwrap();
    numbers(&file, 1).await;
    let begun = Instant::now();
    while !launched.complaint().ends_with("the end") {
        assert!(begun.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    launched.end().await;
}

#[tokio::test]
async fn credentials_that_the_printed_kubeconfig_would_hide_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config");
    std::fs::write(&path, "kind: Config\n").unwrap();
    let options = TargetOptions {
        launch: Some(format!("echo {}; sleep 600", path.display())),
        token: Some("hunter2".into()),
        ..TargetOptions::default()
    };
    let error = connect(&options).await.unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
}

/// Not a test: the process that the next test kills.
#[tokio::test]
#[ignore = "started by `a_killed_run_leaves_nothing`"]
async fn a_run_that_will_be_killed() {
    let Some(file) = std::env::var_os("CRDIBLE_TEST_PIDS") else {
        return;
    };
    let shown = Path::new(&file).display();
    let command = format!("echo $$ >> {shown}; sleep 600 & echo $! >> {shown}; echo http://a:1; wait");
    let (launched, _) = Launched::start(&command, TIMES).await.unwrap();
    // Its watchdog has been started, too.
    std::fs::OpenOptions::new()
        .append(true)
        .open(&file)
        .and_then(|mut file| std::io::Write::write_fmt(&mut file, format_args!("{}\n", launched.group())))
        .unwrap();
    tokio::time::sleep(Duration::from_secs(600)).await;
}

#[tokio::test]
async fn a_killed_run_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let mut run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "connection::launch::a_run_that_will_be_killed", "--ignored"])
        .env("CRDIBLE_TEST_PIDS", &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The third is written when the watchdog has been started.
    let numbers = numbers(&file, 3).await;
    assert!(numbers.iter().all(|number| runs(*number)));
    run.kill().unwrap();
    run.wait().unwrap();
    for number in numbers {
        assert_gone(number).await;
    }
}

#[tokio::test]
async fn the_standard_error_is_written_to_a_log() {
    let folder = tempfile::TempDir::new().unwrap();
    let log = folder.path().join("server.log");
    for times in 1..=2 {
        let command = "echo a traceback >&2; echo http://127.0.0.1:1; sleep 600";
        let (launched, _) = Launched::start_logged(command, TIMES, Some(&log)).await.unwrap();
        let expected = "a traceback\n".repeat(times);
        while std::fs::read_to_string(&log).unwrap() != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        launched.end().await;
    }
    let error = Launched::start_logged("echo x", TIMES, Some(folder.path())).await.unwrap_err();
    assert!(matches!(error, LaunchError::Log { .. }), "{error}");
}
