//! The journal of a run, and what is said in it of a failure.
//!
//! A run writes a journal: append-only NDJSON, one [`Line`] for each finished scenario, by a [`JournalWriter`] that
//! removes secrets before it writes ([`redact`]). A failure has the same form everywhere: a [`Failure`] with a
//! [`Signature`]. [`known`] reads a file of known failures.
//!
//! What a reader makes of a journal (a report, a verdict, a page) is in the crate `crdible_reports`.

pub mod digest;
mod exit_code;
mod failure;
pub mod glob;
mod journal;
pub mod known;
pub mod redact;
pub mod schema;
pub mod shell;
pub mod symptom;
pub mod text;
mod varied;

pub use exit_code::ExitCode;
pub use failure::{Failure, Signature, SignatureError};
pub use journal::{
    Body, Case, CatalogueStamp, Classes, ENDED, Ending, Event, FORMAT, Footer, GeneratorStamp, Header, Journal,
    JournalError, JournalWriter, Latency, Line, Minimal, Outcome, Plan, PlannedProperty, Reached, RecordedFinding,
    Replay, Reproduced, Request, RequestHeader, ResumeError, Run, Sent, ServerVersion, Shard, Shrink, StopReason,
    Target, TargetKind, Tool, Truncation, Unsupported, is_readable, lines,
};
pub use known::{KUBE_APISERVER, KnownError, KnownFailures, TargetRelease, UnusableKnown};
pub use varied::{VariedDocument, VariedPart, Weight};

#[cfg(test)]
mod sample;
