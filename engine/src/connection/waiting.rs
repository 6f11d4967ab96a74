//! Waiting for a target. Time in which this process was stopped, as on a suspended or busy machine, does not
//! count: the target may have been stopped, too.

use std::{
    future::Future,
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::{task::JoinHandle, time::Instant};

/// A limit is waited for in pieces of at most this length, each of which counts only once, however long it took.
const PIECE: Duration = Duration::from_millis(250);
/// At most this much of the time between two laps counts. A request and a
/// pause take less, unless a process was stopped.
const LONGEST_LAP: Duration = Duration::from_secs(2);
/// A piece that takes this much longer shows that the process was stopped.
const STANDSTILL: Duration = Duration::from_secs(1);

tokio::task_local! {
    static PATIENT: ();
}

/// Does the work with full time limits: no wait ends early because of what was learned of the target's pace.
pub(crate) async fn patiently<F: Future>(work: F) -> F::Output {
    PATIENT.scope((), work).await
}

/// Whether this is done [patiently].
pub(crate) fn is_patient() -> bool {
    PATIENT.try_with(|()| ()).is_ok()
}

/// Spawns the work as a task, which is [patient](patiently) if the caller is.
pub(crate) fn spawn<F>(work: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    if is_patient() { tokio::spawn(patiently(work)) } else { tokio::spawn(work) }
}

static STANDSTILLS: AtomicU64 = AtomicU64::new(0);

/// How often this process was stopped while it waited for a target. Answers of that time may be wrong: a server that
/// was stopped, too, finds its own deadlines passed, such as that of a webhook.
pub(crate) fn standstills() -> u64 {
    STANDSTILLS.load(Ordering::Relaxed)
}

/// What the work returns if it ends within a time; `None` if not.
pub(crate) async fn within<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
    let mut work = pin!(work);
    let mut left = limit;
    loop {
        let (piece, begun) = (left.min(PIECE), Instant::now());
        let ended = tokio::time::timeout(piece, work.as_mut()).await;
        if begun.elapsed() >= piece + STANDSTILL {
            STANDSTILLS.fetch_add(1, Ordering::Relaxed);
        }
        match ended {
            Ok(output) => return Some(output),
            Err(_) => left -= piece,
        }
        if left.is_zero() {
            return None;
        }
    }
}

/// Measures how long something is waited for in a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    counted: Duration,
    lap: Instant,
}

impl Stopwatch {
    /// Starts at zero.
    pub(crate) fn start() -> Self {
        Self { counted: Duration::ZERO, lap: Instant::now() }
    }

    /// The time since the start, and a new lap: call it once for each request.
    pub(crate) fn lap(&mut self) -> Duration {
        *self = Self { counted: self.elapsed(), lap: Instant::now() };
        self.counted
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.counted + self.lap.elapsed().min(LONGEST_LAP)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{advance, sleep};

    use super::{Stopwatch, is_patient, patiently, spawn, standstills, within};

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_limit_ends_a_wait() {
        assert_eq!(within(3 * SECOND, sleep(2 * SECOND)).await, Some(()));
        assert_eq!(within(2 * SECOND, sleep(3 * SECOND)).await, None);
        assert_eq!(within(Duration::ZERO, std::future::pending::<()>()).await, None);
    }

    /// The clock jumps, as after a process was stopped: the time is over, but what arrived meanwhile is still read.
    #[tokio::test(start_paused = true)]
    async fn time_in_which_the_process_stood_still_does_not_count() {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let waiting = tokio::spawn(within(10 * SECOND, receiver));
        sleep(SECOND).await;
        let before = standstills();
        advance(60 * SECOND).await;
        sleep(SECOND).await;
        assert!(standstills() > before);
        sender.send("late").expect("it is waited for");
        assert_eq!(waiting.await.expect("a task"), Some(Ok("late")));

        let mut watch = Stopwatch::start();
        advance(SECOND).await;
        assert_eq!(watch.lap(), SECOND);
        advance(60 * SECOND).await;
        assert_eq!(watch.elapsed(), 3 * SECOND);
        assert_eq!(watch.lap(), 3 * SECOND);
        advance(SECOND).await;
        assert_eq!(watch.lap(), 4 * SECOND);
    }

    #[tokio::test]
    async fn tasks_are_as_patient_as_who_starts_them() {
        assert!(!is_patient());
        assert!(!spawn(async { is_patient() }).await.expect("a task"));
        patiently(async {
            assert!(is_patient());
            assert!(spawn(async { is_patient() }).await.expect("a task"));
        })
        .await;
        assert!(!is_patient());
    }
}
