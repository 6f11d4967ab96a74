//! Writes a journal: one line per call, redacted first, flushed before the call returns.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{Journal, JournalError, Line};
use crate::digest::{self, Sealed};
use crate::redact::Redactor;

/// Writes lines to `W` as they happen. Each line is written in one piece and flushed, so that a killed run loses at
/// most the line that it was writing.
#[derive(Debug)]
pub struct JournalWriter<W: Write> {
    output: W,
    redactor: Redactor,
    /// Of all bytes so far, for the footer.
    hash: Sha256,
}

impl<W: Write> JournalWriter<W> {
    /// A writer that removes the redactor's secrets from everything that it writes to `output`.
    pub fn new(output: W, redactor: Redactor) -> Self {
        Self { output, redactor, hash: Sha256::new() }
    }

    /// Replaces the redactor: credentials may be renewed during a run.
    pub fn redact_with(&mut self, redactor: Redactor) {
        self.redactor = redactor;
    }

    /// Writes one line and returns it as it was written: what is kept in memory for the report must be redacted too.
    pub fn write(&mut self, line: Line) -> io::Result<Line> {
        let line = line.redacted(&self.redactor);
        let mut bytes = match &line {
            Line::Footer(_) => {
                serde_json::to_vec(&Sealed { content: &line, digest: digest::named(self.hash.clone()) })?
            }
            line => serde_json::to_vec(line)?,
        };
        bytes.push(b'\n');
        self.hash.update(&bytes);
        self.output.write_all(&bytes)?;
        self.output.flush()?;
        Ok(line)
    }

    /// Goes on writing to another output, such as one with a buffer before the same file.
    pub fn through<V: Write>(self, wrap: impl FnOnce(W) -> V) -> JournalWriter<V> {
        JournalWriter { output: wrap(self.output), redactor: self.redactor, hash: self.hash }
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

impl JournalWriter<File> {
    /// Opens the journal of a run that was killed or interrupted, removes an incomplete last line, and returns the
    /// journal with a writer that appends to it.
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
        let hash = hashed(&mut file).map_err(at)?;
        Ok((journal, Self { output: file, redactor, hash }))
    }
}

/// The hash of all of a file, which is then at its end.
fn hashed(file: &mut File) -> io::Result<Sha256> {
    file.seek(SeekFrom::Start(0))?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash),
            count => hash.update(&piece[..count]),
        }
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
