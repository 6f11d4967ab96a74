//! What a misbehaving proxy does to requests, by a plan with a seed.

use std::time::Duration;

use crate::support::Seen;

/// What happens to one request and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mishap {
    /// The connection is closed before the request is passed on.
    ClosedBefore,
    /// The request is passed on and answered; then the connection is closed without a word of the answer.
    ClosedAfter,
    /// The connection is closed at once, and the request is passed on a moment later.
    Overtaken,
    /// The connection is closed in the middle of the answer.
    Truncated,
    /// The same, and it is reset.
    Reset,
    /// The request is passed on late.
    Delayed,
    /// The answer is passed on late.
    AnsweredLate,
    /// 429 in place of the server; with or without a time to wait.
    TooMany { wait: bool },
    /// 503 in place of the server; with or without a time to wait.
    Unavailable { wait: bool },
    /// 502 in place of the server.
    BadGateway,
    /// The request is passed on, and 502 takes the place of the answer.
    BadGatewayAfter,
}

impl Mishap {
    /// All of them.
    pub(crate) const ALL: &[Self] = &[
        Self::ClosedBefore,
        Self::ClosedAfter,
        Self::Overtaken,
        Self::Truncated,
        Self::Reset,
        Self::Delayed,
        Self::AnsweredLate,
        Self::TooMany { wait: true },
        Self::TooMany { wait: false },
        Self::Unavailable { wait: true },
        Self::Unavailable { wait: false },
        Self::BadGateway,
        Self::BadGatewayAfter,
    ];

    /// The whole answer of the proxy itself, if it answers.
    pub(crate) fn answer(self) -> Option<String> {
        let (status, wait) = match self {
            Self::TooMany { wait } => ("429 Too Many Requests", wait),
            Self::Unavailable { wait } => ("503 Service Unavailable", wait),
            Self::BadGateway | Self::BadGatewayAfter => ("502 Bad Gateway", false),
            _ => return None,
        };
        let body = format!("<html><body><h1>{status}</h1></body></html>\n");
        let wait = if wait { "retry-after: 0\r\n" } else { "" };
        let length = body.len();
        Some(format!("HTTP/1.1 {status}\r\ncontent-type: text/html\r\n{wait}content-length: {length}\r\n\r\n{body}"))
    }
}

/// Which requests meet a mishap, and which one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mishaps {
    pub(crate) seed: u64,
    /// One request of this number; none at all if it is 0.
    pub(crate) one_in: u64,
    pub(crate) kinds: &'static [Mishap],
    pub(crate) concerns: fn(&Seen) -> bool,
}

impl Mishaps {
    /// No request meets one.
    pub(crate) const NONE: Self = Self { seed: 0, one_in: 0, kinds: &[], concerns: |_| false };

    /// What happens to the request of this number.
    pub(crate) fn of(&self, number: u64, request: &Seen) -> Option<Mishap> {
        if self.one_in == 0 || !(self.concerns)(request) {
            return None;
        }
        let drawn = mixed(self.seed ^ mixed(number));
        let kind = usize::try_from(drawn >> 32).unwrap_or(0) % self.kinds.len();
        drawn.is_multiple_of(self.one_in).then(|| self.kinds[kind])
    }

    /// How long the request of this number is late.
    pub(crate) fn delay(&self, number: u64) -> Duration {
        Duration::from_millis(mixed(self.seed ^ mixed(!number)) % 400)
    }
}

/// A number that depends on all bits of another one (the finalizer of splitmix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
