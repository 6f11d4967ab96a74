//! The contents of the catalogue: chapters, requirements and their parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{Prefix, Reference, RequirementId};

/// How strongly a promise binds a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// A conformant server must do it.
    Must,
    /// A conformant server should do it; asserted only on request.
    Should,
    /// Both behaviours are accepted.
    May,
    /// Accidental behaviour of kube-apiserver; asserted in the profile `quirks` only.
    Quirk,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
            Self::Quirk => "QUIRK",
        })
    }
}

/// One numbered promise of the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Requirement {
    /// The ID.
    pub id: RequirementId,
    /// How strongly it binds.
    pub level: Level,
    /// The promise in a few words, without mark and final full stop.
    pub title: String,
    /// The promise, as Markdown: one line (joined if the file wraps it), then the lines of its table if it has one.
    pub text: String,
    /// Its edge cases, in the order of the text.
    pub edges: Vec<Edge>,
    /// The releases that promise it: from its own line, otherwise from its chapter's, otherwise 1.16 and later.
    pub since: Since,
    /// How it is observed over HTTP, if it differs from the chapter's head.
    pub observation: Option<String>,
    /// The source of the requirement.
    pub source: Option<String>,
    /// How kube-apiserver violates it.
    pub defects: Vec<Defect>,
    /// The number of its chapter, 1 to 18.
    pub chapter: u8,
    /// Its section, `11.3 Update and patch`; in a chapter without sections the chapter, `14 Field selectors`.
    pub section: String,
    /// The parts that only the requirements of chapter 18 have.
    pub invariant: Option<Invariant>,
    /// Its line in the file of its chapter, from 1.
    pub line: usize,
}

impl Requirement {
    /// Returns its edge with this number, counted from 1.
    pub fn edge(&self, number: u16) -> Option<&Edge> {
        self.edges.get(usize::from(number).checked_sub(1)?)
    }

    /// References to its edges, in the order of the text.
    pub fn edge_references(&self) -> impl Iterator<Item = (Reference, &Edge)> {
        self.edges.iter().map(|edge| (Reference::to_edge(self.id, edge.number), edge))
    }
}

/// An edge case of a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edge {
    /// Counted from 1 within its requirement; 2 in `PRUNE-004/e2`.
    pub number: u16,
    /// How strongly it binds.
    pub level: Level,
    /// The promise, as Markdown on one line, with the releases if it names some.
    pub text: String,
    /// The releases that promise it: those at the beginning of its text, otherwise those of its requirement.
    pub since: Since,
    /// Its line in the file of its chapter, from 1.
    pub line: usize,
}

/// The releases that keep a promise with default settings, as minors of Kubernetes 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Since {
    /// The first release.
    pub first: u16,
    /// The last release; `None` while the promise is still kept.
    pub until: Option<u16>,
    /// The remark in parentheses.
    pub remark: Option<String>,
}

impl Since {
    /// From the first release with `apiextensions.k8s.io/v1` on: the default if the text names no release.
    pub(crate) const FIRST_V1: Self = Self { first: 16, until: None, remark: None };

    /// Whether release 1.`minor` promises it.
    pub fn holds_in(&self, minor: u16) -> bool {
        minor >= self.first && self.until.is_none_or(|last| minor <= last)
    }
}

impl fmt::Display for Since {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.first)?;
        if let Some(last) = self.until {
            write!(formatter, " until 1.{last}")?;
        }
        if let Some(remark) = &self.remark {
            write!(formatter, " ({remark})")?;
        }
        Ok(())
    }
}

/// How kube-apiserver violates a promise that still holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Defect {
    /// The first release it was seen in; a minor begins with its first patch release.
    pub first: Seen,
    /// The last release it was seen in; a minor ends with its last patch release.
    pub last: Seen,
    /// What the server does instead, as Markdown on one line, without the leading server name and release.
    pub text: String,
    /// Its line in the file of its chapter, from 1.
    pub line: usize,
}

/// A release in which a defect was seen: a minor of Kubernetes 1, or one patch release of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Seen {
    /// The minor.
    pub minor: u16,
    /// The patch release; `None` for all of the minor.
    pub patch: Option<u16>,
}

/// `1.36`, or `1.36.2`.
impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.minor)?;
        self.patch.map_or(Ok(()), |patch| write!(formatter, ".{patch}"))
    }
}

impl Defect {
    /// The releases in words: `1.36`, `1.33 to 1.36`, or `1.34.0 to 1.34.2`.
    pub fn releases(&self) -> String {
        let Self { first, last, .. } = self;
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    }

    /// Whether it was seen in a release: in that patch release of a minor, or, without one, in any.
    pub fn is_seen_in(&self, minor: u16, patch: Option<u16>) -> bool {
        let earliest = (minor, patch.unwrap_or(u16::MAX));
        let latest = (minor, patch.unwrap_or(0));
        (self.first.minor, self.first.patch.unwrap_or(0)) <= earliest
            && latest <= (self.last.minor, self.last.patch.unwrap_or(u16::MAX))
    }
}

/// The parts of a requirement of chapter 18: an experiment on random inputs that connects several requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Invariant {
    /// The precondition; `none` if the chapter's head is complete.
    pub pre: String,
    /// The generated inputs.
    pub generation: String,
    /// The actions on the inputs (`Do`).
    pub act: String,
    /// What must hold afterwards.
    pub check: String,
    /// The requirements that it checks, in the order of the text, ranges expanded.
    pub covers: Vec<RequirementId>,
}

/// A chapter of the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Chapter {
    /// The number, 1 to 18.
    pub number: u8,
    /// The title.
    pub title: String,
    /// The prefixes of its requirements' IDs.
    pub prefixes: Vec<Prefix>,
    /// The prose before the first section or requirement, as Markdown, without the heading.
    pub head: String,
    /// The releases of its requirements that name none themselves.
    pub since: Option<Since>,
    /// The name of its file.
    pub file: String,
}
