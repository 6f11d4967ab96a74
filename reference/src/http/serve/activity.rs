//! What a connection does, and when it has done nothing for too long.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::limits::Limits;
use crate::base::locks::lock;

/// How a connection over HTTP/2 begins.
const HTTP_2: &[u8] = b"PRI";

/// What a connection does. Each of its parts reports what it sees: the socket, and the requests.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    /// A limit may be reached earlier than the one who waits for it knows.
    sooner: Notify,
    head: Duration,
    idle: Duration,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Requests that are not answered completely, watches among them.
    open: usize,
    /// Since when the client does not read.
    blocked: Option<Instant>,
    /// Whether anything was received.
    has_begun: bool,
    /// Then bytes between requests are no head: clients send pings, too.
    is_http_2: bool,
    /// When the limit is checked next, if that is known.
    checked: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A head has begun, or the first one is awaited.
    Head(Instant),
    /// Nothing was requested, received or sent since then.
    Idle(Instant),
    /// A request is open.
    Busy,
}

/// The limit that a connection has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expired {
    /// A request head is incomplete.
    Head,
    /// There was no request.
    Idle,
    /// The client does not read.
    Blocked,
}

impl Activity {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        let state = State {
            phase: Phase::Head(Instant::now()),
            open: 0,
            blocked: None,
            has_begun: false,
            is_http_2: false,
            checked: None,
        };
        let Limits { head, idle, .. } = *limits;
        Arc::new(Self { state: Mutex::new(state), sooner: Notify::new(), head, idle })
    }

    /// A request begins; it is open until the returned guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> Open {
        let mut state = self.lock();
        state.open += 1;
        state.phase = Phase::Busy;
        Open(Arc::clone(self))
    }

    /// Whether nothing is left to wait for: no request is open, or the client does not read the answer.
    pub(super) fn is_over(&self) -> bool {
        let state = self.lock();
        state.open == 0 || state.blocked.is_some_and(|since| since.elapsed() >= self.idle)
    }

    /// Waits until a limit is reached. Only one may wait.
    pub(super) async fn expired(&self) -> Expired {
        loop {
            let next = {
                let mut state = self.lock();
                let next = self.limit(&state);
                state.checked = next.map(|(at, _)| at);
                next
            };
            match next {
                None => self.sooner.notified().await,
                Some((at, expired)) if at <= Instant::now() => return expired,
                Some((at, _)) => tokio::select! {
                    () = self.sooner.notified() => {}
                    () = sleep_until(at) => {}
                },
            }
        }
    }

    /// When which limit is reached, if nothing happens before.
    fn limit(&self, state: &State) -> Option<(Instant, Expired)> {
        let waiting = match state.phase {
            Phase::Head(since) => Some((later(since, self.head), Expired::Head)),
            Phase::Idle(since) => Some((later(since, self.idle), Expired::Idle)),
            Phase::Busy => None,
        };
        let blocked = state.blocked.map(|since| (later(since, self.idle), Expired::Blocked));
        [waiting, blocked].into_iter().flatten().min_by_key(|(at, _)| *at)
    }

    /// Wakes the one who waits, if the limit is reached before the next check.
    fn wake(&self, state: &State) {
        if let Some((at, _)) = self.limit(state)
            && state.checked.is_none_or(|checked| at < checked)
        {
            self.sooner.notify_one();
        }
    }

    fn received(&self, bytes: &[u8]) {
        let mut state = self.lock();
        if !state.has_begun {
            state.has_begun = true;
            // No method begins like this. A client that sends it byte by byte gets the limit of a head.
            state.is_http_2 = bytes.starts_with(HTTP_2);
            if state.is_http_2 {
                state.phase = Phase::Idle(Instant::now());
            }
        } else if matches!(state.phase, Phase::Idle(_)) && !state.is_http_2 {
            state.phase = Phase::Head(Instant::now());
            self.wake(&state);
        }
    }

    /// Notes whether something was sent, or has to wait for the client.
    fn sent<T>(&self, poll: &Poll<io::Result<T>>) {
        let mut state = self.lock();
        match (poll, state.blocked) {
            (Poll::Ready(_), _) => {
                state.blocked = None;
                if matches!(state.phase, Phase::Idle(_)) {
                    // The end of a large answer is still being sent.
                    state.phase = Phase::Idle(Instant::now());
                }
            }
            (Poll::Pending, None) => {
                state.blocked = Some(Instant::now());
                self.wake(&state);
            }
            (Poll::Pending, Some(_)) => {}
        }
    }

    /// As `sent`, but a flush that had nothing to do is no activity.
    fn flushed(&self, poll: &Poll<io::Result<()>>) {
        match poll {
            Poll::Pending => self.sent(poll),
            Poll::Ready(_) => self.lock().blocked = None,
        }
    }

    fn end(&self) {
        let mut state = self.lock();
        state.open = state.open.saturating_sub(1);
        if state.open == 0 {
            state.phase = Phase::Idle(Instant::now());
            self.wake(&state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// A time after another; a very late one if there is none that late.
fn later(since: Instant, limit: Duration) -> Instant {
    const LATE: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    since + limit.min(LATE)
}

/// An open request.
#[derive(Debug)]
pub(super) struct Open(Arc<Activity>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A stream that reports what is received and sent.
#[derive(Debug)]
pub(super) struct Observed<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Observed<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Observed<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(cx, buf);
        if let Some(new @ [_, ..]) = buf.filled().get(before..) {
            self.activity.received(new);
        }
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Observed<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.activity.sent(&poll);
        poll
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.activity.sent(&poll);
        poll
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(cx);
        self.activity.flushed(&poll);
        poll
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.activity.sent(&poll);
        poll
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::time::{advance, timeout};

    use super::*;

    const HEAD: Duration = Duration::from_secs(10);
    const IDLE: Duration = Duration::from_secs(300);
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    /// A connection with a buffer of four bytes.
    fn connection() -> (Arc<Activity>, Observed<DuplexStream>, DuplexStream) {
        let activity = Activity::new(&Limits { head: HEAD, idle: IDLE, ..Limits::default() });
        let (own, client) = duplex(4);
        (Arc::clone(&activity), Observed::new(own, activity), client)
    }

    async fn receive(server: &mut Observed<DuplexStream>, client: &mut DuplexStream, bytes: &[u8]) {
        client.write_all(bytes).await.expect("a write");
        server.read_exact(&mut vec![0; bytes.len()]).await.expect("a read");
    }

    /// Which limit is reached first, and after how long; `None` if none is.
    async fn expires(activity: &Activity) -> Option<(Duration, Expired)> {
        let since = Instant::now();
        let expired = timeout(YEAR, activity.expired()).await.ok()?;
        // A timer has a resolution of a millisecond.
        Some((Duration::from_secs(since.elapsed().as_secs()), expired))
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_head_is_awaited_from_the_begin() {
        let (activity, ..) = connection();
        assert_eq!(expires(&activity).await, Some((HEAD, Expired::Head)));
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_do_not_prolong_a_head() {
        let (activity, mut server, mut client) = connection();
        for _ in 0..9 {
            advance(Duration::from_secs(1)).await;
            receive(&mut server, &mut client, b"G").await;
        }
        assert_eq!(expires(&activity).await, Some((Duration::from_secs(1), Expired::Head)));
    }

    #[tokio::test(start_paused = true)]
    async fn an_open_request_has_no_limit() {
        let (activity, mut server, mut client) = connection();
        let first = activity.begin();
        let second = activity.begin();
        receive(&mut server, &mut client, b"body").await;
        drop(first);
        assert_eq!(expires(&activity).await, None);
        drop(second);
        assert_eq!(expires(&activity).await, Some((IDLE, Expired::Idle)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_further_head_is_limited_from_its_first_byte() {
        let (activity, mut server, mut client) = connection();
        receive(&mut server, &mut client, b"GET").await;
        drop(activity.begin());
        advance(IDLE / 2).await;
        receive(&mut server, &mut client, b"G").await;
        assert_eq!(expires(&activity).await, Some((HEAD, Expired::Head)));
    }

    /// The one who waits for the idle limit learns that a head has begun.
    #[tokio::test(start_paused = true)]
    async fn a_head_that_begins_later_is_noticed() {
        let (activity, mut server, mut client) = connection();
        receive(&mut server, &mut client, b"GET").await;
        drop(activity.begin());
        let later = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            receive(&mut server, &mut client, b"G").await;
        };
        let (expired, ()) = tokio::join!(expires(&activity), later);
        assert_eq!(expired, Some((Duration::from_secs(5) + HEAD, Expired::Head)));
    }

    #[tokio::test(start_paused = true)]
    async fn frames_between_requests_are_no_head() {
        let (activity, mut server, mut client) = connection();
        receive(&mut server, &mut client, b"PRI ").await;
        assert_eq!(expires(&activity).await, Some((IDLE, Expired::Idle)));
        drop(activity.begin());
        receive(&mut server, &mut client, b"ping").await;
        assert_eq!(expires(&activity).await, Some((IDLE, Expired::Idle)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_noticed() {
        let (activity, mut server, mut client) = connection();
        let open = activity.begin();
        server.write_all(b"four").await.expect("a write");
        assert_eq!(expires(&activity).await, None);
        let stuck = timeout(Duration::from_secs(1), server.write_all(b"more"));
        assert!(stuck.await.is_err());
        assert!(!activity.is_over());
        let left = IDLE.saturating_sub(Duration::from_secs(1));
        assert_eq!(expires(&activity).await, Some((left, Expired::Blocked)));
        assert!(activity.is_over());
        client.read_exact(&mut [0; 4]).await.expect("a read");
        server.write_all(b"more").await.expect("a write");
        assert_eq!(expires(&activity).await, None);
        drop(open);
        assert!(activity.is_over());
    }

    /// The answer is encoded, but not sent completely.
    #[tokio::test(start_paused = true)]
    async fn what_is_sent_between_requests_prolongs_the_idle_limit() {
        let (activity, mut server, _client) = connection();
        drop(activity.begin());
        advance(IDLE / 2).await;
        server.write_all(b"end").await.expect("a write");
        assert_eq!(expires(&activity).await, Some((IDLE, Expired::Idle)));
    }
}
