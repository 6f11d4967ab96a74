//! The investigations of a run: they go on beside its cases, a limited number at once, and end with the run.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task::{AbortHandle, JoinError, JoinHandle},
};

use super::symptom::area;

/// After this many investigations of new failures the others are brief: with many
/// failures, their count matters more than each.
const THOROUGH: usize = 16;
/// Failures with the symptom of a confirmed one are not shrunk, nor are
/// further ones in an area with this many confirmed.
const ENOUGH_OF_AN_AREA: usize = 8;

/// Investigations that have begun, or wait for their turn.
#[derive(Debug)]
pub(super) struct Investigations {
    turns: Semaphore,
    /// How many investigations of new failures have started.
    begun: AtomicUsize,
    /// Held by each that was started and has not ended.
    open: Arc<()>,
    /// How many failures of each symptom and of each area were confirmed.
    confirmed: Mutex<BTreeMap<String, usize>>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
    aborts: Mutex<Vec<AbortHandle>>,
}

/// The permission to investigate.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    _permit: SemaphorePermit<'a>,
    pub(super) depth: Depth,
}

/// How much work an investigation may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// Only confirmed: other failures show the same.
    Confirmed,
    /// Shrunk with fewer executions.
    Brief,
    /// Shrunk as far as the options say.
    Thorough,
}

impl Investigations {
    /// Investigations, of which this many run at once.
    pub(super) fn new(at_once: usize) -> Self {
        Self {
            turns: Semaphore::new(at_once.max(1)),
            begun: AtomicUsize::new(0),
            open: Arc::default(),
            confirmed: Mutex::default(),
            tasks: Mutex::default(),
            aborts: Mutex::default(),
        }
    }

    /// Whether some have not ended.
    pub(super) fn are_open(&self) -> bool {
        Arc::strong_count(&self.open) > 1
    }

    /// Starts one, which begins by waiting for its turn.
    pub(super) fn start(&self, investigation: impl Future<Output = ()> + Send + 'static) {
        let open = Arc::clone(&self.open);
        let task = tokio::spawn(async move {
            investigation.await;
            drop(open);
        });
        locked(&self.aborts).push(task.abort_handle());
        locked(&self.tasks).push(task);
    }

    /// Waits for a turn to investigate a failure with this symptom; `None` once no more may
    /// begin. `is_new` says that the failure is not known.
    pub(super) async fn turn(&self, symptom: &str, is_new: bool) -> Option<Turn<'_>> {
        let permit = self.turns.acquire().await.ok()?;
        let count = |text: &str| locked(&self.confirmed).get(text).copied().unwrap_or_default();
        let is_seen = count(symptom) > 0 || count(area(symptom)) >= ENOUGH_OF_AN_AREA;
        let depth = if is_seen {
            Depth::Confirmed
        } else if self.begun.fetch_add(usize::from(is_new), Ordering::Relaxed) >= THOROUGH {
            Depth::Brief
        } else {
            Depth::Thorough
        };
        Some(Turn { _permit: permit, depth })
    }

    /// Records that a failure with this symptom was confirmed.
    pub(super) fn confirmed(&self, symptom: &str) {
        let mut confirmed = locked(&self.confirmed);
        *confirmed.entry(symptom.to_owned()).or_default() += 1;
        if area(symptom) != symptom {
            *confirmed.entry(area(symptom).to_owned()).or_default() += 1;
        }
    }

    /// Waits until all have ended. The error is that of one that panicked.
    pub(super) async fn all_ended(&self) -> Result<(), JoinError> {
        loop {
            let next = locked(&self.tasks).pop();
            let Some(task) = next else { return Ok(()) };
            match task.await {
                Err(error) if error.is_panic() => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
    }

    /// Starts no more investigations.
    pub(super) fn begin_no_more(&self) {
        self.turns.close();
    }

    /// Aborts them, and waits until all have stopped: the clean-up must know everything that they
    /// created. Returns the error of one that panicked.
    pub(super) async fn abort(&self) -> Option<JoinError> {
        self.begin_no_more();
        let tasks: Vec<AbortHandle> = locked(&self.aborts).drain(..).collect();
        tasks.iter().for_each(AbortHandle::abort);
        let panic = self.all_ended().await.err();
        // Includes those whose handle is awaited elsewhere.
        while !tasks.iter().all(AbortHandle::is_finished) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
