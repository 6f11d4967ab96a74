//! After how many failures a run ends.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

/// Ends a run after a number of new failures; those that look the same to a user count once. Clones share their
/// count, so that a series of runs has one limit.
#[derive(Clone, Debug)]
pub struct FailureLimit {
    limit: u64,
    /// What a user sees of those that were confirmed.
    seen: Arc<Mutex<BTreeSet<String>>>,
}

impl FailureLimit {
    /// A limit of this many failures, none of which has occurred yet.
    pub fn of(limit: u64) -> Self {
        Self { limit, seen: Arc::default() }
    }

    /// Counts a failure by what a user sees of it; returns whether the limit is reached.
    pub(super) fn reaches(&self, seen: &str) -> bool {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(seen.to_owned());
        all.len() as u64 >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::FailureLimit;

    #[test]
    fn clones_count_together_and_what_looks_the_same_counts_once() {
        let limit = FailureLimit::of(2);
        assert!(!limit.reaches("a"));
        let clone = limit.clone();
        assert!(!clone.reaches("a"), "it looks the same");
        assert!(clone.reaches("b"));
        assert!(limit.reaches("a"), "there are still enough");
    }
}
