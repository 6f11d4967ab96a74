//! Reads the report of a run from a file: the report itself as JSON, or the journal from which it is made.

use std::io::{BufRead, Read as _};

use crdible_spec::Catalogue;
use jiff::civil::Date;
use serde::Deserialize;
use thiserror::Error;

use crate::fold::Tally;
use crate::journal::JournalError;
use crate::known::KnownFailures;
use crate::model::{FORMAT, Report};

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
    /// The journal of a comparison.
    #[error("it is the journal of a comparison of two targets, which has no report")]
    Comparison,
}

/// The parts that tell a report from a journal: only the first line of a journal has a kind of line.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
}

/// Reads a report as JSON, or makes the report of a journal. `known` and `today` are used for a journal only: a report has
/// its known failures already.
pub fn read(
    mut input: impl BufRead,
    known: &KnownFailures,
    catalogue: &Catalogue,
    today: Date,
) -> Result<Report, SavedError> {
    // A journal is one document for each line, and may be far larger than a report: it is never in memory as a whole.
    let mut first = Vec::new();
    input.read_until(b'\n', &mut first)?;
    if let Ok(Head { format: Some(format) }) = serde_json::from_slice::<Head>(&first)
        && format.starts_with("crdible-journal/")
    {
        let tally = Tally::read(first.as_slice().chain(input)).map_err(|error| match error {
            // A file whose first line is no header was not meant to be a journal.
            JournalError::NoHeader => SavedError::Neither(no_format()),
            error => error.into(),
        })?;
        if tally.header().second_target.is_some() {
            return Err(SavedError::Comparison);
        }
        return Ok(tally.report(known, catalogue, today));
    }
    let mut text = first;
    input.read_to_end(&mut text)?;
    match serde_json::from_slice::<Head>(&text) {
        Ok(Head { format: Some(format) }) if is_report(&format) => {
            serde_json::from_slice(&text).map_err(SavedError::Neither)
        }
        Ok(Head { format: Some(format) }) if format.starts_with("crdible-report/") => Err(SavedError::Format(format)),
        whole => Err(SavedError::Neither(whole.err().unwrap_or_else(no_format))),
    }
}

fn is_report(format: &str) -> bool {
    format == FORMAT || format.starts_with(&format!("{FORMAT}."))
}

fn no_format() -> serde_json::Error {
    serde::de::Error::custom("it names no format")
}
