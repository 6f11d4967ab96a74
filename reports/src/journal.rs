//! The journal: the append-only record of a run, from which every rendering is made.

mod model;
mod reader;
mod redaction;
mod writer;

pub use model::{
    Body, Case, CatalogueStamp, Event, FORMAT, Failure, Footer, GeneratorStamp, Header, LeftOut, Line, Minimal,
    Outcome, Plan, PlannedProperty, Replay, Reproduced, Request, RequestHeader, Run, ServerVersion, Shard, Shrink,
    StopReason, Target, TargetKind, Tool,
};
pub use reader::{Journal, JournalError, Truncation};
pub use writer::{JournalWriter, ResumeError};

#[cfg(test)]
mod tests;
