//! Which events are kept: those that were written within the last hour, and of these so many at most (REST-079).

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::PLURAL;
use crate::engine::Engine;
use crate::storage::{Collection, ListQuery, Stored};

/// How long an event is kept after its latest write, as by default upstream.
const KEPT_FOR: Duration = Duration::from_secs(3600);
/// Writes within such a time go together.
const SPAN: Duration = Duration::from_secs(1);
/// How often somebody looks whether an event goes, if no request does.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// All events.
pub(crate) struct Events {
    engine: Arc<Engine>,
    collection: Arc<dyn Collection>,
    /// How many are kept at most.
    most: usize,
    /// When events were written, oldest first; no more than there are spans in the time for which they are kept.
    spans: Mutex<VecDeque<Span>>,
}

/// Writes that came at about the same time.
struct Span {
    /// No write after this time is among them.
    ends: SystemTime,
    /// The store's revision after the latest of them.
    revision: u64,
}

impl Events {
    /// At most so many events are kept.
    pub(crate) fn new(engine: Arc<Engine>, most: usize) -> Self {
        let collection = engine.store.collection(PLURAL);
        Self { engine, collection, most, spans: Mutex::default() }
    }

    pub(crate) fn collection(&self) -> &Arc<dyn Collection> {
        &self.collection
    }

    /// Takes note of a write that was stored. If there are too many events now, the oldest go: a tenth at once, so that they need not
    /// be looked through for each.
    pub(crate) fn note_write(&self) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, revision) = (self.engine.clock.now(), self.engine.store.revision());
        match spans.back_mut() {
            Some(latest) if now < latest.ends => latest.revision = revision,
            _ => spans.push_back(Span { ends: now + SPAN, revision }),
        }
        if self.collection.len() > self.most {
            let mut written: Vec<u64> = self.up_to(u64::MAX).into_iter().map(|(_, stored)| stored.revision).collect();
            let surplus = written.len().saturating_sub(self.most - self.most / 10);
            if let Some(last) = surplus.checked_sub(1) {
                let (_, youngest, _) = written.select_nth_unstable(last);
                self.remove_up_to(*youngest);
            }
        }
    }

    /// Lets those go whose time is over.
    pub(crate) fn expire(&self) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.engine.clock.now();
        let mut over = None;
        while spans.front().is_some_and(|span| span.ends + KEPT_FOR <= now) {
            over = spans.pop_front().map(|span| span.revision);
        }
        if let Some(revision) = over {
            self.remove_up_to(revision);
        }
    }

    /// Does so from time to time, for those who watch. Wants a runtime with a clock.
    pub(crate) async fn expire_in_time(&self) -> Infallible {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            self.expire();
        }
    }

    /// Removes all events that nobody wrote since a revision.
    fn remove_up_to(&self, revision: u64) {
        for (key, stored) in self.up_to(revision) {
            // One that is written meanwhile stays.
            let _ = self.collection.remove(&key, stored.revision);
        }
    }

    fn up_to(&self, revision: u64) -> Vec<(Arc<str>, Stored)> {
        let keep = |stored: &Stored| stored.revision <= revision;
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: &keep };
        self.collection.list(&query).map(|page| page.items).unwrap_or_default()
    }
}
