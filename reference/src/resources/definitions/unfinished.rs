//! Definitions that cannot be deleted yet, because a webhook cannot convert their objects (CONV-024).

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often the deletion of one is tried again.
pub(super) const RETRY: Duration = Duration::from_millis(500);

/// Definitions whose objects could not be read, by name.
#[derive(Debug, Default)]
pub(super) struct Unfinished(Mutex<BTreeSet<String>>);

impl Unfinished {
    pub(super) fn add(&self, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }

    /// All of them, which are not unfinished any more.
    pub(super) fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}
