//! Reads a journal, even that of a killed run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use super::{
    Case, ENDED, Event, FORMAT, Footer, Header, Line, Outcome, Plan, Reached, RecordedFinding, Sent, is_readable,
};
use crate::failure::Signature;

/// A journal in memory. It holds every scenario; a run in progress keeps only a tally.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// What runs against which target.
    pub header: Header,
    /// What should have been run; empty if the run ended before it was planned.
    pub plan: Plan,
    /// Finished scenarios in the order in which they ended; the order has no meaning.
    pub cases: Vec<Case>,
    /// Findings: failures that were confirmed and shrunk.
    pub findings: Vec<RecordedFinding>,
    /// Events outside the scenarios.
    pub events: Vec<Event>,
    /// What cases that learn reached in the end.
    pub reached: Option<Reached>,
    /// What was sent.
    pub sent: Sent,
    /// The end; `None` if the run was killed. A resumed journal has several, and the last one counts.
    pub footer: Option<Footer>,
    /// The last line, if it was cut off.
    pub truncated: Option<Truncation>,
    /// Bytes up to the end of the last complete line.
    pub valid_bytes: u64,
    /// Whether the last complete line lacks its newline.
    pub ends_without_newline: bool,
}

/// A last line that was cut off while it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncation {
    /// Its number, counted from 1.
    pub line: usize,
    /// How many bytes of it were written.
    pub bytes: usize,
}

impl Journal {
    /// A journal that has only this header.
    pub fn new(header: Header) -> Self {
        Self { header, ..Self::default() }
    }

    /// Reads a journal. A last line that was cut off is ignored and reported in [`Journal::truncated`].
    pub fn read(input: impl BufRead) -> Result<Self, JournalError> {
        let mut journal: Option<Self> = None;
        let ending = lines(input, |line| match (&mut journal, line) {
            (None, Line::Header(header)) => journal = Some(Self::new(*header)),
            (Some(journal), line) => journal.push(line),
            (None, _) => {}
        })?;
        let mut journal = journal.ok_or(JournalError::NoHeader)?;
        journal.truncated = ending.truncated;
        journal.valid_bytes = ending.valid_bytes;
        journal.ends_without_newline = ending.ends_without_newline;
        journal.check_references()?;
        Ok(journal)
    }

    /// Adds a line. A header replaces the header, a plan the plan, a footer the footer.
    pub fn push(&mut self, line: Line) {
        match line {
            Line::Header(header) => self.header = *header,
            Line::Plan(plan) => self.plan = plan,
            Line::Case(case) => self.cases.push(case),
            Line::Finding(finding) => self.findings.push(*finding),
            Line::Event(event) => self.events.push(event),
            Line::Reached(reached) => self.reached = Some(reached),
            Line::Sent(sent) => self.sent.add(sent),
            Line::Footer(footer) => self.footer = Some(footer),
            Line::Unknown => {}
        }
    }

    /// The lines of this journal, in an order in which they can be written to a file.
    pub fn into_lines(self) -> impl Iterator<Item = Line> {
        [Line::Header(Box::new(self.header)), Line::Plan(self.plan)]
            .into_iter()
            .chain(self.cases.into_iter().map(Line::Case))
            .chain(self.findings.into_iter().map(|finding| Line::Finding(Box::new(finding))))
            .chain(self.events.into_iter().map(Line::Event))
            .chain(self.reached.map(Line::Reached))
            .chain(Some(self.sent).filter(|sent| !sent.is_empty()).map(Line::Sent))
            .chain(self.footer.map(Line::Footer))
    }

    /// The scenarios, as property and index, that a resumed run need not run again.
    ///
    /// Errors are not among them, nor failures that the run did not confirm, or not shrink, before it ended.
    pub fn finished(&self) -> BTreeSet<(&str, u64)> {
        let confirmed: BTreeSet<&Signature> = self.investigated().collect();
        self.cases
            .iter()
            .filter(|case| match case.outcome {
                Outcome::Error => false,
                Outcome::Fail => {
                    !case.failures.is_empty() && case.failures.iter().all(|signature| confirmed.contains(signature))
                }
                Outcome::Pass | Outcome::Discard => true,
            })
            .map(|case| (case.property.as_str(), case.index))
            .collect()
    }

    /// The failures that the run has confirmed and shrunk.
    pub fn investigated(&self) -> impl Iterator<Item = &Signature> {
        let is_ended =
            |finding: &&RecordedFinding| finding.shrink.as_ref().is_some_and(|shrink| shrink.stopped_by == ENDED);
        self.findings.iter().filter(move |finding| !is_ended(finding)).map(|finding| &finding.failure.signature)
    }

    fn check_references(&self) -> Result<(), JournalError> {
        let sizes: BTreeMap<&str, usize> =
            self.plan.properties.iter().map(|property| (property.id.as_str(), property.requirements.len())).collect();
        for case in &self.cases {
            let size = sizes.get(case.property.as_str()).copied();
            if size.is_none_or(|size| case.asserted.iter().any(|&asserted| asserted >= size)) {
                return Err(JournalError::NotPlanned { property: case.property.clone(), index: case.index });
            }
        }
        Ok(())
    }
}

/// What is known at the end of a journal.
#[derive(Debug, Default)]
pub struct Ending {
    /// The last line, if it was cut off.
    pub truncated: Option<Truncation>,
    valid_bytes: u64,
    ends_without_newline: bool,
}

/// Reads a journal line by line: a header first, no second one, and at most one plan.
pub fn lines(mut input: impl BufRead, mut take: impl FnMut(Line)) -> Result<Ending, JournalError> {
    let mut ending = Ending::default();
    let (mut begun, mut planned) = (false, false);
    let mut number = 0;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(JournalError::Io)? == 0 {
            break;
        }
        number += 1;
        let ended = bytes.last() == Some(&b'\n');
        let line = match parse_line(&bytes, number, !begun) {
            Ok(line) => line,
            // Only a line without a newline can have been cut off; a cut-off header leaves nothing to read.
            Err(JournalError::Broken { .. }) if !ended && begun => {
                ending.truncated = Some(Truncation { line: number, bytes: bytes.len() });
                break;
            }
            Err(error) => return Err(error),
        };
        ending.valid_bytes += bytes.len() as u64;
        match &line {
            Some(Line::Header(_)) if begun => return Err(JournalError::Second { line: number, kind: "header" }),
            Some(Line::Plan(_)) if planned => return Err(JournalError::Second { line: number, kind: "plan" }),
            Some(Line::Header(_)) => begun = true,
            _ if !begun => return Err(JournalError::NoHeader),
            line => planned |= matches!(line, Some(Line::Plan(_))),
        }
        if let Some(line) = line {
            take(line);
        }
        ending.ends_without_newline = !ended;
    }
    if begun { Ok(ending) } else { Err(JournalError::NoHeader) }
}

/// How the writer begins the line of a scenario.
const CASE: &[u8] = b"{\"k\":\"case\",";

/// `None`: an empty line.
fn parse_line(bytes: &[u8], number: usize, first: bool) -> Result<Option<Line>, JournalError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    if first {
        check_format(bytes)?;
    }
    // Nearly all lines are scenarios. To find out the kind of a line, serde copies all of it first.
    if bytes.starts_with(CASE)
        && let Ok(case) = serde_json::from_slice(bytes)
    {
        return Ok(Some(Line::Case(case)));
    }
    serde_json::from_slice(bytes).map(Some).map_err(|source| JournalError::Broken {
        line: number,
        column: source.column(),
        source,
    })
}

/// Called before the header is parsed: another major version may lack any of its fields.
fn check_format(bytes: &[u8]) -> Result<(), JournalError> {
    #[derive(serde::Deserialize)]
    struct Stamp {
        #[serde(default)]
        format: String,
    }
    let Ok(Stamp { format }) = serde_json::from_slice(bytes) else {
        return Err(JournalError::NoHeader);
    };
    if is_readable(&format, FORMAT) {
        Ok(())
    } else if format.starts_with("crdible-journal/") {
        Err(JournalError::OtherVersion { format })
    } else {
        Err(JournalError::NoHeader)
    }
}

/// Why a file cannot be read as a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading failed.
    #[error("the journal cannot be read: {0}")]
    Io(io::Error),
    /// It does not start with a header.
    #[error("line 1 is not a header of format {FORMAT}: the file is not a journal, or its beginning is missing")]
    NoHeader,
    /// It is of another major version.
    #[error("the journal has the format {format}, but this version reads {FORMAT}; use the version that wrote it")]
    OtherVersion {
        /// The format that it names.
        format: String,
    },
    /// A line before the last one cannot be parsed.
    #[error(
        "line {line}, column {column} is invalid: {source}; only the last line may be cut off, so restore the file"
    )]
    Broken {
        /// Its number, counted from 1.
        line: usize,
        /// Where in the line, counted from 1.
        column: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A second header or plan.
    #[error("line {line} is a second {kind}: the file holds several journals; split it and merge them")]
    Second {
        /// Its number, counted from 1.
        line: usize,
        /// `header` or `plan`.
        kind: &'static str,
    },
    /// A case whose property, or what it asserts, is not in the plan.
    #[error("scenario {index} of property {property} is not in the plan of this journal; restore the file")]
    NotPlanned {
        /// The property.
        property: String,
        /// The scenario.
        index: u64,
    },
}
