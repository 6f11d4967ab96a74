//! How long a view tries again to convert a change, as upstream's caches do.

use std::time::{Duration, SystemTime};

/// How long after the first failure it tries.
const PATIENCE: Duration = Duration::from_secs(30);
/// After this time without failures, the next one counts as the first.
const FORGETTING: Duration = Duration::from_secs(60);

/// The failures of a view since it was filled.
#[derive(Debug, Default)]
pub(super) struct Retry {
    first: Option<SystemTime>,
    last: Option<SystemTime>,
}

impl Retry {
    /// Records a failure. Returns whether to try again.
    pub(super) fn after_failure(&mut self, now: SystemTime) -> bool {
        let since = |then: SystemTime| now.duration_since(then).unwrap_or_default();
        if self.last.is_some_and(|last| since(last) >= FORGETTING) {
            self.first = None;
        }
        let first = *self.first.get_or_insert(now);
        self.last = Some(now);
        since(first) <= PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn conv_023_a_change_is_tried_for_half_a_minute() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let mut retry = Retry::default();
        assert!(retry.after_failure(at(100)) && retry.after_failure(at(130)));
        assert!(!retry.after_failure(at(131)));
        // A success in between does not count, a minute without failure does.
        assert!(!retry.after_failure(at(190)));
        assert!(retry.after_failure(at(250)) && retry.after_failure(at(280)));
        assert!(!retry.after_failure(at(281)));
    }
}
