//! A finding, as a line of a journal: the requests, the responses, and how to run it again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;

/// A failure that was confirmed and shrunk, or of which the run ended before that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedFinding {
    /// Its number within the run, such as `f1`.
    pub id: String,
    /// The index of the scenario that found it, within its property.
    pub index: u64,
    /// The failure.
    #[serde(flatten)]
    pub failure: Failure,
    /// What was promised, in one sentence: the title of the property.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub promise: String,
    /// What a user would see of the cause, the same for failures that are reported together; empty if the failure
    /// stands alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symptom: String,
    /// The capability that the target lacks, in the words of the events about skipped properties ([`Event::SKIPPED`]);
    /// none unless the finding shows that the target lacks one.
    ///
    /// [`Event::SKIPPED`]: super::Event::SKIPPED
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// The smallest experiment that shows it.
    pub minimal: Minimal,
    /// The requests to the second target and its responses; empty unless two targets were compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_requests: Vec<Request>,
    /// How to run it again.
    pub replay: Replay,
    /// How it was shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Shrink>,
    /// Whether it was reproduced.
    #[serde(default)]
    pub reproduced: Reproduced,
    /// The run ended before it was run again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unconfirmed: bool,
    /// Milliseconds from the start of the run, or since it was resumed, until it was confirmed and shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
}

/// The smallest experiment that shows a failure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Minimal {
    /// Its `CustomResourceDefinition`s.
    #[serde(default)]
    pub definitions: Vec<Value>,
    /// The objects that were sent.
    #[serde(default)]
    pub objects: Vec<Value>,
    /// All requests, in order, including writes of definitions.
    #[serde(default)]
    pub requests: Vec<Request>,
}

/// One request as it was sent, and its response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// Path and query, from the leading slash.
    pub path: String,
    /// Header lines in order; secret values such as `Authorization` are dropped when the journal is written.
    #[serde(default)]
    pub headers: Vec<RequestHeader>,
    /// The bytes that were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// The status code of the response; none if there was no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The bytes of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Body>,
    /// What is meant by it, in a few words: `without a scope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// One header line of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The exact bytes of a body. It is not parsed, because key order, `1.0` against `1` and duplicate keys matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "encoding", content = "data", rename_all = "kebab-case")]
pub enum Body {
    /// UTF-8.
    Text(String),
    /// Anything else, in standard base64.
    Base64(String),
}

impl Body {
    /// The bytes as text if they are UTF-8, else as base64.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        use base64::Engine as _;
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(base64::engine::general_purpose::STANDARD.encode(bytes)),
        }
    }
}

/// How to run a failure again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The file that holds the scenario, if one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command that replays it.
    pub command: String,
    /// The scenario itself.
    pub scenario: Value,
    /// The choices that generate it.
    pub tape: Value,
}

/// What stopped the shrinking of a failure that was confirmed just before the run ended. A run that goes on with the
/// journal shrinks it.
pub const ENDED: &str = "ended";

/// How a failure was shrunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shrink {
    /// Scenarios executed for it.
    pub executions: u64,
    /// How many of them became the new smallest one.
    pub accepted: u64,
    /// Size at the start, in choices.
    pub initial_size: u64,
    /// Size at the end, in choices.
    pub final_size: u64,
    /// Why it ended: `complete`, `executions`, `time`, `not needed`, `known`, or [`ENDED`].
    pub stopped_by: String,
}

/// Whether a failure was reproduced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reproduced {
    /// Further executions of the failing scenario; 0 if none was tried.
    pub attempts: u32,
    /// How many of them failed with the same signature.
    pub times: u32,
    /// If it needs requests that were sent together: the scenarios that failed with this signature, this one included.
    #[serde(default, skip_serializing_if = "is_none")]
    pub races: u32,
}

impl Reproduced {
    /// A race fails at some times only: it counts after this many failures, of one scenario or of several.
    pub const ENOUGH_OF_A_RACE: u32 = 3;

    /// Whether the failure is certain: it failed each time, or it is a race that failed often enough.
    pub fn is_certain(self) -> bool {
        let is_shown_race = self.races > 0 && self.times.max(self.races) >= Self::ENOUGH_OF_A_RACE;
        self.times >= self.attempts || is_shown_race
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u32) -> bool {
    *count == 0
}
