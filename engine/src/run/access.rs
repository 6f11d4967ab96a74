//! Access to the target during a run: shared or exclusive, and until it is lost.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use tokio::{
    sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, Semaphore, SemaphorePermit, watch},
    time::timeout,
};

use crate::connection::Slowdown;

/// If all cases are done within this time, an investigation waits for that.
const SOON: Duration = Duration::from_secs(10);
/// If no more than this many investigations wait until they can run alone, they do so one after the other.
const FEW: usize = 3;

/// Shared and exclusive use of the target, and whether it still answers.
#[derive(Debug)]
pub(crate) struct Access {
    /// How many investigations wait until they can run alone, or do.
    queue: AtomicUsize,
    /// Held by those that wait for what takes long beside other work, since they hold definitions all the time.
    patient: Semaphore,
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

/// A place among the investigations that wait until they can run alone.
#[derive(Debug)]
pub(super) struct Queued<'a>(&'a AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Access {
    /// The access of a run that has not begun, with this many workers.
    pub(super) fn new(workers: usize) -> Self {
        Self {
            queue: AtomicUsize::new(0),
            // With three attempts each, they leave as many definitions to the workers.
            patient: Semaphore::new((workers / 3).max(1)),
            quiet: RwLock::default(),
            lost: watch::Sender::default(),
            slow: watch::Sender::default(),
            failed_enough: watch::Sender::default(),
            is_calm: watch::Sender::default(),
        }
    }

    /// Takes a place among the investigations that wait until they can run alone.
    pub(super) fn queued(&self) -> Queued<'_> {
        self.queue.fetch_add(1, Ordering::Relaxed);
        Queued(&self.queue)
    }

    /// Waits until it is the turn of an investigation to run alone soon; then there is nothing to return. If that takes
    /// long, since cases go on or many others wait, the permission to run beside other work.
    pub(super) async fn unless_soon_alone(&self) -> Option<SemaphorePermit<'_>> {
        let is_soon = timeout(SOON, self.until_calm()).await.is_ok() && self.queue.load(Ordering::Relaxed) <= FEW;
        if is_soon { None } else { self.patient.acquire().await.ok() }
    }

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

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::{Access, FEW, SOON};

    #[tokio::test(start_paused = true)]
    async fn few_investigations_wait_until_they_can_run_alone() {
        let access = Access::new(3);
        access.set_calm();
        let _few: Vec<_> = (0..FEW).map(|_| access.queued()).collect();
        assert!(access.unless_soon_alone().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn many_run_beside_other_work() {
        let access = Access::new(3);
        access.set_calm();
        let mut queued: Vec<_> = (0..=FEW).map(|_| access.queued()).collect();
        assert!(access.unless_soon_alone().await.is_some());
        queued.pop();
        assert!(access.unless_soon_alone().await.is_none(), "enough of them have ended");
    }

    #[tokio::test(start_paused = true)]
    async fn one_does_not_wait_for_long_until_all_cases_are_done() {
        let access = Access::new(3);
        let (_queued, begun) = (access.queued(), Instant::now());
        assert!(access.unless_soon_alone().await.is_some());
        assert_eq!(begun.elapsed(), SOON);
        let late = async {
            tokio::time::sleep(SOON / 2).await;
            access.set_calm();
        };
        let (alone, ()) = tokio::join!(access.unless_soon_alone(), late);
        assert!(alone.is_none(), "they are done soon");
    }
}
