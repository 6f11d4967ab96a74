//! How long to wait for asynchronous work of a target. What never came once gets little time from then on.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::connection::is_patient;

/// If something did not come within patience and has never come, the limit is this many
/// times the slowest average of the other things.
const NEVER_TIMES: u32 = 2;
/// The shortest such limit: enough for a server that does it at once.
const NEVER_AT_LEAST: Duration = Duration::from_millis(100);
/// For something that was never missed, the limit is this many times the slowest change of the target so far.
const SLOWEST_TIMES: u32 = 10;
/// The shortest such limit.
const AT_FIRST: Duration = Duration::from_secs(10);
/// For something that has come before and was then missed, the limit is this many times its longest time.
const TIMES: u32 = 4;
/// The shortest such limit.
const AT_LEAST: Duration = Duration::from_secs(1);

/// What a run has learned about waiting.
#[derive(Debug)]
pub(super) struct Waits {
    patience: Duration,
    seen: Mutex<BTreeMap<String, Seen>>,
}

/// What was seen of one kind of thing.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The longest time after which it came.
    longest: Option<Duration>,
    /// How often it came, and the sum of the times.
    times: u32,
    sum: Duration,
    /// It once did not come within patience.
    was_missed: bool,
}

impl Seen {
    fn average(&self) -> Duration {
        self.sum / self.times.max(1)
    }
}

impl Waits {
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, seen: Mutex::default() }
    }

    /// As long as anything may take.
    pub(super) fn patience(&self) -> Duration {
        self.patience
    }

    /// How long to wait for this kind of thing now. Inside
    /// [patiently](crate::connection::patiently) it is always the full patience.
    pub(super) fn limit(&self, what: &str) -> Duration {
        if is_patient() {
            return self.patience;
        }
        let seen = self.seen().get(what).copied();
        match seen {
            Some(Seen { was_missed: true, longest: None, .. }) => {
                // The average, so that one late change does not prolong every wait.
                let slowest = self.seen().values().map(Seen::average).max().unwrap_or_default();
                (slowest * NEVER_TIMES).max(NEVER_AT_LEAST).min(self.patience)
            }
            Some(Seen { was_missed: true, longest: Some(longest), .. }) => {
                (longest * TIMES).max(AT_LEAST).min(self.patience)
            }
            Some(Seen { was_missed: false, .. }) | None => {
                let slowest = self.seen().values().filter_map(|seen| seen.longest).max();
                let at_first = slowest.map(|slowest| (slowest * SLOWEST_TIMES).max(AT_FIRST));
                at_first.map_or(self.patience, |at_first| at_first.min(self.patience))
            }
        }
    }

    /// How long to wait for something without which nothing can be judged:
    /// the full patience, unless it was missed before.
    pub(super) fn limit_of_what_must_come(&self, what: &str) -> Duration {
        let seen = self.seen().get(what).copied();
        let always_came = seen.is_some_and(|seen| seen.longest.is_some() && !seen.was_missed);
        if always_came { self.patience } else { self.limit(what) }
    }

    /// It came after this time.
    pub(super) fn came(&self, what: &str, after: Duration) {
        let mut seen = self.seen();
        // Most names are known already and need no copy.
        let seen = match seen.get_mut(what) {
            Some(seen) => seen,
            None => seen.entry(what.to_owned()).or_default(),
        };
        seen.longest = seen.longest.max(Some(after));
        seen.times = seen.times.saturating_add(1);
        seen.sum = seen.sum.saturating_add(after);
    }

    /// It did not come within the limit.
    pub(super) fn missed(&self, what: &str) {
        self.seen().entry(what.to_owned()).or_default().was_missed = true;
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<String, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Waits;

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn what_never_came_is_not_waited_for_again() {
        let waits = Waits::new(PATIENCE);
        assert_eq!(waits.limit("a"), PATIENCE);
        waits.missed("a");
        assert_eq!(waits.limit("a"), Duration::from_millis(100));
        assert_eq!(waits.limit("b"), PATIENCE);
    }

    /// On a busy server it may only have been late.
    #[test]
    fn what_never_came_is_given_the_time_that_other_things_take() {
        let waits = Waits::new(PATIENCE);
        waits.came("a", Duration::from_secs(2));
        waits.missed("b");
        assert_eq!(waits.limit("b"), Duration::from_secs(4));
        for _ in 0..9 {
            waits.came("a", Duration::ZERO);
        }
        assert_eq!(waits.limit("b"), Duration::from_millis(400));
    }

    #[test]
    fn what_must_come_is_waited_for_with_patience_until_it_was_missed() {
        let waits = Waits::new(PATIENCE);
        waits.came("a", Duration::from_millis(3));
        assert_eq!(waits.limit_of_what_must_come("a"), PATIENCE);
        waits.missed("a");
        assert_eq!(waits.limit_of_what_must_come("a"), Duration::from_secs(1));
    }

    #[test]
    fn a_quick_target_is_not_given_all_the_time() {
        let waits = Waits::new(PATIENCE);
        waits.came("a", Duration::from_millis(3));
        assert_eq!(waits.limit("b"), Duration::from_secs(10));
        waits.came("a", Duration::from_secs(4));
        assert_eq!(waits.limit("b"), PATIENCE);
    }

    #[test]
    fn what_came_before_is_given_more_time() {
        let waits = Waits::new(PATIENCE);
        waits.came("a", Duration::from_millis(400));
        waits.came("a", Duration::from_millis(200));
        assert_eq!(waits.limit("a"), Duration::from_secs(10));
        waits.missed("a");
        assert_eq!(waits.limit("a"), Duration::from_millis(1600));
        waits.came("a", Duration::from_secs(20));
        assert_eq!(waits.limit("a"), PATIENCE);
    }
}
