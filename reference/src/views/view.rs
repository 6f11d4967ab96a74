//! The objects of a definition at one version, as far as a webhook has converted them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch;

use super::origin::Origin;
use super::version::Version;
use crate::base::locks::lock;
use crate::base::status::Failure;
use crate::store::{Mirror, Reading, Seen};
use crate::webhooks::conversion::Deadline;
use crate::wire::deep;

/// How long a request waits for a view to be fresh enough, or to be filled for the first time.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often a waiting thread looks at the clock.
const GLANCE: Duration = Duration::from_millis(10);
/// How the time in which a view cannot be filled becomes the number of seconds after which clients should ask again.
const GROWTH: f64 = 0.06;
const LONGEST_RETRY: f64 = 30.0;

/// The objects of a definition at one version.
pub(crate) struct View {
    pub(super) origin: Arc<Origin>,
    /// The index of the version.
    at: usize,
    started: AtomicBool,
    /// Turns true when it ends.
    ended: watch::Sender<bool>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    phase: Phase,
    /// What it had last.
    last: Option<Arc<Mirror>>,
}

enum Phase {
    /// Objects cannot be shown, since this time.
    Filling {
        since: SystemTime,
        /// Why, once filling has failed.
        failure: Option<String>,
    },
    Ready(Arc<Mirror>),
}

/// A view is not as fresh as required.
pub(crate) struct NotFresh {
    /// The revision up to which it is complete.
    pub(crate) current: u64,
}

impl View {
    pub(super) fn new(origin: Arc<Origin>, at: usize) -> Self {
        let phase = Phase::Filling { since: origin.clock.now(), failure: None };
        Self {
            origin,
            at,
            started: AtomicBool::new(false),
            ended: watch::Sender::new(false),
            state: Mutex::new(State { phase, last: None }),
            changed: Condvar::new(),
        }
    }

    /// How its objects are read: as they are.
    pub(crate) fn reading(&self) -> Reading {
        self.version().reading
    }

    /// The version at which it shows objects.
    pub(super) fn version(&self) -> &Version {
        &self.origin.versions[self.at]
    }

    /// Whether the caller has to start filling it: true only at the first call.
    pub(super) fn begins(&self) -> bool {
        !self.started.swap(true, Ordering::SeqCst)
    }

    /// Ends it, and the watches that it serves.
    pub(super) fn end(&self) {
        let state = self.state();
        self.ended.send_replace(true);
        if let Some(mirror) = &state.last {
            mirror.life().end();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What it has, if it is ready; 429 if objects cannot be converted now (CONV-022). Waits until it is known whether
    /// they can.
    pub(crate) fn ready(&self, deadline: Deadline) -> Result<Arc<Mirror>, Failure> {
        let mut wait = Wait::begin(self, deadline);
        let mut state = self.state();
        loop {
            match &state.phase {
                Phase::Ready(mirror) => return Ok(Arc::clone(mirror)),
                Phase::Filling { since, failure } => {
                    if failure.is_some() || self.has_ended() || wait.is_over(self)? {
                        return Err(self.unready(*since, failure.as_deref()));
                    }
                }
            }
            state = self.glance(state);
        }
    }

    /// What it has, if it is ready without waiting.
    pub(crate) fn is_ready(&self) -> Option<Arc<Mirror>> {
        match &self.state().phase {
            Phase::Ready(mirror) => Some(Arc::clone(mirror)),
            Phase::Filling { .. } => None,
        }
    }

    /// Why it could not be filled.
    pub(crate) fn failure(&self) -> Option<String> {
        match &self.state().phase {
            Phase::Ready(_) => None,
            Phase::Filling { failure, .. } => failure.clone(),
        }
    }

    /// Waits until the mirror is complete up to a revision.
    pub(crate) fn fresh(
        &self,
        mirror: &Mirror,
        revision: u64,
        deadline: Deadline,
    ) -> Result<Result<(), NotFresh>, Failure> {
        let mut wait = Wait::begin(self, deadline);
        let mut state = self.state();
        loop {
            if mirror.until() >= revision {
                return Ok(Ok(()));
            }
            if let Ok(changes) = self.origin.instances.changes(mirror.until(), 1)
                && changes.changes.is_empty()
            {
                // Whatever happened does not concern this collection.
                mirror.complete(changes.until);
                if mirror.until() >= revision {
                    return Ok(Ok(()));
                }
            }
            if self.has_ended() || wait.is_over(self)? {
                return Ok(Err(NotFresh { current: mirror.until() }));
            }
            state = self.glance(state);
        }
    }

    /// An object as it was seen last, even if that is long ago.
    pub(crate) fn last_seen(&self, key: &str) -> Option<Seen> {
        let last = self.state().last.clone();
        last?.get(key)
    }

    pub(super) fn has_ended(&self) -> bool {
        *self.ended.borrow()
    }

    /// Returns a receiver that turns true when it ends.
    pub(super) fn ends(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// From now on it shows this.
    pub(super) fn set_ready(&self, mirror: &Arc<Mirror>) {
        let mut state = self.state();
        state.phase = Phase::Ready(Arc::clone(mirror));
        state.last = Some(Arc::clone(mirror));
        if self.has_ended() {
            mirror.life().end();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// From now on it shows nothing, for this reason if there is one.
    pub(super) fn set_unready(&self, why: Option<String>) {
        let mut state = self.state();
        match &mut state.phase {
            Phase::Filling { failure, .. } => *failure = why,
            phase @ Phase::Ready(_) => *phase = Phase::Filling { since: self.origin.clock.now(), failure: why },
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Tells those who wait that there is something new.
    pub(super) fn notify(&self) {
        // With the lock, so that it is not missed between looking and waiting.
        drop(self.state());
        self.changed.notify_all();
    }

    /// Lets a time pass, unless it ends before.
    pub(super) fn pause(&self, time: Duration) {
        deep::give_back();
        let until = Instant::now() + time;
        let mut state = self.state();
        while !self.has_ended() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn unready(&self, since: SystemTime, why: Option<&str>) -> Failure {
        let down = self.origin.clock.now().duration_since(since).unwrap_or_default();
        let seconds = (GROWTH * down.as_secs_f64()).exp().clamp(1.0, LONGEST_RETRY);
        let suffix = why.map(|why| format!(": {why}")).unwrap_or_default();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 30")]
        Failure::busy(format!("storage is (re)initializing{suffix}"), seconds as u64)
    }

    fn glance<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// How long a request has waited: by the server's clock, and by the real one if that stands still.
struct Wait {
    begun: SystemTime,
    until: Instant,
    deadline: Deadline,
}

impl Wait {
    fn begin(view: &View, deadline: Deadline) -> Self {
        Self { begun: view.origin.clock.now(), until: Instant::now() + PATIENCE, deadline }
    }

    /// Whether it has waited long enough. The error is that the request has no time left.
    fn is_over(&mut self, view: &View) -> Result<bool, Failure> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Failure::late());
        }
        let waited = view.origin.clock.now().duration_since(self.begun).unwrap_or_default();
        Ok(now >= self.until || waited >= PATIENCE)
    }
}
