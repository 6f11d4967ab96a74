//! A period without interruption, during which what is served can be watched.

use std::sync::Arc;

use tokio::sync::watch;

/// A period in which a definition serves its objects in the same way, or in which a [`Mirror`](super::Mirror) is
/// complete. Watches end with it (REST-066). Clones are the same period.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    ended: Arc<watch::Sender<bool>>,
    /// The store revision at which it began; older revisions are not available (REST-065).
    pub(crate) since: u64,
}

impl Life {
    /// A new period, which begins at this store revision.
    pub(crate) fn begin(since: u64) -> Self {
        Self { ended: Arc::new(watch::Sender::new(false)), since }
    }

    /// Returns a receiver that turns true when the life ends.
    pub(crate) fn ends(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// Ends the period, and with it all watches that follow it.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Whether both are the same period.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ended, &other.ended)
    }
}
