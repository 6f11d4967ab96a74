//! Definitions that cannot be deleted yet, because a webhook cannot convert their objects (CONV-024).

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use crate::base::locks::lock;

/// How often the deletion of one is tried again.
pub(super) const RETRY: Duration = Duration::from_millis(500);

/// Definitions whose objects could not be read, by name.
#[derive(Debug, Default)]
pub(super) struct Unfinished(Mutex<BTreeSet<String>>);

impl Unfinished {
    pub(super) fn add(&self, name: &str) {
        lock(&self.0).insert(name.to_owned());
    }

    /// All of them, which are not unfinished any more.
    pub(super) fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *lock(&self.0))
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}
