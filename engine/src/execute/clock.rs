//! When requests are sent and answered.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use tokio::time;

/// Moments of an execution, in microseconds since its first step. Each is later than all earlier ones, so
/// that they show the order of requests and answers.
///
/// The later one of the machine's clock and the runtime's clock counts: in tests the runtime's
/// clock is paused, and jumps to the end of a wait.
#[derive(Debug)]
pub(super) struct Clock {
    machine: Instant,
    runtime: time::Instant,
    latest: Mutex<u64>,
}

impl Clock {
    /// It begins now.
    pub(super) fn new() -> Self {
        Self { machine: Instant::now(), runtime: time::Instant::now(), latest: Mutex::default() }
    }

    /// This moment.
    pub(super) fn now(&self) -> u64 {
        let since = self.machine.elapsed().max(self.runtime.elapsed());
        let since = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = since.max(latest.saturating_add(1));
        *latest
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Clock;

    #[tokio::test(start_paused = true)]
    async fn waits_that_the_test_skips_count_and_order_is_kept() {
        let clock = Clock::new();
        clock.now();
        tokio::time::sleep(Duration::from_secs(24)).await;
        let moments: Vec<u64> = (0..1000).map(|_| clock.now()).collect();
        assert!(moments[0] >= 24_000_000, "{}", moments[0]);
        assert!(moments.is_sorted_by(|before, after| before < after));
    }
}
