//! How much of the specification checks assert, chapter by chapter: data, no rendering.
//!
//! Only MUST counts. A requirement is asserted if a check names the requirement itself; naming one of its edges asserts
//! only that edge. Everything that is neither asserted nor excluded with a reason is unaccounted for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::id::{IdError, Prefix, Reference};
use crate::requirement::{Level, Requirement};

/// The part of the specification that an exclusion covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All requirements with a prefix (`LEGACY`), and their edges.
    Prefix(Prefix),
    /// A requirement (`PRUNE-027`) with all its edges, or a single edge (`PRUNE-004/e1`).
    Reference(Reference),
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(prefix) => prefix.fmt(formatter),
            Self::Reference(reference) => reference.fmt(formatter),
        }
    }
}

impl FromStr for Scope {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if text.contains('-') { text.parse().map(Self::Reference) } else { text.parse().map(Self::Prefix) }
    }
}

impl Serialize for Scope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A part of the specification that no check asserts, for a stated reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exclusion {
    /// The excluded part.
    pub scope: Scope,
    /// The reason.
    pub reason: String,
}

impl Exclusion {
    /// Excludes `scope` for `reason`.
    pub fn new(scope: Scope, reason: impl Into<String>) -> Self {
        Self { scope, reason: reason.into() }
    }
}

/// How much is asserted, and the errors in the lists of assertions and exclusions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Coverage {
    /// One row per chapter of the catalogue, by number.
    pub chapters: Vec<ChapterCoverage>,
    /// Asserted references that do not exist, each once.
    pub unknown: Vec<Reference>,
    /// Exclusions that excluded nothing, in the order given: what they name does not exist, is not MUST, is asserted
    /// anyway, or is covered by a more exact exclusion.
    pub idle: Vec<Exclusion>,
}

/// How much of one chapter is asserted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChapterCoverage {
    /// The chapter's number.
    pub number: u8,
    /// The chapter's title.
    pub title: String,
    /// Its MUST requirements.
    pub items: Tally,
    /// Its MUST edges.
    pub edges: Tally,
    /// The excluded requirements and edges, by reference.
    pub left_out: Vec<LeftOut>,
    /// The requirements and edges neither asserted nor excluded, by reference.
    pub unaccounted: Vec<Reference>,
}

/// Counts of requirements or of edges; `must` is the sum of the other three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tally {
    /// The number with the level MUST.
    pub must: usize,
    /// The number of those that checks assert.
    pub asserted: usize,
    /// The number of those that are not asserted, but excluded with a reason.
    pub left_out: usize,
    /// The number of those that are neither asserted nor excluded.
    pub unaccounted: usize,
}

/// An excluded requirement or edge, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The requirement or edge.
    pub reference: Reference,
    /// The reason of its exclusion.
    pub reason: String,
}

/// Counts what checks assert.
///
/// An assertion wins over an exclusion. Of several exclusions the most exact one provides the reason (edge,
/// requirement, prefix), of equally exact ones the first. Duplicate references count once.
pub fn coverage(
    catalogue: &Catalogue,
    asserted: impl IntoIterator<Item = Reference>,
    exclusions: impl IntoIterator<Item = Exclusion>,
) -> Coverage {
    let asserted: BTreeSet<Reference> = asserted.into_iter().collect();
    let exclusions: Vec<Exclusion> = exclusions.into_iter().collect();
    let mut first_of_scope: BTreeMap<Scope, usize> = BTreeMap::new();
    for (index, exclusion) in exclusions.iter().enumerate() {
        first_of_scope.entry(exclusion.scope).or_insert(index);
    }
    let mut counter = Counter { asserted: &asserted, exclusions: &exclusions, first_of_scope, used: BTreeSet::new() };

    let row = |number, title: &str| ChapterCoverage { number, title: title.to_owned(), ..Default::default() };
    let chapters = catalogue.chapters().iter();
    let mut rows: BTreeMap<u8, ChapterCoverage> =
        chapters.map(|chapter| (chapter.number, row(chapter.number, &chapter.title))).collect();
    for requirement in catalogue.iter() {
        let row = rows.entry(requirement.chapter).or_insert_with(|| row(requirement.chapter, ""));
        counter.count(requirement, row);
    }
    let used = counter.used;
    Coverage {
        chapters: rows.into_values().collect(),
        unknown: asserted.iter().filter(|reference| catalogue.resolve(reference).is_none()).copied().collect(),
        idle: exclusions
            .iter()
            .enumerate()
            .filter(|(index, _)| !used.contains(index))
            .map(|(_, exclusion)| exclusion.clone())
            .collect(),
    }
}

struct Counter<'a> {
    asserted: &'a BTreeSet<Reference>,
    exclusions: &'a [Exclusion],
    first_of_scope: BTreeMap<Scope, usize>,
    /// Indices of the exclusions that excluded something.
    used: BTreeSet<usize>,
}

impl Counter<'_> {
    fn count(&mut self, requirement: &Requirement, row: &mut ChapterCoverage) {
        if requirement.level == Level::Must {
            let status = self.status(requirement.id.into(), row);
            row.items.add(status);
        }
        for (reference, _) in requirement.edge_references().filter(|(_, edge)| edge.level == Level::Must) {
            let status = self.status(reference, row);
            row.edges.add(status);
        }
    }

    fn status(&mut self, reference: Reference, row: &mut ChapterCoverage) -> Status {
        if self.asserted.contains(&reference) {
            return Status::Asserted;
        }
        let requirement = Reference::from(reference.requirement);
        let scopes =
            [Scope::Reference(reference), Scope::Reference(requirement), Scope::Prefix(reference.requirement.prefix())];
        let Some(index) = scopes.iter().find_map(|scope| self.first_of_scope.get(scope).copied()) else {
            row.unaccounted.push(reference);
            return Status::Unaccounted;
        };
        self.used.insert(index);
        row.left_out.push(LeftOut { reference, reason: self.exclusions[index].reason.clone() });
        Status::LeftOut
    }
}

#[derive(Clone, Copy)]
enum Status {
    Asserted,
    LeftOut,
    Unaccounted,
}

impl Tally {
    fn add(&mut self, status: Status) {
        self.must += 1;
        *match status {
            Status::Asserted => &mut self.asserted,
            Status::LeftOut => &mut self.left_out,
            Status::Unaccounted => &mut self.unaccounted,
        } += 1;
    }
}
