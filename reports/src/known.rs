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
//!
//! An entry for a signature hides every failure with it. An entry for a requirement hides a failure only if all other
//! requirements of the check that failed are listed too; an edge belongs to its requirement. A failure that was not
//! confirmed is never hidden, nor one of a capability by a requirement: without a capability much more goes unseen.

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

    /// The entries that make this failure a known one, at least one, in the order in which they are needed; none if it is
    /// not known. Only entries count that hold at this release (`1.36`) and have not expired today.
    ///
    /// `requirements` are those of the check that failed. An entry for a signature is enough alone. Entries for requirements
    /// make a failure known only together: each requirement must have one, or what is new would hide behind what is known.
    /// What a target cannot do at all (a failure of a capability) is known by its signature alone.
    pub fn matches(
        &self,
        requirements: &[String],
        signature: &str,
        release: &str,
        today: Date,
    ) -> Option<Vec<&KnownEntry>> {
        let holding: Vec<&KnownEntry> =
            self.entries.iter().filter(|entry| entry.holds_at(release) && !entry.expired(today)).collect();
        if let Some(entry) = holding.iter().find(|entry| entry.names_signature(signature)) {
            return Some(vec![entry]);
        }
        if requirements.is_empty() || is_of_capability(signature) {
            return None;
        }
        let mut covering: Vec<&KnownEntry> = Vec::new();
        for reference in requirements {
            if !covering.iter().any(|entry| entry.names_reference(reference)) {
                covering.push(holding.iter().find(|entry| entry.names_reference(reference))?);
            }
        }
        Some(covering)
    }
}

/// Whether this is the signature of a capability that the target lacks, such as `capability-pruning:capability:…`.
fn is_of_capability(signature: &str) -> bool {
    signature
        .split_once(':')
        .is_some_and(|(property, check)| property.starts_with("capability-") && check.starts_with("capability:"))
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

    /// Whether a failure of these requirements with this signature concerns it, whatever release and day. That does not
    /// make the failure a known one: see [`KnownFailures::matches`].
    pub fn names(&self, requirements: &[String], signature: &str) -> bool {
        self.names_signature(signature) || requirements.iter().any(|reference| self.names_reference(reference))
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

    /// Whether it is about this signature.
    fn names_signature(&self, signature: &str) -> bool {
        match &self.subject {
            Subject::Requirement(_) => false,
            Subject::Signature(pattern) => glob::matches(pattern, signature),
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
    /// Failures of this requirement or edge, and of nothing that is not listed.
    Requirement(Reference),
    /// Every failure with such a signature; `*` stands for any characters.
    Signature(String),
}

#[cfg(test)]
mod tests;
