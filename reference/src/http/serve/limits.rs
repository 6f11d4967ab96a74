//! The limits of connections.

use std::time::Duration;

/// How many connections a server has at once, and how long it waits for a client. The defaults are out of the way
/// of every usual client: watches may be silent for as long as they like, and a request may take as long as its
/// answer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many connections are open at once, at least 1. Further ones wait until another is closed, which the log
    /// tells ([`LogEntry::ConnectionLimit`](crate::LogEntry::ConnectionLimit)). The default is 1,024.
    pub connections: usize,
    /// How long a TLS handshake may take, and then how long a request head may take: from the begin of the connection
    /// or from the head's first byte. The connection is closed after that. The default is 10 seconds.
    pub head: Duration,
    /// How long a request body may take. The request is answered with 408 after that. The default is 60 seconds.
    pub body: Duration,
    /// How long a connection may have no request that is not answered yet, and how long a client may not read what is
    /// sent to it. The connection is closed after that. The default is 5 minutes, which is more than client-go keeps an
    /// unused connection.
    pub idle: Duration,
    /// The largest request head, in bytes, at least [`Limits::SMALLEST_HEAD`]. A larger one is refused with 431. The
    /// default is 64 KiB.
    pub head_size: u32,
}

impl Limits {
    /// The smallest limit of a request head, in bytes.
    pub const SMALLEST_HEAD: u32 = 8 << 10;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            head: Duration::from_secs(10),
            body: Duration::from_secs(60),
            idle: Duration::from_secs(5 * 60),
            head_size: 64 << 10,
        }
    }
}
