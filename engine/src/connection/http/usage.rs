//! What went over a connection: whether a server had a request when its connection ended.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::CaptureConnection;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// A server may close a connection that was idle for longer, just as a request is sent: that is no end of the request.
const IDLE: Duration = Duration::from_secs(1);

/// What went over a connection since it was opened.
#[derive(Debug, Default)]
pub(super) struct Usage(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// When something was received last.
    received: Option<Instant>,
    /// What was sent since then.
    sent: Option<Sent>,
}

#[derive(Debug)]
struct Sent {
    bytes: u64,
    /// How long the connection was idle before; a new one was not.
    idle: Duration,
}

impl Usage {
    /// That of the connection over which a request was sent, if there was one.
    pub(super) fn of(connection: &CaptureConnection) -> Option<Arc<Self>> {
        let mut extras = http::Extensions::new();
        connection.connection_metadata().as_ref()?.get_extras(&mut extras);
        extras.remove()
    }

    /// This much was received; at the end it is nothing.
    pub(super) fn note_received(&self, bytes: usize) {
        if bytes > 0 {
            *self.state() = State { received: Some(Instant::now()), sent: None };
        }
    }

    /// This much was sent.
    pub(super) fn note_sent(&self, bytes: usize) {
        let mut state = self.state();
        let idle = state.received.map_or(Duration::ZERO, |received| received.elapsed());
        state.sent.get_or_insert(Sent { bytes: 0, idle }).bytes += bytes as u64;
    }

    /// Whether a request with a body of this length was sent whole and nothing came back, and the connection had not
    /// been idle before.
    pub(super) fn has_silent_request(&self, body: usize) -> bool {
        let state = self.state();
        state.sent.as_ref().is_some_and(|sent| sent.bytes > body as u64 && sent.idle < IDLE)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection whose usage is noted.
pub(super) struct Counted<S> {
    stream: S,
    usage: Arc<Usage>,
}

impl<S> Counted<S> {
    pub(super) fn new(stream: S, usage: Arc<Usage>) -> Self {
        Self { stream, usage }
    }

    fn note_sent(&self, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = sent {
            self.usage.note_sent(bytes);
        }
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.usage.note_received(buffer.filled().len() - before);
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note_sent(sent)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note_sent(sent)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::{IDLE, Usage};

    #[tokio::test(start_paused = true)]
    async fn a_request_is_silent_until_something_comes() {
        let usage = Usage::default();
        assert!(!usage.has_silent_request(0), "nothing was sent");
        advance(2 * IDLE).await;
        usage.note_sent(100);
        assert!(usage.has_silent_request(0), "a new connection was not idle");
        assert!(!usage.has_silent_request(100), "its body is not sent");
        usage.note_sent(20);
        assert!(usage.has_silent_request(100));
        usage.note_received(0);
        assert!(usage.has_silent_request(100));
        usage.note_received(1);
        assert!(!usage.has_silent_request(0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_was_idle_may_be_closed() {
        let usage = Usage::default();
        for (idle, is_silent) in [(IDLE / 2, true), (IDLE, false), (IDLE / 2, true)] {
            usage.note_sent(100);
            usage.note_received(100);
            advance(idle).await;
            usage.note_sent(50);
            // What is sent later is part of the same request.
            advance(2 * IDLE).await;
            usage.note_sent(50);
            assert_eq!(usage.has_silent_request(0), is_silent, "idle for {idle:?}");
        }
    }
}
