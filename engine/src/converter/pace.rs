//! How quickly a converter answers, and how long it is waited for.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use bytes::Bytes;
use crdible_scenario::reviews::TIMEOUT;
use tokio::time::Instant;

use super::transport::{ConverterTransport, LIMIT, Reply, Unanswered};
use crate::connection::{is_patient, within};

/// After this many reviews without an answer in the time that a server waits, a case and its three repetitions, it is
/// shown that the converter does not answer some. The others need not wait as long.
const SHOWN: u64 = 4;

/// The shortest limit from then on.
const SHORTEST: Duration = Duration::from_secs(1);

/// The limit from then on, in times of the slowest answer.
const TIMES: u32 = 20;

/// A review may take a second longer for each of these bytes.
const BYTES_OF_A_SECOND: u64 = 64 << 10;

/// A converter that is asked, and what was learned of its pace.
#[derive(Debug)]
pub(super) struct Line {
    transport: ConverterTransport,
    /// The milliseconds of the slowest answer.
    slowest: AtomicU64,
    /// Reviews without an answer in the whole time.
    silent: AtomicU64,
}

impl Line {
    pub(super) fn new(transport: ConverterTransport) -> Self {
        Self { transport, slowest: AtomicU64::new(0), silent: AtomicU64::new(0) }
    }

    /// The converter, asked without regard to its pace.
    pub(super) fn transport(&self) -> &ConverterTransport {
        &self.transport
    }

    /// Sends the body of one review, and waits as long as an API server does, unless it is shown that some reviews are
    /// never answered.
    pub(super) async fn send(&self, body: Bytes) -> Result<Reply, Unanswered> {
        let shortened = self.shortened(body.len() as u64);
        let started = Instant::now();
        let sent = within(shortened.unwrap_or(LIMIT), self.transport.send(body)).await;
        let reply = sent.unwrap_or_else(|| Ok(Reply::None { code: TIMEOUT, message: "nothing came".to_owned() }))?;
        match reply {
            Reply::None { code: TIMEOUT, .. } if shortened.is_none() => {
                self.silent.fetch_add(1, Ordering::Relaxed);
            }
            Reply::Answer { .. } => {
                let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.slowest.fetch_max(took, Ordering::Relaxed);
            }
            Reply::None { .. } => {}
        }
        Ok(reply)
    }

    /// The limit of a review of this length, if it is shorter than that of a server. It never is
    /// [patiently](crate::connection::patiently).
    pub(super) fn shortened(&self, bytes: u64) -> Option<Duration> {
        if is_patient() || self.silent.load(Ordering::Relaxed) < SHOWN {
            return None;
        }
        let of_answers = Duration::from_millis(self.slowest.load(Ordering::Relaxed)).saturating_mul(TIMES);
        let limit = of_answers.max(SHORTEST) + Duration::from_secs(bytes / BYTES_OF_A_SECOND);
        Some(limit.min(LIMIT))
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use bytes::Bytes;
    use crdible_webhooks::{Ending, HookAnswer};
    use tokio::time::Instant;

    use super::{ConverterTransport, LIMIT, Line, Reply, SHORTEST, SHOWN};
    use crate::connection::patiently;

    const SECOND: Duration = Duration::from_secs(1);

    /// It never answers *never*, and takes long for *slow*.
    fn line() -> Line {
        Line::new(ConverterTransport::InProcess(Arc::new(|body: &[u8]| {
            let ending = if body == b"never" { Ending::Silent } else { Ending::Whole };
            let delay = if body == b"slow" { SHORTEST + SECOND } else { Duration::ZERO };
            HookAnswer { delay, status: 200, headers: Vec::new(), body: b"{}".to_vec(), ending }
        })))
    }

    #[tokio::test(start_paused = true)]
    async fn what_decides_is_waited_for_as_long_as_a_server_waits() {
        let line = line();
        let is_answered = async |body: &'static str| {
            let reply = line.send(Bytes::from_static(body.as_bytes())).await.expect("it can be reached");
            matches!(reply, Reply::Answer { .. })
        };
        for _ in 0..SHOWN {
            assert!(!is_answered("never").await);
        }
        assert!(!is_answered("slow").await, "the limit is shorter now");
        let begun = Instant::now();
        assert!(patiently(is_answered("slow")).await);
        assert!(!patiently(is_answered("never")).await);
        assert_eq!(begun.elapsed(), SHORTEST + SECOND + LIMIT);
        assert!(is_answered("slow").await, "it was seen that some take as long");
    }
}
