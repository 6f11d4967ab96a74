//! Checks whether journals, reports, comparisons and sums of soaks are what crdible writes: valid under their schemas,
//! in order, complete, unchanged, and with correct sums. [`Form::schema`] has the schemas.

mod document;
mod journal;
mod published;
mod soak;

use std::fmt;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::comparison;
use crate::journal::{FORMAT as JOURNAL, is_readable};
use crate::model;
use crate::render::quoted;

/// The most problems of a file that are listed: a broken one may have one in each line.
pub const MOST_PROBLEMS: usize = 20;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A journal; schemas are asked about one line of it.
    Journal,
    /// A report of a run, as JSON.
    Report,
    /// A comparison of two targets, as JSON.
    Comparison,
    /// The sum of a soak, as JSON.
    Soak,
}

/// A problem of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; none in a document.
    pub line: Option<usize>,
    /// Where in the line or in the document, as a JSON pointer; empty if it is about all of it.
    pub place: String,
    /// What is wrong, as a sentence without a full stop.
    pub what: String,
}

/// Always one line, whatever the file holds.
impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (place, what) = (quoted(&self.place), quoted(&self.what));
        match self.line {
            Some(line) if place.is_empty() => write!(formatter, "line {line}: {what}"),
            Some(line) => write!(formatter, "line {line}, {place}: {what}"),
            None if place.is_empty() => formatter.write_str(&what),
            None => write!(formatter, "{place}: {what}"),
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// What it holds, in a few words.
    pub what: String,
    /// What is wrong with it: the first [`MOST_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub more: u64,
    /// Why a valid file is not complete: the run was killed.
    pub incomplete: Option<String>,
    /// Further notes for the reader, in sentences.
    pub notes: Vec<String>,
    /// Whether it was written with the catalogue of this program, so that its references could be looked up.
    pub is_of_this_catalogue: bool,
    /// Whether a digest shows that it was not changed; false if it holds none.
    pub is_sealed: bool,
}

impl Checked {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    /// Whether nothing is wrong with it; it may still be incomplete.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Reports a figure that does not follow from the rest.
    fn differs(&mut self, place: &str, stated: impl fmt::Display, found: impl fmt::Display) {
        let what = format!("it is {stated}, but from the rest of the document follows {found}");
        self.add(Problem { line: None, place: place.to_owned(), what });
    }

    /// Reports each total that is not the sum, by its name in the document.
    fn totals<Counts: Serialize>(&mut self, stated: &Counts, summed: &Counts) {
        let [stated, summed] = [stated, summed].map(|counts| serde_json::to_value(counts).unwrap_or_default());
        for name in summed.as_object().into_iter().flat_map(|fields| fields.keys()) {
            if stated[name] != summed[name] {
                self.differs(&format!("/counts/{name}"), &stated[name], &summed[name]);
            }
        }
    }

    fn add(&mut self, problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more += 1;
        }
    }

    fn wrong(&mut self, line: Option<usize>, what: impl Into<String>) {
        self.add(Problem { line, place: String::new(), what: what.into() });
    }

    /// Notes with which catalogue the file was written; returns whether it is that of this program.
    fn note_catalogue(&mut self, digest: &str, own: &crdible_spec::Catalogue) {
        self.is_of_this_catalogue = digest == own.digest();
        if !self.is_of_this_catalogue {
            self.notes.push(format!(
                "it was written with the catalogue {digest}, which this version of crdible does not know \
                 (its own is {}): the requirements were not looked up",
                own.digest()
            ));
        }
    }
}

/// Checks a file, whatever it holds. `None` if it holds nothing that crdible writes.
///
/// # Errors
///
/// Reading failed.
pub fn check(mut input: impl BufRead, catalogue: &crdible_spec::Catalogue) -> io::Result<Option<Checked>> {
    /// The fields of the first line, which show what the file is.
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        k: Option<Value>,
        #[serde(default)]
        format: String,
    }
    let mut first = Vec::new();
    input.read_until(b'\n', &mut first)?;
    let head = serde_json::from_slice::<Head>(&first).ok();
    // A line with a kind belongs to a journal, even if the header is missing.
    if head.as_ref().is_some_and(|head| head.k.is_some() || named(&head.format, JOURNAL).is_some()) {
        return journal::check(io::Read::chain(first.as_slice(), input), catalogue).map(Some);
    }
    let mut text = first;
    input.read_to_end(&mut text)?;
    let Ok(document) = serde_json::from_slice::<Value>(&text) else { return Ok(broken(&text)) };
    let format = document["format"].as_str().unwrap_or_default();
    for (form, own) in
        [(Form::Report, model::FORMAT), (Form::Comparison, comparison::FORMAT), (Form::Soak, crate::soak::FORMAT)]
    {
        if let Some(version) = named(format, own) {
            return Ok(Some(match version {
                Version::Own => document::check(form, &document, catalogue),
                Version::Other => other_version(format, own),
            }));
        }
    }
    Ok(None)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// The major version that this program reads.
    Own,
    Other,
}

/// Whether a format is one that this version reads, such as `crdible-report/1`, or another version of it.
fn named(format: &str, own: &str) -> Option<Version> {
    let (name, _) = own.split_once('/')?;
    format.strip_prefix(name)?.strip_prefix('/')?;
    Some(if is_readable(format, own) { Version::Own } else { Version::Other })
}

fn other_version(format: &str, own: &str) -> Checked {
    let mut checked = Checked::new("a file of another version");
    checked.wrong(
        None,
        format!("its format is {format:?}, but this version reads {own}; use the version of crdible that wrote it"),
    );
    checked
}

/// The result for a document that is cut off, if it looks like one of crdible.
fn broken(text: &[u8]) -> Option<Checked> {
    let start = String::from_utf8_lossy(&text[..text.len().min(200)]);
    let names = ["crdible-report/", "crdible-comparison/", "crdible-soak/", "crdible-journal/"];
    let is_own = names.iter().any(|name| start.contains(name));
    let error = serde_json::from_slice::<Value>(text).err()?;
    is_own.then(|| {
        let mut checked = Checked::new("a broken file");
        checked.wrong(Some(error.line()), format!("this is no JSON: {error}; the file may have been cut off"));
        checked
    })
}

#[cfg(test)]
mod tests;
