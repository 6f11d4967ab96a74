//! `--qps`: a limit of requests per second.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A token bucket with the requests of a tenth of a second, and at least one.
///
/// It is stored as the time at which the bucket would be empty, so taking a token is one addition.
#[derive(Debug)]
pub struct Rate {
    interval: Duration,
    burst: Duration,
    next: Mutex<Option<Instant>>,
}

impl Rate {
    /// A limit of `requests` per second; `None` unless it is a number above 0 and at most 10⁶.
    pub fn per_second(requests: f64) -> Option<Self> {
        let possible = requests.is_finite() && requests > 0.0 && requests <= 1e6;
        let interval = possible.then(|| Duration::try_from_secs_f64(1.0 / requests).ok())??;
        let burst = Duration::from_millis(100).saturating_sub(interval);
        Some(Self { interval, burst, next: Mutex::new(None) })
    }

    /// Waits until one more request may be sent. Callers are served in order.
    pub async fn take(&self) {
        let at = {
            let now = Instant::now();
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let slot = next.map_or(now, |next| next.max(now));
            // The interval of a limit near 0 may be too long for the clock; then it stays the same.
            *next = Some(slot.checked_add(self.interval).unwrap_or(slot));
            slot.checked_sub(self.burst).unwrap_or(slot)
        };
        tokio::time::sleep_until(at).await;
    }
}
