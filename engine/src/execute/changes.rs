//! How long a target takes to serve a changed schema.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// If no probe shows whether a changed schema is served, the wait is this many times the longest change so far.
const TIMES_LONGEST: u32 = 3;
/// The shortest such wait.
const AT_LEAST: Duration = Duration::from_millis(50);
/// A longer time counts as this, or as the longest of the first changes if that is longer. Otherwise a change that is
/// late under load would prolong the next wait, and so on.
const LONGEST_COUNTED: Duration = Duration::from_millis(500);
/// With a probe that may miss changes under some schemas, the wait is this many times the wait without a probe.
const UNSURE: u32 = 10;
/// After this many missed changes such a probe gets no extra time.
const MISSED: u64 = 3;
/// The usual time is a moving average: each new time counts for one part in this many.
const PART: u64 = 8;

/// The times that changed schemas took until they were seen to be served, in microseconds.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The longest of the first changes, while nothing else went on.
    longest_alone: AtomicU64,
    longest: AtomicU64,
    usual: AtomicU64,
    /// How often a probe did not show a change even after the extra time.
    missed: AtomicU64,
}

impl Changes {
    /// One of the first changes took this long.
    pub(super) fn took_alone(&self, time: Duration) {
        self.longest_alone.fetch_max(micros(time), Ordering::Relaxed);
        self.took(time);
    }

    /// A change took this long.
    pub(super) fn took(&self, time: Duration) {
        let counted = micros(LONGEST_COUNTED).max(self.longest_alone.load(Ordering::Relaxed));
        let micros = micros(time).min(counted);
        self.longest.fetch_max(micros, Ordering::Relaxed);
        // If two threads do this at once, one update is lost, which does not matter.
        let usual = self.usual.load(Ordering::Relaxed);
        let next = if usual == 0 { micros } else { (usual * (PART - 1) + micros) / PART };
        self.usual.store(next, Ordering::Relaxed);
    }

    /// The recent average.
    pub(super) fn usual(&self) -> Duration {
        Duration::from_micros(self.usual.load(Ordering::Relaxed))
    }

    /// How long a changed schema may take until it is served, if no probe shows it.
    pub(super) fn longest_usual(&self) -> Duration {
        let longest = Duration::from_micros(self.longest.load(Ordering::Relaxed));
        (longest * TIMES_LONGEST).max(AT_LEAST)
    }

    /// The same, if a probe shows it under most schemas.
    pub(super) fn longest_unseen(&self) -> Duration {
        let times = if self.missed.load(Ordering::Relaxed) < MISSED { UNSURE } else { 1 };
        self.longest_usual() * times
    }

    /// A probe did not show a change within that time.
    pub(super) fn missed(&self) {
        self.missed.fetch_add(1, Ordering::Relaxed);
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Changes;

    #[test]
    fn the_usual_time_follows_what_changes_take() {
        let changes = Changes::default();
        changes.took(Duration::from_millis(80));
        assert_eq!(changes.usual(), Duration::from_millis(80));
        changes.took(Duration::from_millis(160));
        assert_eq!(changes.usual(), Duration::from_millis(90));
    }

    #[test]
    fn without_a_probe_three_times_the_longest_is_waited_for() {
        let changes = Changes::default();
        assert_eq!(changes.longest_usual(), Duration::from_millis(50));
        changes.took(Duration::from_millis(80));
        changes.took(Duration::from_millis(20));
        assert_eq!(changes.longest_usual(), Duration::from_millis(240));
        changes.took(Duration::from_secs(20));
        assert_eq!(changes.longest_usual(), Duration::from_millis(1500));
    }

    #[test]
    fn what_a_probe_misses_again_and_again_is_not_waited_for() {
        let changes = Changes::default();
        changes.took(Duration::from_millis(20));
        assert_eq!(changes.longest_unseen(), Duration::from_millis(600));
        (0..3).for_each(|_| changes.missed());
        assert_eq!(changes.longest_unseen(), Duration::from_millis(60));
    }

    /// A slow target without a probe must not be asked too early.
    #[test]
    fn what_the_first_changes_take_is_counted_in_full() {
        let changes = Changes::default();
        changes.took_alone(Duration::from_secs(5));
        assert_eq!(changes.longest_usual(), Duration::from_secs(15));
        changes.took(Duration::from_secs(20));
        assert_eq!(changes.longest_usual(), Duration::from_secs(15));
    }
}
