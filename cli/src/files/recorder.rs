//! Records a run: its journal in a file if one was requested, and the totals for its report.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

use crdible_reports::{
    KnownFailures, Report, Tally,
    journal::{self, Case, Header, Journal, JournalWriter, Line, Sent},
    redact::Redactor,
};
use crdible_spec::Catalogue;

use crate::{error::CliError, output};
use crdible::{
    connection::Secrets,
    run::{JournalLines, Stop, stop_reason},
};

/// What a recorder keeps in memory.
enum Totals {
    /// The totals of a new run.
    New(Box<Tally>),
    /// The whole journal of a resumed run: it may run a scenario for the second time, which counts once.
    Resumed(Box<Journal>),
}

impl Totals {
    fn push(&mut self, line: Line) {
        match self {
            Self::New(tally) => tally.push(line),
            Self::Resumed(journal) => journal.push(line),
        }
    }

    fn tally(&self) -> Cow<'_, Tally> {
        match self {
            Self::New(tally) => Cow::Borrowed(tally),
            Self::Resumed(journal) => Cow::Owned(Tally::of(journal)),
        }
    }
}

/// The file of a journal.
struct JournalFile {
    path: PathBuf,
    writer: JournalWriter<BufWriter<File>>,
}

/// The journal of a run, summed up in memory and written to a file if one was requested; both without secrets.
pub(crate) struct Recorder {
    totals: Totals,
    secrets: Vec<Secrets>,
    redactor: Redactor,
    /// How many secrets the redactor knows.
    known_secrets: usize,
    file: Option<JournalFile>,
    cases: u64,
    failures: u64,
    errors: u64,
}

impl Recorder {
    /// Begins a journal with its header. An existing file is never overwritten.
    pub(crate) fn open(path: Option<&Path>, secrets: Vec<Secrets>, header: Header) -> Result<Self, CliError> {
        let redactor = Redactor::new(secrets.iter().flat_map(Secrets::all));
        let created = |path: &Path| -> Result<JournalFile, CliError> {
            let file = File::create_new(path).map_err(|error| not_created(path, error))?;
            let writer = JournalWriter::new(BufWriter::new(file), redactor.clone());
            Ok(JournalFile { path: path.to_owned(), writer })
        };
        let file = path.map(created).transpose()?;
        let totals = Totals::New(Box::new(Tally::new(header.clone())));
        let mut recorder = Self::new(totals, secrets, redactor, file);
        recorder.append(Line::Header(Box::new(header)));
        Ok(recorder)
    }

    /// Continues a journal. A last line that was cut off is removed.
    pub(crate) fn resume(path: &Path, secrets: Vec<Secrets>) -> Result<Self, CliError> {
        let redactor = Redactor::new(secrets.iter().flat_map(Secrets::all));
        let (mut journal, file) = JournalWriter::resume(path, redactor.clone())?;
        let file = JournalFile { path: path.to_owned(), writer: file.through(BufWriter::new) };
        journal.footer = None;
        let (cases, failures, errors) = totals_of(&journal.cases);
        let recorder = Self::new(Totals::Resumed(Box::new(journal)), secrets, redactor, Some(file));
        Ok(Self { cases, failures, errors, ..recorder })
    }

    fn new(totals: Totals, secrets: Vec<Secrets>, redactor: Redactor, file: Option<JournalFile>) -> Self {
        // Zero known secrets, so that all are read again, including those added meanwhile.
        Self { totals, secrets, redactor, known_secrets: 0, file, cases: 0, failures: 0, errors: 0 }
    }

    /// Records a line.
    pub(crate) fn write(&mut self, line: Line) {
        self.update_redactor();
        if let Line::Case(case) = &line {
            let (cases, failures, errors) = totals_of(std::slice::from_ref(case));
            self.cases += cases;
            self.failures += failures;
            self.errors += errors;
        }
        self.totals.push(line.clone().redacted(&self.redactor));
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
                file.writer.redact_with(self.redactor.clone());
            }
        }
    }

    /// Ends the journal of a run, and returns the report.
    pub(crate) fn report(self, stop: &Stop, requests: u64, sent: Sent, known: &KnownFailures) -> Report {
        self.close(stop, requests, sent, |tally| {
            let report = tally.report(known, Catalogue::embedded(), jiff::Zoned::now().date());
            let verdict = report.verdict.as_str();
            (report, verdict)
        })
    }

    /// Ends the journal. `conclude` derives the result from the totals, and the verdict for the footer.
    pub(crate) fn close<T>(
        mut self,
        stop: &Stop,
        requests: u64,
        sent: Sent,
        conclude: impl FnOnce(&Tally) -> (T, &'static str),
    ) -> T {
        if let Some(line) = JournalLines::ending(stop) {
            self.write(line);
        }
        if !sent.is_empty() {
            self.write(Line::Sent(sent));
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
        self.totals.push(Line::Footer(footer.clone()));
        let (result, verdict) = conclude(&self.totals.tally());
        verdict.clone_into(&mut footer.verdict);
        self.append(Line::Footer(footer));
        result
    }

    /// A full disk ends the journal, not the run. The warning is printed once, and the command ends with an error.
    fn append(&mut self, line: Line) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.writer.write(line)
        {
            output::warn(&format!("the journal ends here, because its file cannot be written: {error}"));
            output::keep_unwritten(CliError::cannot("write the journal", &file.path)(error));
            self.file = None;
        }
    }
}

/// Why a journal cannot be created, and what to do if there is one.
fn not_created(path: &Path, error: io::Error) -> CliError {
    if error.kind() != io::ErrorKind::AlreadyExists {
        return CliError::cannot("create the journal", path)(error);
    }
    let is_file = path.is_file();
    let path = path.display();
    if !is_file {
        return CliError::usage(format!("--journal {path}: it is not a file; name a new one"));
    }
    CliError::usage(format!(
        "--journal {path}: the file exists, and no journal is overwritten; name another \
         file, or continue the run of this one with `crdible run --resume {path}`"
    ))
}

/// Judged cases, failed scenarios and those that ended in an error.
fn totals_of(cases: &[Case]) -> (u64, u64, u64) {
    let with = |outcome| cases.iter().filter(|case| case.outcome == outcome).count() as u64;
    let judged = cases.iter().map(|case| case.cases).sum();
    (judged, with(journal::Outcome::Fail), with(journal::Outcome::Error))
}
