//! Writes a journal: one line per call, redacted first, flushed before the call returns.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::Path;

use super::{Journal, JournalError, Line};
use crate::redact::Redactor;

/// Writes lines to `W` as they happen. Each line is written in one piece and flushed, so that a killed run loses at most the
/// line that it was writing.
#[derive(Debug)]
pub struct JournalWriter<W: Write> {
    output: W,
    redactor: Redactor,
}

impl<W: Write> JournalWriter<W> {
    /// A writer that removes the redactor's secrets from everything that it writes to `output`.
    pub fn new(output: W, redactor: Redactor) -> Self {
        Self { output, redactor }
    }

    /// Replaces the redactor: credentials may be renewed during a run.
    pub fn redact_with(&mut self, redactor: Redactor) {
        self.redactor = redactor;
    }

    /// Writes one line and returns it as it was written: what is kept in memory for the report must be redacted too.
    pub fn write(&mut self, line: Line) -> io::Result<Line> {
        let line = line.redacted(&self.redactor);
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        self.output.write_all(&bytes)?;
        self.output.flush()?;
        Ok(line)
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

impl JournalWriter<File> {
    /// Opens the journal of a run that was killed or interrupted, removes an incomplete last line, and returns the journal
    /// with a writer that appends to it.
    pub fn resume(path: &Path, redactor: Redactor) -> Result<(Journal, Self), ResumeError> {
        let at = |source| ResumeError::Io { path: path.display().to_string(), source };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at)?;
        let journal = Journal::read(io::BufReader::new(&file))
            .map_err(|source| ResumeError::Journal { path: path.display().to_string(), source })?;
        file.set_len(journal.valid_bytes).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        if journal.ends_without_newline {
            file.write_all(b"\n").map_err(at)?;
        }
        Ok((journal, Self::new(file, redactor)))
    }
}

/// Why a journal cannot be resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The file cannot be read or written.
    #[error("cannot open the journal {path} to resume it: {source}; pass a file that exists and is writable")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not a journal, or invalid before its last line.
    #[error("cannot resume the journal {path}: {source}")]
    Journal {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: JournalError,
    },
}
