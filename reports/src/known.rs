//! Known failures: what a target is known to break, so that a run tells what is new.
//!
//! ```toml
//! [[known]]
//! requirement = "PRUNE-019"   # or: signature = "prune/*", where * stands for any characters; exactly one of both
//! releases = ["1.36"]         # the Kubernetes minors at which the entry holds
//! reason = "what the server does instead"
//! issue = "where it is tracked"   # may be left out
//! expires = "2027-06-30"          # the last day on which the entry holds; may be left out
//! ```

use crdible_spec::Reference;
use jiff::civil::Date;

mod glob;
mod parse;

pub use parse::KnownError;

/// The entries of a file of known failures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownFailures {
    entries: Vec<KnownEntry>,
}

impl KnownFailures {
    /// The entries in the order of the file.
    pub fn entries(&self) -> &[KnownEntry] {
        &self.entries
    }

    /// The first entry that names this failure, holds at this release (`1.36`) and has not expired today.
    ///
    /// A failure of several requirements is known as soon as one of them is.
    pub fn matches(&self, requirements: &[String], signature: &str, release: &str, today: Date) -> Option<&KnownEntry> {
        self.entries
            .iter()
            .find(|entry| entry.holds_at(release) && !entry.expired(today) && entry.names(requirements, signature))
    }
}

impl FromIterator<KnownEntry> for KnownFailures {
    fn from_iter<Entries: IntoIterator<Item = KnownEntry>>(entries: Entries) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// One known failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEntry {
    /// What it is about.
    pub subject: Subject,
    /// The Kubernetes minors at which it holds, such as `1.36`; at least one.
    pub releases: Vec<String>,
    /// What the server does instead.
    pub reason: String,
    /// Where it is tracked.
    pub issue: Option<String>,
    /// The last day on which it holds.
    pub expires: Option<Date>,
    /// The line of the file where it begins, counted from 1.
    pub line: usize,
}

impl KnownEntry {
    /// Whether it holds at this release.
    pub fn holds_at(&self, release: &str) -> bool {
        self.releases.iter().any(|held| held == release)
    }

    /// Whether its last day is over.
    pub fn expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// Whether it is about a failure of these requirements with this signature, whatever release and day.
    pub fn names(&self, requirements: &[String], signature: &str) -> bool {
        match &self.subject {
            Subject::Requirement(_) => requirements.iter().any(|reference| self.names_reference(reference)),
            Subject::Signature(pattern) => glob::matches(pattern, signature),
        }
    }

    /// Whether it is about this requirement or edge. An entry for a whole requirement is about its edges too.
    pub fn names_reference(&self, reference: &str) -> bool {
        match &self.subject {
            Subject::Requirement(known) => {
                let known = known.to_string();
                reference == known || reference.strip_prefix(&known).is_some_and(|rest| rest.starts_with('/'))
            }
            Subject::Signature(_) => false,
        }
    }

    /// Whether its signature is one of this property's: signatures begin with the ID of their property.
    pub(crate) fn names_property(&self, property: &str) -> bool {
        match &self.subject {
            Subject::Requirement(_) => false,
            Subject::Signature(pattern) => pattern
                .strip_prefix(property)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || "-_.*".contains(next))),
        }
    }
}

/// What a known failure is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Every failure of this requirement or edge.
    Requirement(Reference),
    /// Every failure with such a signature; `*` stands for any characters.
    Signature(String),
}

#[cfg(test)]
mod tests;
