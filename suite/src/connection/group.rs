//! Process groups: a started program together with all that it starts.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// Ends the group of `leader` at once. A group that is gone is no error.
pub(super) fn kill(leader: u32) {
    signal(leader, Signal::KILL);
}

/// Asks the group of `leader` to end. A group that is gone is no error.
pub(super) fn terminate(leader: u32) {
    signal(leader, Signal::TERM);
}

/// Waits until no process of the group is left, at most until `deadline`; tells whether none is.
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

/// Whether a process of the group runs still.
///
/// Dead processes that nobody has waited for do not count where `/proc` tells them apart: in many
/// containers the first process collects them seconds later, or never.
fn exists(leader: u32) -> bool {
    pid(leader).is_some_and(|pid| test_kill_process_group(pid).is_ok()) && runs_in_proc(leader).unwrap_or(true)
}

/// Whether `/proc` lists a living process of the group; `None` if there is no such `/proc`.
fn runs_in_proc(leader: u32) -> Option<bool> {
    let mut known = false;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        // Processes come and go while the folder is read.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // `pid (name) state parent group …`, where the name may hold anything.
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
        // The one possible error here is that the group is gone.
        let _ = kill_process_group(pid, signal);
    }
}

fn pid(leader: u32) -> Option<Pid> {
    // 0 would mean our own group, and 1 everybody.
    i32::try_from(leader).ok().filter(|number| *number > 1).and_then(Pid::from_raw)
}
