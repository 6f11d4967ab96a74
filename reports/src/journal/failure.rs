//! A failure, as a line of a journal: what was sent, what came back, and how to run it again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One failure, confirmed and shrunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Its number within the run, such as `f1`.
    pub id: String,
    /// The property that found it.
    pub property: String,
    /// The scenario of the property that found it.
    pub index: u64,
    /// The requirements that are broken, as references.
    pub requirements: Vec<String>,
    /// The check that failed.
    pub check: String,
    /// Property, check, normalised field path, reason; begins with the property's ID, holds no generated names or values.
    pub signature: String,
    /// One sentence: what the server did wrong.
    pub summary: String,
    /// How bad it is, if the check says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// What must have come back.
    pub expected: Value,
    /// What came back.
    pub actual: Value,
    /// The smallest experiment that shows it.
    pub minimal: Minimal,
    /// How to run it again.
    pub replay: Replay,
    /// How it was made small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Shrink>,
    /// Whether it came again.
    #[serde(default)]
    pub reproduced: Reproduced,
}

/// The smallest experiment that shows a failure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Minimal {
    /// The `CustomResourceDefinition`s in it.
    #[serde(default)]
    pub definitions: Vec<Value>,
    /// The objects that were sent.
    #[serde(default)]
    pub objects: Vec<Value>,
    /// Everything that was sent, in order, the writes of definitions included.
    #[serde(default)]
    pub requests: Vec<Request>,
}

/// One request as it was sent, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// Path and query, from the leading slash.
    pub path: String,
    /// Header lines in order; values of `Authorization` and the like are dropped when written.
    #[serde(default)]
    pub headers: Vec<RequestHeader>,
    /// The bytes that were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// The status that came back; none if nothing came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The bytes that came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Body>,
}

/// One header line of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The exact bytes of a body: key order, `1.0` against `1` and doubled keys matter, so it is not parsed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "encoding", content = "data", rename_all = "kebab-case")]
pub enum Body {
    /// UTF-8.
    Text(String),
    /// Anything else, in standard base64.
    Base64(String),
}

impl Body {
    /// Takes bytes: as text if they are UTF-8, else as base64.
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
    /// The choices that make it.
    pub tape: Value,
}

/// How a failure was made small.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shrink {
    /// Scenarios executed for it.
    pub executions: u64,
    /// How many of them were kept as smaller ones.
    pub accepted: u64,
    /// Size at the start, in choices.
    pub initial_size: u64,
    /// Size at the end, in choices.
    pub final_size: u64,
    /// What ended it: `minimum`, `budget`, `time`, …
    pub stopped_by: String,
}

/// Whether a failure came again on fresh definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reproduced {
    /// Further executions of the failing scenario; 0 if none was tried.
    pub attempts: u32,
    /// How many of them failed alike.
    pub times: u32,
}
