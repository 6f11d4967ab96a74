//! Known failures of a target, so that a run reports only new ones.
//!
//! ```toml
//! [[known]]
//! requirement = "PRUNE-019"   # or: signature = "prune-019-*" (* and ? as in a glob); exactly one of both
//! releases = ["1.36"]         # the Kubernetes minors, or patch releases of them (1.34.0), for which the entry applies
//! reason = "what the server does instead"
//! issue = "where it is tracked"   # optional
//! expires = "2027-06-30"          # the last day on which the entry applies; optional
//! ```
//!
//! An entry for a signature covers every failure with it. An entry for a requirement covers a failure only if all other
//! requirements of the failed check are listed too; an edge belongs to its requirement. A failure that the run could
//! not confirm is covered only by its signature: what it breaks is uncertain, and may be none of the requirements that
//! were asserted (a rejected definition is not about any of them). A missing capability is covered only by its
//! signature, because it hides much more.

use std::io;
use std::path::Path;

use crdible_spec::{Catalogue, Reference};
use jiff::civil::Date;
use thiserror::Error;

use crate::failure::{Failure, Signature};
use crate::glob;
use crate::journal::Target;

mod parse;

pub use parse::KnownError;

/// Why known failures cannot be used.
#[derive(Debug, Error)]
pub enum UnusableKnown {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Some of its entries are wrong.
    #[error("{}", lines(.0))]
    Entries(Vec<KnownError>),
}

impl From<Vec<KnownError>> for UnusableKnown {
    fn from(errors: Vec<KnownError>) -> Self {
        Self::Entries(errors)
    }
}

fn lines(errors: &[KnownError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The entries of a file of known failures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownFailures {
    entries: Vec<KnownEntry>,
}

/// What may be given in place of a file: the defects of the real kube-apiserver, which every crdible knows.
pub const KUBE_APISERVER: &str = "kube-apiserver";

/// The file of these defects.
const DEFECTS_OF_KUBE_APISERVER: &str = include_str!("../../upstream/known-defects.toml");

impl KnownFailures {
    /// The known defects of kube-apiserver, each with the releases that have it.
    ///
    /// # Errors
    /// As [`KnownFailures::parse`], for a catalogue that lacks one of the requirements.
    pub fn of_kube_apiserver(catalogue: &Catalogue) -> Result<Self, Vec<KnownError>> {
        Self::parse(DEFECTS_OF_KUBE_APISERVER, KUBE_APISERVER, catalogue)
    }

    /// The entries of a file, or the known defects of kube-apiserver if its name is [`KUBE_APISERVER`] and there is no
    /// such file.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`KnownFailures::parse`].
    pub fn of_place(place: &Path, catalogue: &Catalogue) -> Result<Self, UnusableKnown> {
        if place == Path::new(KUBE_APISERVER) && !place.exists() {
            return Ok(Self::of_kube_apiserver(catalogue)?);
        }
        Ok(Self::parse(&std::fs::read_to_string(place)?, &place.display().to_string(), catalogue)?)
    }

    /// The entries in file order.
    pub fn entries(&self) -> &[KnownEntry] {
        &self.entries
    }

    /// The entries that make a failure a known one, at least one; `None` if it is not known. Only entries count that
    /// apply to this release and have not expired today.
    ///
    /// `requirements` are those of the check that failed. An entry for the signature is enough. Entries for
    /// requirements make a failure known only together: each requirement must have one, or a known failure would hide a
    /// new one. A missing capability is known by its signature only.
    pub fn matches(
        &self,
        requirements: &[String],
        signature: &Signature,
        release: &TargetRelease,
        today: Date,
    ) -> Option<Vec<&KnownEntry>> {
        if let Some(entry) = self.matches_signature(signature, release, today) {
            return Some(vec![entry]);
        }
        if requirements.is_empty() || signature.is_of_capability() {
            return None;
        }
        let mut covering: Vec<&KnownEntry> = Vec::new();
        for reference in requirements {
            if !covering.iter().any(|entry| entry.names_reference(reference)) {
                covering.push(self.holding(release, today).find(|entry| entry.names_reference(reference))?);
            }
        }
        Some(covering)
    }

    /// The entry for this signature, among those that apply to this release and have not expired today. Unlike
    /// [`matches`](Self::matches), it can be trusted for a failure of which only the signature is certain.
    pub fn matches_signature(
        &self,
        signature: &Signature,
        release: &TargetRelease,
        today: Date,
    ) -> Option<&KnownEntry> {
        self.holding(release, today).find(|entry| entry.names_signature(signature))
    }

    /// The entries that apply.
    fn holding(&self, release: &TargetRelease, today: Date) -> impl Iterator<Item = &KnownEntry> {
        self.entries.iter().filter(move |entry| entry.holds_at(release) && !entry.expired(today))
    }
}

/// The reasons of entries in one text, without their full stops: more text may follow.
pub fn reasons(entries: &[&KnownEntry]) -> String {
    let reason = |entry: &&KnownEntry| entry.reason.trim_end().trim_end_matches('.').to_owned();
    entries.iter().map(reason).collect::<Vec<_>>().join("; ")
}

/// The release of a target, as far as it decides what is known to fail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetRelease {
    /// The minor by which the target is judged.
    minor: String,
    /// The patch release of that minor, if the target says that it is one.
    patch: Option<String>,
}

impl TargetRelease {
    /// The release of a target that is judged by a minor (`1.34`) and says of itself that it is a version
    /// (`v1.34.0-fork.7`).
    pub fn new(minor: &str, version: Option<&str>) -> Self {
        let patch = || {
            let text = version?;
            let rest = text.strip_prefix('v').unwrap_or(text).strip_prefix(minor)?.strip_prefix('.')?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (!digits.is_empty()).then(|| format!("{minor}.{digits}"))
        };
        Self { minor: minor.to_owned(), patch: patch() }
    }

    /// The release of the target of a journal.
    pub fn of(target: &Target) -> Self {
        Self::new(&target.release, target.version.as_ref().map(|version| version.git_version.as_str()))
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
    /// The failures that it is about.
    pub subject: Subject,
    /// The Kubernetes minors for which it applies, such as `1.36`, or patch releases of them, such as `1.34.0`; none
    /// for all.
    pub releases: Vec<String>,
    /// What the server does instead.
    pub reason: String,
    /// Where it is tracked.
    pub issue: Option<String>,
    /// The last day on which it applies.
    pub expires: Option<Date>,
    /// The line of the file where it starts, counted from 1.
    pub line: usize,
}

impl KnownEntry {
    /// Whether it applies to this release. One for a patch release applies only to a target that says that it is that
    /// one; one that names no release applies to all.
    pub fn holds_at(&self, release: &TargetRelease) -> bool {
        self.releases.is_empty()
            || self.releases.iter().any(|held| *held == release.minor || Some(held) == release.patch.as_ref())
    }

    /// Whether its last day is over.
    pub fn expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// Whether it is about this failure, at any release and on any day. That does not make the failure a known one: see
    /// [`KnownFailures::matches`].
    pub fn names(&self, failure: &Failure) -> bool {
        self.names_signature(&failure.signature)
            || failure.requirements.iter().any(|reference| self.names_reference(reference))
    }

    /// Whether it is about this requirement or edge. An entry for a requirement is about its edges too.
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
    fn names_signature(&self, signature: &Signature) -> bool {
        match &self.subject {
            Subject::Requirement(_) => false,
            Subject::Signature(pattern) => glob::matches(pattern, &signature.to_string()),
        }
    }

    /// Whether its signature belongs to this property: signatures start with the ID of their property.
    pub fn names_property(&self, property: &str) -> bool {
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
    /// Failures of this requirement or edge, and of nothing else that is not listed.
    Requirement(Reference),
    /// Every failure whose signature matches this glob.
    Signature(String),
}

#[cfg(test)]
mod tests;
