//! Folds the journal of a run into reports, verdicts and comparisons, and renders them.
//!
//! A run writes a [`journal`], the crate of that name, whose modules can be named here, too. Everything that users or
//! programs read afterwards is folded from it: a [`Report`] with a [`Verdict`] by [`fold()`], a [`Comparison`] of two
//! targets by [`compare`], both rendered by [`render`]. A run in progress sums up its lines in a [`Tally`]. A
//! [`SoakTally`] sums up many runs, one after the other, in a [`Soak`]. [`merge()`] merges the journals of shards;
//! [`across`] puts the reports of several runs side by side; [`accept()`] writes entries for known failures;
//! [`mod@check`] checks whether a file is valid and unchanged.
//!
//! ```
//! use crdible_reports::journal::{Journal, JournalWriter, Line, Event};
//! use crdible_reports::{KnownFailures, fold, redact::Redactor, render};
//! # use crdible_reports::journal::{self, *};
//! # let header = Header {
//! #     format: journal::FORMAT.to_owned(),
//! #     tool: Tool { name: "crdible".to_owned(), version: "0.1.0".to_owned() },
//! #     catalogue: CatalogueStamp { digest: "c".to_owned(), requirements: 1 },
//! #     generator: GeneratorStamp { digest: "g".to_owned() },
//! #     run: Run { id: "r1".to_owned(), started: "2026-11-21T12:00:00Z".to_owned(), command: "crdible run".to_owned(),
//! #         seed: 42, cases: 100, time_seconds: None, workers: 2, qps: None, shard: None, fuzz: false },
//! #     target: Target { kind: TargetKind::Embedded, address: "embedded".to_owned(), version: None,
//! #         release: "1.36".to_owned() },
//! #     second_target: None,
//! #     profile: "core".to_owned(),
//! # };
//! let redactor = Redactor::new(["s3cr3t-token".to_owned()]);
//! let mut writer = JournalWriter::new(Vec::new(), redactor);
//! writer.write(Line::Header(Box::new(header)))?;
//! writer.write(Line::Event(Event::new("http-429", "for s3cr3t-token")))?;
//!
//! let journal = Journal::read(writer.into_inner().as_slice())?;
//! let catalogue = crdible_spec::Catalogue::embedded();
//! let today = "2026-11-21".parse()?;
//! let report = fold(&journal, &KnownFailures::default(), catalogue, today);
//!
//! assert_eq!(report.exit_code(), 4, "a journal without a footer belongs to a killed run");
//! assert_eq!(report.events[0].detail, "for [redacted]");
//! assert!(render::json(&report).contains("\"seed\": 42"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
pub mod across;
pub mod check;
pub mod comparison;
mod fold;
mod merge;
pub mod model;
pub mod render;
pub mod soak;
mod verdict;

pub use accept::{Acceptance, accept};
pub use comparison::Comparison;
pub use crdible_journal::{
    self as journal, ExitCode, Failure, KUBE_APISERVER, KnownError, KnownFailures, Signature, SignatureError,
    TargetRelease, UnusableKnown, glob, known, redact, schema, shell, text,
};
pub use fold::{SoakTally, Tally, compare, fold};
pub use merge::{MergeError, merge};
pub use model::Report;
pub use soak::Soak;
pub use verdict::Verdict;

#[cfg(test)]
mod sample;
