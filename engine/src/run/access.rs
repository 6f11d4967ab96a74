//! Access to the target during a run: shared or exclusive, and until it is lost.

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, watch};

use crate::connection::Slowdown;

/// Shared and exclusive use of the target, and whether it still answers.
#[derive(Debug, Default)]
pub(crate) struct Access {
    /// Held exclusively by an investigation that must run alone, and shared by everything else that is sent.
    quiet: RwLock<()>,
    /// The last error before the target was lost.
    lost: watch::Sender<Option<String>>,
    /// How slow it has become, if so slow that no more cases begin.
    slow: watch::Sender<Option<Slowdown>>,
    /// Whether it has reached the user's limit of failures.
    failed_enough: watch::Sender<bool>,
    /// No more cases begin.
    is_calm: watch::Sender<bool>,
}

impl Access {
    /// Waits until nothing runs exclusively.
    pub(super) async fn beside_others(&self) -> RwLockReadGuard<'_, ()> {
        self.quiet.read().await
    }

    /// Waits until all cases are done and nothing else runs: stopping
    /// everything in the middle of a run would cost too much.
    pub(super) async fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.until_calm().await;
        self.quiet.write().await
    }

    /// Waits until all cases are done.
    pub(super) async fn until_calm(&self) {
        until(&self.is_calm, |is_calm| is_calm.then_some(())).await;
    }

    /// Records that all cases are done.
    pub(super) fn set_calm(&self) {
        self.is_calm.send_replace(true);
    }

    /// The last error before the target was lost, if it was.
    pub(super) fn lost(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    /// Waits until the target is lost, and returns the last error.
    pub(super) async fn until_lost(&self) -> String {
        until(&self.lost, Option::clone).await
    }

    /// Records that the target is lost.
    pub(super) fn set_lost(&self, error: String) {
        self.lost.send_if_modified(|lost| {
            let is_first = lost.is_none();
            lost.get_or_insert(error);
            is_first
        });
    }

    /// How slow the target has become, if too slow to go on.
    pub(super) fn slow(&self) -> Option<Slowdown> {
        *self.slow.borrow()
    }

    /// Waits until the target is too slow to go on.
    pub(super) async fn until_slow(&self) -> Slowdown {
        until(&self.slow, |slow| *slow).await
    }

    /// Records that the target has become slow.
    pub(super) fn set_slow(&self, slowdown: Slowdown) {
        self.slow.send_replace(Some(slowdown));
    }

    /// Whether the target has reached the user's limit of failures.
    pub(super) fn has_failed_enough(&self) -> bool {
        *self.failed_enough.borrow()
    }

    /// Waits until it has.
    pub(super) async fn until_failed_enough(&self) {
        until(&self.failed_enough, |failed| failed.then_some(())).await;
    }

    /// Records that it has.
    pub(super) fn set_failed_enough(&self) {
        self.failed_enough.send_replace(true);
    }
}

/// Waits until something is there.
async fn until<T, U>(state: &watch::Sender<T>, there: impl Fn(&T) -> Option<U>) -> U {
    let mut changes = state.subscribe();
    loop {
        if let Some(value) = there(&changes.borrow_and_update()) {
            return value;
        }
        // The sender lives as long as `state`, so this never fails.
        if changes.changed().await.is_err() {
            std::future::pending().await
        }
    }
}
