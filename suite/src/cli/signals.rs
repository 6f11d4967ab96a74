//! Ctrl-C and SIGTERM.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end a command, from the moment on at which it is made: none is lost between two waits.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
}

impl Signals {
    /// Listens from now on. A signal that cannot be listened to keeps its usual effect.
    pub(super) fn listen() -> Self {
        Self { interrupt: signal(SignalKind::interrupt()).ok(), terminate: signal(SignalKind::terminate()).ok() }
    }

    /// Returns at the next signal.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            () = one(self.interrupt.as_mut()) => {}
            () = one(self.terminate.as_mut()) => {}
        }
    }
}

/// Returns at Ctrl-C or SIGTERM.
pub(super) async fn terminated() {
    Signals::listen().next().await;
}

async fn one(signal: Option<&mut Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}
