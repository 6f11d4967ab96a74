//! The journal: the append-only record of a run, the source of every rendering.

mod finding;
mod model;
mod reader;
mod redaction;
mod sent;
mod writer;

pub use finding::{Body, ENDED, Minimal, RecordedFinding, Replay, Reproduced, Request, RequestHeader, Shrink};
pub use model::{
    Case, CatalogueStamp, Event, FORMAT, Footer, GeneratorStamp, Header, Line, Outcome, Plan, PlannedProperty, Reached,
    Run, ServerVersion, Shard, StopReason, Target, TargetKind, Tool, Unsupported, is_readable,
};
pub use reader::{Ending, Journal, JournalError, Truncation, lines};
pub use sent::{Classes, Latency, Sent};
pub use writer::{JournalWriter, ResumeError};

#[cfg(test)]
mod tests;
