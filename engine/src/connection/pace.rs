//! How quickly a server answers, and whether it has become too slow to go on.

use std::{
    fmt,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// The number of answers after which a request gets a limit that depends on them.
const MANY: u64 = 200;
/// That limit is this many times the slowest of those answers.
const SLOWEST_TIMES: u32 = 4;
/// The limit is never shorter than this.
const SHORTEST_LIMIT: Duration = Duration::from_secs(10);

/// The number of first answers whose average time later ones are compared with.
const FIRST: u32 = 50;
/// A slow answer takes at least this many times that average.
const SLOW_TIMES: u32 = 20;
/// A slow answer takes at least this long.
const SLOW: Duration = Duration::from_millis(100);
/// The number of slow answers in a row that show that the server has become slow, and how long they take in all. A few
/// may wait for something; on a busy machine some of many are still quick.
const IN_A_ROW: (u32, Duration) = (64, Duration::from_secs(64));

/// How quickly a server answers.
#[derive(Debug, Default)]
pub(super) struct Pace {
    answered: AtomicU64,
    slowest_micros: AtomicU64,
    course: Mutex<Course>,
}

/// The times of the answers so far.
#[derive(Debug, Default)]
struct Course {
    /// How many of the first answers have come, and the sum of their times.
    first: u32,
    first_sum: Duration,
    /// How many slow answers in a row there were, and the sum of their times.
    slow: u32,
    slow_sum: Duration,
}

/// A server answers ever more slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slowdown {
    /// The average time of an answer at first.
    pub first: Duration,
    /// The recent average.
    pub recent: Duration,
}

impl fmt::Display for Slowdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, recent } = self;
        let times = recent.as_nanos() / first.as_nanos().max(1);
        let [first, recent] = [first, recent].map(Duration::as_millis);
        write!(f, "an answer took {first} ms at first, and takes {recent} ms now, {times} times as long")
    }
}

impl Pace {
    /// The time limit for the next request, once enough is known; the transport has its own, too.
    pub(super) fn limit(&self) -> Option<Duration> {
        let slowest = Duration::from_micros(self.slowest_micros.load(Ordering::Relaxed));
        (self.answered.load(Ordering::Relaxed) >= MANY).then(|| (slowest * SLOWEST_TIMES).max(SHORTEST_LIMIT))
    }

    /// An answer took this long.
    pub(super) fn note(&self, time: Duration) {
        self.answered.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.slowest_micros.fetch_max(micros, Ordering::Relaxed);
        let mut course = self.course();
        if course.first < FIRST {
            course.first += 1;
            course.first_sum += time;
        } else if time >= (course.at_first() * SLOW_TIMES).max(SLOW) {
            course.slow += 1;
            course.slow_sum += time;
        } else {
            (course.slow, course.slow_sum) = (0, Duration::ZERO);
        }
    }

    /// Whether all recent answers were slow, compared with the first ones.
    pub(super) fn slowdown(&self) -> Option<Slowdown> {
        let course = self.course();
        let is_slow = course.slow >= IN_A_ROW.0 && course.slow_sum >= IN_A_ROW.1;
        is_slow.then(|| Slowdown { first: course.at_first(), recent: course.slow_sum / course.slow })
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Course {
    fn at_first(&self) -> Duration {
        self.first_sum / self.first.max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Pace, Slowdown};

    fn answers(pace: &Pace, number: u32, millis: u64) {
        (0..number).for_each(|_| pace.note(Duration::from_millis(millis)));
    }

    #[test]
    fn a_server_that_answers_ever_more_slowly() {
        let pace = Pace::default();
        answers(&pace, 50, 20);
        answers(&pace, 63, 1500);
        assert_eq!(pace.slowdown(), None);
        answers(&pace, 1, 1500);
        let found = Slowdown { first: Duration::from_millis(20), recent: Duration::from_millis(1500) };
        assert_eq!(pace.slowdown(), Some(found));
        assert_eq!(found.to_string(), "an answer took 20 ms at first, and takes 1500 ms now, 75 times as long");
    }

    #[test]
    fn what_is_slow_depends_on_how_quick_it_was() {
        let pace = Pace::default();
        answers(&pace, 50, 3);
        answers(&pace, 639, 100);
        assert_eq!(pace.slowdown(), None, "they are many, but not for long");
        answers(&pace, 1, 100);
        let found = Slowdown { first: Duration::from_millis(3), recent: Duration::from_millis(100) };
        assert_eq!(pace.slowdown(), Some(found));

        let pace = Pace::default();
        answers(&pace, 50, 60);
        answers(&pace, 1000, 900);
        assert_eq!(pace.slowdown(), None, "it is only fifteen times as slow");
    }

    #[test]
    fn a_server_some_of_whose_answers_are_quick_is_not_slow() {
        let pace = Pace::default();
        answers(&pace, 50, 2);
        for _ in 0..20 {
            answers(&pace, 30, 2000);
            answers(&pace, 1, 40);
        }
        assert_eq!(pace.slowdown(), None);
    }

    #[test]
    fn a_server_that_was_slow_from_the_start_did_not_become_slow() {
        let pace = Pace::default();
        answers(&pace, 500, 1500);
        assert_eq!(pace.slowdown(), None);
    }

    #[test]
    fn once_many_have_come_the_slowest_limits_the_next() {
        let pace = Pace::default();
        answers(&pace, 199, 3000);
        assert_eq!(pace.limit(), None);
        answers(&pace, 1, 1);
        assert_eq!(pace.limit(), Some(Duration::from_secs(12)));
    }
}
