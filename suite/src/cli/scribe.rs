//! Writes the journal of a run, and keeps what its report is made of.

use std::{fs::File, io::BufWriter, path::Path};

use crdible_reports::{
    KnownFailures, Report, Tally,
    journal::{self, Header, JournalWriter, Line},
    redact::Redactor,
};
use crdible_spec::Catalogue;

use super::{failure::CliError, output};
use crate::{run::Stop, target::Secrets};

/// The journal, summed up in memory and in a file if one was asked for; both without secrets.
pub(super) struct Scribe {
    tally: Tally,
    secrets: Secrets,
    /// Of so many secrets as there were when it was made.
    redactor: (usize, Redactor),
    file: Option<JournalWriter<BufWriter<File>>>,
    cases: u64,
    failures: u64,
    errors: u64,
}

impl Scribe {
    /// Begins a journal with its header. An existing file is never overwritten.
    pub(super) fn open(path: Option<&Path>, secrets: Secrets, header: Header) -> Result<Self, CliError> {
        let redactor = Redactor::new(secrets.all());
        let file = path.map(|path| {
            let file = File::create_new(path).map_err(|source| CliError::File {
                what: "create the journal",
                path: path.to_owned(),
                source,
            })?;
            Ok::<_, CliError>(JournalWriter::new(BufWriter::new(file), redactor.clone()))
        });
        let file = file.transpose()?;
        let tally = Tally::new(header.clone());
        // None are counted yet: those that came since they were read are not overlooked.
        let mut scribe = Self { tally, secrets, redactor: (0, redactor), file, cases: 0, failures: 0, errors: 0 };
        scribe.append(Line::Header(Box::new(header)));
        Ok(scribe)
    }

    /// Writes a line.
    pub(super) fn write(&mut self, line: Line) {
        self.learn_secrets();
        if let Line::Case(case) = &line {
            self.cases += case.cases;
            self.failures += u64::from(case.outcome == journal::Outcome::Fail);
            self.errors += u64::from(case.outcome == journal::Outcome::Error);
        }
        self.tally.push(line.clone().redacted(&self.redactor.1));
        self.append(line);
    }

    /// Credentials may have been renewed, and answers hold what was sent.
    fn learn_secrets(&mut self) {
        let count = self.secrets.count();
        if count > self.redactor.0 {
            self.redactor = (count, Redactor::new(self.secrets.all()));
            if let Some(file) = &mut self.file {
                file.redact_with(self.redactor.1.clone());
            }
        }
    }

    /// Ends the journal and makes the report of it.
    pub(super) fn close(mut self, stop: &Stop, known: &KnownFailures) -> Report {
        let mut footer = journal::Footer {
            complete: *stop == Stop::Finished,
            stop_reason: match stop {
                Stop::Finished => journal::StopReason::Finished,
                Stop::Time => journal::StopReason::TimeBudget,
                Stop::Interrupted => journal::StopReason::Interrupted,
                Stop::TargetLost(_) => journal::StopReason::TargetUnusable,
                Stop::Broken(_) => journal::StopReason::Broken,
            },
            verdict: String::new(),
            cases: self.cases,
            failures: self.failures,
            errors: self.errors,
            ended: jiff::Timestamp::now().to_string(),
        };
        self.tally.push(Line::Footer(footer.clone()));
        let report = self.tally.report(known, Catalogue::embedded(), jiff::Zoned::now().date());
        report.verdict.as_str().clone_into(&mut footer.verdict);
        self.append(Line::Footer(footer));
        report
    }

    /// A full disk ends the journal, not the run; it is said once.
    fn append(&mut self, line: Line) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write(line)
        {
            output::warn(&format!("the journal ends here, since its file cannot be written: {error}"));
            self.file = None;
        }
    }
}
