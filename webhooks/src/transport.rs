//! What happens to the answer of a webhook on its way.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::answer::{Ending, HookAnswer};

/// What happens to an answer on its way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Nothing: 200 with the review.
    #[default]
    Plain,
    /// Another status code, with these headers. The body is this text, or the review.
    Status {
        /// The code.
        code: u16,
        /// Further headers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        headers: Vec<(String, String)>,
        /// The body; the review if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// A body in place of the review, with 200.
    Body(String),
    /// The body is preceded by this and followed by that.
    Around {
        /// What comes before the review.
        before: String,
        /// What comes after it.
        after: String,
    },
    /// The body is cut off after this many bytes, although its announced length is right.
    Truncated(usize),
    /// The connection is closed without an answer.
    Closed,
    /// There is never an answer.
    Silent,
    /// The answer comes after this many milliseconds.
    Late(u64),
}

impl Transport {
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// The answer with this review, as it arrives.
    pub(crate) fn send(&self, review: Vec<u8>) -> HookAnswer {
        let right = HookAnswer::of(review);
        match self {
            Self::Plain => right,
            Self::Status { code, headers, body } => HookAnswer {
                status: *code,
                headers: headers.clone(),
                body: body.as_ref().map_or(right.body, |body| body.clone().into_bytes()),
                ..HookAnswer::of(Vec::new())
            },
            Self::Body(body) => HookAnswer::of(body.clone().into_bytes()),
            Self::Around { before, after } => {
                HookAnswer::of([before.as_bytes(), &right.body, after.as_bytes()].concat())
            }
            Self::Truncated(bytes) => HookAnswer { ending: Ending::CutAfter(*bytes), ..right },
            Self::Closed => HookAnswer { ending: Ending::Closed, ..right },
            Self::Silent => HookAnswer { ending: Ending::Silent, ..right },
            Self::Late(milliseconds) => HookAnswer { delay: Duration::from_millis(*milliseconds), ..right },
        }
    }
}
