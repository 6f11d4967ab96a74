//! Cases in which something came too late beside other work. They are run once more with full time limits when all
//! others are done, so that a busy machine is not mistaken for a server that does not answer.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::sync::{Semaphore, SemaphorePermit};

/// The most cases that are run once more. More of them mean that the server is too slow, or hangs.
const MOST: u64 = 48;
/// The most of them of one source.
const MOST_OF_A_SOURCE: u64 = 6;
/// After this many were late again, no more are run.
const IN_VAIN: u64 = 8;

/// The late cases of a run.
#[derive(Debug)]
pub(super) struct LateCases {
    /// As many run at once as the run has workers.
    turns: Semaphore,
    /// How many there are, of each source.
    taken: Mutex<BTreeMap<usize, u64>>,
    /// How many were late again.
    in_vain: AtomicU64,
    /// How many were not.
    in_time: AtomicU64,
}

impl LateCases {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            turns: Semaphore::new(workers.max(1)),
            taken: Mutex::default(),
            in_vain: AtomicU64::new(0),
            in_time: AtomicU64::new(0),
        }
    }

    /// Whether a late case of this source is to be run once more.
    pub(super) fn take(&self, source: usize) -> bool {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().sum::<u64>() >= MOST {
            return false;
        }
        let of_source = taken.entry(source).or_default();
        let is_taken = *of_source < MOST_OF_A_SOURCE;
        *of_source += u64::from(is_taken);
        is_taken
    }

    /// Waits for a free turn to run one; `None` if too many were late again.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let turn = self.turns.acquire().await.ok()?;
        (self.in_vain.load(Ordering::Relaxed) < IN_VAIN).then_some(turn)
    }

    /// Records that one was run once more, and whether it was late again.
    pub(super) fn ended(&self, is_late_again: bool) {
        let count = if is_late_again { &self.in_vain } else { &self.in_time };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// A note about those that were not late again, if there are any.
    pub(super) fn note(&self) -> Option<String> {
        let in_time = self.in_time.load(Ordering::Relaxed);
        let (scenarios, were) = if in_time == 1 { ("scenario", "was") } else { ("scenarios", "were") };
        (in_time > 0).then(|| {
            format!(
                "{in_time} {scenarios} in which the target did not answer in time beside other work {were} run again \
                 at the end, and it did; if the machine was not busy, look for what holds it up"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{IN_VAIN, LateCases, MOST, MOST_OF_A_SOURCE};

    #[test]
    fn only_some_are_run_again() {
        let late = LateCases::new(2);
        let taken = |source: usize| (0..MOST_OF_A_SOURCE * 2).filter(|_| late.take(source)).count() as u64;
        assert_eq!(taken(0), MOST_OF_A_SOURCE);
        assert_eq!((1..100).map(taken).sum::<u64>(), MOST - MOST_OF_A_SOURCE);
    }

    #[tokio::test]
    async fn where_they_are_late_again_it_is_no_use() {
        let late = LateCases::new(2);
        for _ in 1..IN_VAIN {
            late.ended(true);
        }
        assert!(late.turn().await.is_some());
        late.ended(true);
        assert!(late.turn().await.is_none());
        assert_eq!(late.note(), None);
    }

    #[test]
    fn those_that_came_in_time_are_reported() {
        let late = LateCases::new(2);
        late.ended(false);
        assert!(late.note().expect("a note").starts_with("1 scenario in which"), "{:?}", late.note());
        late.ended(false);
        assert!(late.note().expect("a note").starts_with("2 scenarios in which"), "{:?}", late.note());
    }
}
