//! A clock that tests control.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crdible_reference::{Clock, Options};

/// 2026-01-01, in seconds since 1970.
pub(crate) const NEW_YEAR: u64 = 1_767_225_600;

/// A clock that only advances when the test advances it, and by a fixed step with every look at it.
#[derive(Debug)]
pub(crate) struct TestClock {
    milliseconds: AtomicU64,
    step: u64,
}

impl TestClock {
    /// A clock that stands at this number of seconds since 1970.
    pub(crate) fn at(seconds: u64) -> Arc<Self> {
        Arc::new(Self { milliseconds: (seconds * 1000).into(), step: 0 })
    }

    /// A clock that advances by a second with every look at it.
    pub(crate) fn ticking() -> Arc<Self> {
        Arc::new(Self { milliseconds: (NEW_YEAR * 1000).into(), step: 1000 })
    }

    pub(crate) fn pass(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).expect("a short time");
        self.milliseconds.fetch_add(time, Ordering::Relaxed);
    }

    pub(crate) fn pass_seconds(&self, seconds: u64) {
        self.pass(Duration::from_secs(seconds));
    }

    /// The options of a server with this clock.
    pub(crate) fn options(self: &Arc<Self>) -> Options {
        Options { clock: Arc::clone(self) as Arc<dyn Clock>, ..Options::default() }
    }
}

impl Clock for TestClock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.milliseconds.fetch_add(self.step, Ordering::Relaxed))
    }
}
