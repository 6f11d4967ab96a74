//! Process groups: a program and all processes that it starts.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// Kills the group of `leader`. It is not an error if the group does not exist.
pub(super) fn kill(leader: u32) {
    signal(leader, Signal::KILL);
}

/// Sends TERM to the group of `leader`. It is not an error if the group does not exist.
pub(super) fn terminate(leader: u32) {
    signal(leader, Signal::TERM);
}

/// Waits until no process of the group is left, at most until `deadline`. Returns whether none is left.
pub(super) fn wait_until_gone(leader: u32, deadline: Instant) -> bool {
    loop {
        if !exists(leader) {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process of the group is running.
///
/// Zombies do not count where `/proc` shows them: in many containers the first process reaps them seconds later, or
/// never.
fn exists(leader: u32) -> bool {
    pid(leader).is_some_and(|pid| test_kill_process_group(pid).is_ok()) && runs_in_proc(leader).unwrap_or(true)
}

/// Whether `/proc` lists a running process of the group; `None` if there is no such `/proc`.
fn runs_in_proc(leader: u32) -> Option<bool> {
    let mut known = false;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        // Processes start and exit while the folder is read.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // `pid (name) state parent group …`; the name may contain any character.
        let Some((_, rest)) = stat.rsplit_once(')') else {
            continue;
        };
        let mut fields = rest.split_ascii_whitespace();
        let (state, group) = (fields.next(), fields.nth(1));
        known = true;
        if group.and_then(|group| group.parse().ok()) == Some(leader) && !matches!(state, Some("Z" | "X")) {
            return Some(true);
        }
    }
    known.then_some(false)
}

fn signal(leader: u32, signal: Signal) {
    if let Some(pid) = pid(leader) {
        // The only possible error is that the group does not exist.
        let _ = kill_process_group(pid, signal);
    }
}

fn pid(leader: u32) -> Option<Pid> {
    // 0 would mean our own group, and 1 all processes.
    i32::try_from(leader).ok().filter(|number| *number > 1).and_then(Pid::from_raw)
}
