//! Ctrl-C, SIGTERM and SIGHUP.

use crdible::run::Interrupt;
use crdible_reports::ExitCode as Code;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::output;

/// The signals that end a command, from the creation of this value on: none is lost between two waits.
#[derive(Debug)]
pub(crate) struct Signals {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    /// The terminal was closed.
    hangup: Option<Signal>,
}

impl Signals {
    /// Starts listening. A signal for which listening fails keeps its default effect.
    pub(crate) fn listen() -> Self {
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
            hangup: if survives_hangups() { None } else { signal(SignalKind::hangup()).ok() },
        }
    }

    /// Returns at the next signal.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            () = one(self.interrupt.as_mut()) => {}
            () = one(self.terminate.as_mut()) => {}
            () = one(self.hangup.as_mut()) => {}
        }
    }
}

/// Whether the command is to go on when its terminal is closed, as `nohup` has it: it ignores SIGHUP, and listening
/// would undo that. If the system does not say so, the command does not listen, and SIGHUP keeps its default effect.
fn survives_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // SIGHUP is signal 1, which is bit 0.
    ignored.is_none_or(|signals| signals & 1 != 0)
}

/// Returns at Ctrl-C, SIGTERM or SIGHUP.
pub(crate) async fn terminated() {
    Signals::listen().next().await;
}

/// An interrupt that the first of these signals raises, so that the runs with these IDs clean up. The second one ends
/// the process at once.
pub(crate) fn interrupt_runs(runs: Vec<String>, mut signals: Signals) -> Interrupt {
    let (raise, interrupt) = Interrupt::new();
    tokio::spawn(async move {
        signals.next().await;
        output::remark("interrupted: removing what was created; interrupt again to skip that");
        let _ = raise.send(true);
        signals.next().await;
        let commands: Vec<String> = runs.iter().map(|run| format!("`crdible doctor --clean {run}`")).collect();
        output::remark(&format!("not cleaned up; use {}", commands.join(" and ")));
        std::process::exit(i32::from(Code::INTERRUPTED));
    });
    interrupt
}

async fn one(signal: Option<&mut Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}
