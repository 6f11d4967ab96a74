//! Retention of events: those written within the last hour are kept, up to a maximum number (REST-079).

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use crate::base::locks::lock;
use crate::engine::Engine;
use crate::kinds::EVENT;
use crate::store::{Collection, ListQuery, Stored};

/// How long an event is kept after its latest write: upstream's default.
const TTL: Duration = Duration::from_secs(3600);
/// Writes within this time are grouped in one span.
const SPAN: Duration = Duration::from_secs(1);
/// How often expired events are removed without a request.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(30);

/// All events.
pub(crate) struct Events {
    engine: Arc<Engine>,
    collection: Arc<dyn Collection>,
    /// The maximum number of events.
    limit: usize,
    /// When events were written, oldest first. Bounded, since spans older than [`TTL`] are dropped. If the store panics
    /// after that, the events of a dropped span are removed with those of the next one.
    spans: Mutex<VecDeque<Span>>,
}

/// Writes at about the same time.
struct Span {
    /// All of the writes are before this time.
    ends: SystemTime,
    /// The store's revision after the latest of them.
    revision: u64,
}

impl Events {
    /// Opens the collection of events, of which at most `limit` are kept.
    pub(crate) fn new(engine: Arc<Engine>, limit: usize) -> Self {
        let collection = engine.store.collection(EVENT.plural);
        Self { engine, collection, limit, spans: Mutex::default() }
    }

    pub(crate) fn collection(&self) -> &Arc<dyn Collection> {
        &self.collection
    }

    /// Records a stored write. If there are too many events now, removes the oldest: a tenth of the limit at once, so
    /// that not every write has to search all events.
    pub(crate) fn record_write(&self) {
        let mut spans = lock(&self.spans);
        let (now, revision) = (self.engine.clock.now(), self.engine.store.revision());
        match spans.back_mut() {
            Some(latest) if now < latest.ends => latest.revision = revision,
            _ => spans.push_back(Span { ends: now + SPAN, revision }),
        }
        if self.collection.len() > self.limit {
            let mut revisions: Vec<u64> = self.up_to(u64::MAX).into_iter().map(|(_, stored)| stored.revision).collect();
            let surplus = revisions.len().saturating_sub(self.limit - self.limit / 10);
            if let Some(last) = surplus.checked_sub(1) {
                let (_, latest, _) = revisions.select_nth_unstable(last);
                self.remove_up_to(*latest);
            }
        }
    }

    /// Removes expired events.
    pub(crate) fn expire(&self) {
        let mut spans = lock(&self.spans);
        let now = self.engine.clock.now();
        let mut expired = None;
        while spans.front().is_some_and(|span| span.ends + TTL <= now) {
            expired = spans.pop_front().map(|span| span.revision);
        }
        if let Some(revision) = expired {
            self.remove_up_to(revision);
        }
    }

    /// Removes expired events at intervals, so that watches see their deletion; never returns. Needs a Tokio runtime
    /// with time enabled.
    pub(crate) async fn expire_in_time(&self) -> Infallible {
        loop {
            tokio::time::sleep(EXPIRY_INTERVAL).await;
            self.expire();
        }
    }

    /// Removes all events that were not written after a revision.
    fn remove_up_to(&self, revision: u64) {
        for (key, stored) in self.up_to(revision) {
            // Fails for an event that was written meanwhile, which stays.
            let _ = self.collection.remove(&key, stored.revision);
        }
    }

    fn up_to(&self, revision: u64) -> Vec<(Arc<str>, Stored)> {
        let keep = |stored: &Stored| stored.revision <= revision;
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: Some(&keep) };
        self.collection.list(&query).map(|page| page.items).unwrap_or_default()
    }
}
