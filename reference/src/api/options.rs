//! The options of a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::base::clock::{Clock, SystemClock};
use crate::resources::controllers::{Controllers, StandardControllers};
use crate::store::{MemoryStore, Store};
use crate::webhooks::transport::{self, Webhooks};

/// Settings of a [`Server`](crate::Server), and its replaceable parts. The defaults are as close to kube-apiserver as
/// possible.
#[derive(Clone)]
pub struct Options {
    /// The source of all times.
    pub clock: Arc<dyn Clock>,
    /// Where objects are stored; `None` stores them in memory.
    pub store: Option<Arc<dyn Store>>,
    /// How conversion webhooks are called; by default over HTTPS, if the feature `webhooks` is on. A test can convert
    /// in process with [`webhooks_from_fn`](crate::webhooks_from_fn).
    pub webhooks: Arc<dyn Webhooks>,
    /// The rules that follow a write of a definition.
    pub controllers: Arc<dyn Controllers>,
    /// The largest accepted request body, in bytes; the default is 3 MiB (REST-007).
    pub max_body: usize,
    /// How many writes of each collection the in-memory store remembers, for watches and for pages of older revisions
    /// (REST-027); the default is 1,000.
    pub history: usize,
    /// How many events are kept; above it the oldest are deleted. The default is 10,000.
    pub events: usize,
    /// Evaluates no CEL rules of objects. Off by default.
    pub ignore_rules: bool,
    /// The delay of each step that follows a write of a definition. The default is zero: all steps are done before the
    /// write is answered. In the first step its names are accepted, its content is served, and its instances are
    /// deleted if it is being deleted; in the second it is established; in the third discovery and `OpenAPI` list it.
    /// Each write has its own steps, however soon another write follows.
    ///
    /// [`Options::clock`] decides when a step is due. It runs at the next request after that, or on time if
    /// [`Server::settle_in_time`](crate::Server::settle_in_time) runs.
    pub settle_delay: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            store: None,
            webhooks: transport::usual(),
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
