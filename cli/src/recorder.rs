//! Records a run: its journal in a file if one was requested, and the totals for its report.

use std::{fs::File, io::BufWriter, path::Path};

use crdible_reports::{
    Tally,
    journal::{self, Header, JournalWriter, Line},
    redact::Redactor,
};

use crate::{error::CliError, output};
use crdible::{
    connection::Secrets,
    run::{JournalLines, Stop, stop_reason},
};

/// The journal of a run, summed up in memory and written to a file if one was requested; both without secrets.
pub(crate) struct Recorder {
    tally: Tally,
    secrets: Vec<Secrets>,
    redactor: Redactor,
    /// How many secrets the redactor knows.
    known_secrets: usize,
    file: Option<JournalWriter<BufWriter<File>>>,
    cases: u64,
    failures: u64,
    errors: u64,
}

impl Recorder {
    /// Begins a journal with its header. An existing file is never overwritten.
    pub(crate) fn open(path: Option<&Path>, secrets: Vec<Secrets>, header: Header) -> Result<Self, CliError> {
        let redactor = Redactor::new(secrets.iter().flat_map(Secrets::all));
        let file = path.map(|path| {
            let file = File::create_new(path).map_err(|source| CliError::File {
                what: "create the journal",
                path: path.to_owned(),
                source,
            })?;
            Ok::<_, CliError>(JournalWriter::new(BufWriter::new(file), redactor.clone()))
        });
        let mut recorder = Self {
            tally: Tally::new(header.clone()),
            secrets,
            redactor,
            // Zero, so that secrets that were added since they were read are not missed.
            known_secrets: 0,
            file: file.transpose()?,
            cases: 0,
            failures: 0,
            errors: 0,
        };
        recorder.append(Line::Header(Box::new(header)));
        Ok(recorder)
    }

    /// Records a line.
    pub(crate) fn write(&mut self, line: Line) {
        self.update_redactor();
        if let Line::Case(case) = &line {
            self.cases += case.cases;
            self.failures += u64::from(case.outcome == journal::Outcome::Fail);
            self.errors += u64::from(case.outcome == journal::Outcome::Error);
        }
        self.tally.push(line.clone().redacted(&self.redactor));
        self.append(line);
    }

    /// A line without secrets, to be shown.
    pub(crate) fn redacted(&mut self, line: Line) -> Line {
        self.update_redactor();
        line.redacted(&self.redactor)
    }

    /// Credentials may have been renewed, and answers may echo them.
    fn update_redactor(&mut self) {
        let count = self.secrets.iter().map(Secrets::count).sum();
        if count > self.known_secrets {
            self.known_secrets = count;
            self.redactor = Redactor::new(self.secrets.iter().flat_map(Secrets::all));
            if let Some(file) = &mut self.file {
                file.redact_with(self.redactor.clone());
            }
        }
    }

    /// Ends the journal. `conclude` derives the result from the totals, and the verdict for the footer.
    pub(crate) fn close<T>(
        mut self,
        stop: &Stop,
        requests: u64,
        conclude: impl FnOnce(&Tally) -> (T, &'static str),
    ) -> T {
        if let Some(line) = JournalLines::ending(stop) {
            self.write(line);
        }
        let mut footer = journal::Footer {
            complete: *stop == Stop::Finished,
            stop_reason: stop_reason(stop),
            verdict: String::new(),
            cases: self.cases,
            failures: self.failures,
            errors: self.errors,
            requests,
            ended: jiff::Timestamp::now().to_string(),
        };
        self.tally.push(Line::Footer(footer.clone()));
        let (result, verdict) = conclude(&self.tally);
        verdict.clone_into(&mut footer.verdict);
        self.append(Line::Footer(footer));
        result
    }

    /// A full disk ends the journal, not the run. The warning is printed once.
    fn append(&mut self, line: Line) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write(line)
        {
            output::warn(&format!("the journal ends here, because its file cannot be written: {error}"));
            self.file = None;
        }
    }
}
