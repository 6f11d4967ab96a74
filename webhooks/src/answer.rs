//! What a webhook sends back.

use std::time::Duration;

/// The answer of a webhook to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookAnswer {
    /// How long to wait before it is sent.
    pub delay: Duration,
    /// The status code.
    pub status: u16,
    /// Headers besides `Content-Type: application/json` and `Content-Length`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How it ends.
    pub ending: Ending,
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the whole body.
    Whole,
    /// The connection is closed after this many bytes of the body.
    CutAfter(usize),
    /// The connection is closed before anything is sent.
    Closed,
    /// Nothing is ever sent.
    Silent,
}

impl HookAnswer {
    /// 200 with this body.
    pub(crate) fn of(body: Vec<u8>) -> Self {
        Self { delay: Duration::ZERO, status: 200, headers: Vec::new(), body, ending: Ending::Whole }
    }

    /// An error with this status code and text.
    pub fn error(status: u16, text: &str) -> Self {
        Self { status, ..Self::of(text.as_bytes().to_vec()) }
    }
}
