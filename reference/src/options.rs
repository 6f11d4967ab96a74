//! What a server can be told when it is made.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, SystemClock};
use crate::controllers::{Controllers, StandardControllers};
use crate::storage::{MemoryStore, Store};

/// Settings and seams of a [`Server`](crate::Server). The default is a server as close to the real one as it gets.
#[derive(Clone)]
pub struct Options {
    /// Where times come from.
    pub clock: Arc<dyn Clock>,
    /// Where objects are kept; without one, in memory.
    pub store: Option<Arc<dyn Store>>,
    /// What follows from a write of a definition.
    pub controllers: Arc<dyn Controllers>,
    /// How large a body may be, in bytes (REST-007).
    pub max_body: usize,
    /// How many writes of each collection the store in memory remembers, for pages of older states (REST-027).
    pub history: usize,
    /// How many events are kept at most; with more of them the oldest go.
    pub events: usize,
    /// Takes definitions with CEL rules, which are not evaluated, instead of refusing them.
    pub ignore_rules: bool,
    /// How long each of the steps takes that follow a write of a definition: first its names are accepted, its content is served, and
    /// its instances go if it is deleted; then it is established; then discovery and `OpenAPI` tell of it. Each write has steps of its own,
    /// however soon another one follows. With zero all of it is done before the write is answered.
    ///
    /// Due is what [`Options::clock`] says. It is done at the next request, or in time by [`Server::settle_in_time`](crate::Server::settle_in_time).
    pub settle_delay: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            store: None,
            controllers: Arc::new(StandardControllers),
            max_body: 3 << 20,
            history: 1000,
            events: 10_000,
            ignore_rules: false,
            settle_delay: Duration::ZERO,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_body", &self.max_body)
            .field("history", &self.history)
            .field("events", &self.events)
            .field("ignore_rules", &self.ignore_rules)
            .field("settle_delay", &self.settle_delay)
            .finish_non_exhaustive()
    }
}

impl Options {
    pub(crate) fn make_store(&self) -> Arc<dyn Store> {
        self.store.clone().unwrap_or_else(|| Arc::new(MemoryStore::new(self.history)))
    }
}
