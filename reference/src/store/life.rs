//! How long a definition is the same.

use std::sync::Arc;

use tokio::sync::watch;

/// A period in which a definition serves its objects unchanged. Watches end with it (REST-066).
#[derive(Clone, Debug)]
pub(crate) struct Life {
    ended: Arc<watch::Sender<bool>>,
    /// The store revision at which it began; older revisions are not available (REST-065).
    pub(crate) since: u64,
}

impl Life {
    pub(crate) fn begin(since: u64) -> Self {
        Self { ended: Arc::new(watch::Sender::new(false)), since }
    }

    /// Returns a receiver that turns true when the life ends.
    pub(crate) fn ends(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ended, &other.ended)
    }
}
