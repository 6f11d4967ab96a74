//! Reads the report of a run from a file: the report itself as JSON, or the journal from which it is folded.

use std::io::{BufRead, Read as _};

use crdible_spec::Catalogue;
use jiff::civil::Date;
use serde::Deserialize;
use thiserror::Error;

use crate::comparison::{self, Comparison};
use crate::fold::Tally;
use crate::journal::{JournalError, is_readable};
use crate::known::KnownFailures;
use crate::model::{FORMAT, Report};
use crate::soak::{self, Soak};

/// Why a file holds no report of a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SavedError {
    /// Reading it failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is neither.
    #[error("it is neither a report (`crdible run --output json`) nor a journal (`crdible run --journal FILE`): {0}")]
    Neither(serde_json::Error),
    /// A report of another major version.
    #[error("it is a report of the format `{0}`, but this version reads `{FORMAT}`")]
    Format(String),
    /// A broken journal.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// A comparison, where the report of a run is needed.
    #[error("it is a comparison of two targets, which has no report; `crdible report render` shows it")]
    Comparison,
    /// The sum of a soak, where the report of a run is needed.
    #[error("it is the sum of a soak, which has no report; `crdible report render` shows it")]
    Soak,
}

/// The fields that distinguish a report from a journal: only the first line of a journal has a kind of line.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
}

/// What a file is rendered from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Saved {
    /// The report of a run.
    Run(Box<Report>),
    /// A comparison of two targets.
    Comparison(Box<Comparison>),
    /// The sum of a soak.
    Soak(Box<Soak>),
}

/// Reads a report as JSON, or folds a journal into a report. `known` and `today` are used for a journal
/// only: a report has its known failures already.
pub fn read(
    input: impl BufRead,
    known: &KnownFailures,
    catalogue: &Catalogue,
    today: Date,
) -> Result<Report, SavedError> {
    match read_any(input, known, catalogue, today)? {
        Saved::Run(report) => Ok(*report),
        Saved::Comparison(_) => Err(SavedError::Comparison),
        Saved::Soak(_) => Err(SavedError::Soak),
    }
}

/// Reads a report, a comparison or the sum of a soak as JSON, or folds a journal into one of the first two.
pub fn read_any(
    mut input: impl BufRead,
    known: &KnownFailures,
    catalogue: &Catalogue,
    today: Date,
) -> Result<Saved, SavedError> {
    // A journal is one document for each line, and may be far larger than a report: it is never in memory as a whole.
    let mut first = Vec::new();
    input.read_until(b'\n', &mut first)?;
    if let Ok(Head { format: Some(format) }) = serde_json::from_slice::<Head>(&first)
        && format.starts_with("crdible-journal/")
    {
        let tally = Tally::read(first.as_slice().chain(input)).map_err(|error| match error {
            // A file whose first line is not a header was not meant to be a journal.
            JournalError::NoHeader => SavedError::Neither(no_format()),
            error => error.into(),
        })?;
        return Ok(if tally.header().second_target.is_some() {
            Saved::Comparison(Box::new(tally.comparison(known, today)))
        } else {
            Saved::Run(Box::new(tally.report(known, catalogue, today)))
        });
    }
    let mut text = first;
    input.read_to_end(&mut text)?;
    if text.trim_ascii().is_empty() {
        return Err(SavedError::Neither(serde::de::Error::custom("it is empty")));
    }
    match serde_json::from_slice::<Head>(&text) {
        Ok(Head { format: Some(format) }) if is_readable(&format, FORMAT) => {
            serde_json::from_slice(&text).map(Saved::Run).map_err(SavedError::Neither)
        }
        Ok(Head { format: Some(format) }) if is_readable(&format, comparison::FORMAT) => {
            serde_json::from_slice(&text).map(Saved::Comparison).map_err(SavedError::Neither)
        }
        Ok(Head { format: Some(format) }) if is_readable(&format, soak::FORMAT) => {
            serde_json::from_slice(&text).map(Saved::Soak).map_err(SavedError::Neither)
        }
        Ok(Head { format: Some(format) }) if format.starts_with("crdible-report/") => Err(SavedError::Format(format)),
        whole => Err(SavedError::Neither(whole.err().unwrap_or_else(no_format))),
    }
}

fn no_format() -> serde_json::Error {
    serde::de::Error::custom("it names no format")
}
