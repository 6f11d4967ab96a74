//! What the catalogue holds: chapters, requirements and their parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{Prefix, Reference, RequirementId};

/// How strongly a promise binds a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// A conformant server does it.
    Must,
    /// Asserted only on demand.
    Should,
    /// Both behaviours are accepted.
    May,
    /// What kube-apiserver does by accident; asserted in the profile `quirks` only.
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
    /// Its name.
    pub id: RequirementId,
    /// How strongly it binds.
    pub level: Level,
    /// What it is about, in a few words; without mark and final stop.
    pub title: String,
    /// The promise, as Markdown: one line, then the lines of its table if it has one.
    pub text: String,
    /// Its edge cases in the order of the text.
    pub edges: Vec<Edge>,
    /// The releases that promise it: its own line, else its chapter's, else from 1.16 on.
    pub since: Since,
    /// How it shows over HTTP, where that differs from what the chapter's head tells.
    pub observation: Option<String>,
    /// Where it was read.
    pub source: Option<String>,
    /// How kube-apiserver breaks it.
    pub defects: Vec<Defect>,
    /// The number of its chapter, 1 to 18.
    pub chapter: u8,
    /// The parts that only requirements of chapter 18 have.
    pub invariant: Option<Invariant>,
    /// The line of its chapter's file where it stands, from 1.
    pub line: usize,
}

impl Requirement {
    /// Its edge with this number, counted from 1.
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
    /// What holds, as Markdown on one line.
    pub text: String,
    /// The line of its chapter's file where it stands, from 1.
    pub line: usize,
}

/// The releases that keep a promise with default settings, as minors of Kubernetes 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Since {
    /// The first.
    pub first: u16,
    /// The last; `None` as long as it is kept.
    pub until: Option<u16>,
    /// What the text adds in parentheses.
    pub remark: Option<String>,
}

impl Since {
    /// The first release with `apiextensions.k8s.io/v1`: what holds where the text names none.
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

/// How kube-apiserver breaks a promise that stands all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Defect {
    /// The last release it was seen in, as a minor of Kubernetes 1.
    pub release: u16,
    /// What the server does instead, as Markdown on one line, without the naming of server and release.
    pub text: String,
    /// The line of its chapter's file where it stands, from 1.
    pub line: usize,
}

/// The parts of a requirement of chapter 18: an experiment on random inputs that ties several requirements together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Invariant {
    /// What must be so before; `none` for nothing beyond the chapter's head.
    pub pre: String,
    /// What is generated.
    pub generation: String,
    /// What is done with it (`Do`).
    pub act: String,
    /// What must hold then.
    pub check: String,
    /// The requirements that it checks, in the order of the text, ranges expanded.
    pub covers: Vec<RequirementId>,
}

/// A chapter of the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Chapter {
    /// 1 to 18.
    pub number: u8,
    /// What it is about.
    pub title: String,
    /// What the IDs of its requirements begin with.
    pub prefixes: Vec<Prefix>,
    /// What its requirements share, as Markdown: everything before the first of them, without the heading.
    pub head: String,
    /// The releases of those of its requirements that name none.
    pub since: Option<Since>,
    /// The name of its file.
    pub file: String,
}
