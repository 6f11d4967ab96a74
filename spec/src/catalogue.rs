//! The catalogue and its lookups.

use std::collections::BTreeMap;

use crate::id::{Reference, RequirementId};
use crate::lookup::{edit_distance, glob_matches};
use crate::requirement::{Chapter, Edge, Level, Requirement, Since};

/// At most this many edits between an unknown ID and a suggestion.
const MAX_DISTANCE: usize = 2;

/// At most this many suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// Longer strings are not close to any ID (the longest has 11 characters), so they are not compared.
const LONGEST_COMPARED: usize = 24;

/// The requirements of the specification, by ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) requirements: BTreeMap<RequirementId, Requirement>,
    pub(crate) digest: u64,
}

impl Catalogue {
    /// The requirement with this ID.
    pub fn get(&self, id: RequirementId) -> Option<&Requirement> {
        self.requirements.get(&id)
    }

    /// The target of a reference; `None` if the requirement or its edge does not exist.
    pub fn resolve(&self, reference: &Reference) -> Option<Resolved<'_>> {
        let requirement = self.get(reference.requirement)?;
        match reference.edge {
            None => Some(Resolved::Requirement(requirement)),
            Some(number) => requirement.edge(number).map(|edge| Resolved::Edge(requirement, edge)),
        }
    }

    /// Every requirement, in the order of the IDs.
    pub fn iter(&self) -> impl Iterator<Item = &Requirement> {
        self.requirements.values()
    }

    /// The chapters, by number.
    pub fn chapters(&self) -> &[Chapter] {
        &self.chapters
    }

    /// The chapter with this number.
    pub fn chapter(&self, number: u8) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.number == number)
    }

    /// The requirements whose ID matches a pattern, in the order of the IDs: `*` matches any characters, `?` matches
    /// one, a bare prefix (`PRUNE`) matches all IDs with it. ASCII case is ignored.
    pub fn matching(&self, pattern: &str) -> impl Iterator<Item = &Requirement> {
        self.iter().filter(move |requirement| {
            requirement.id.prefix().as_str().eq_ignore_ascii_case(pattern)
                || glob_matches(pattern, &requirement.id.to_string())
        })
    }

    /// The IDs closest to a string that is not an ID, the closest first; at most five, often none.
    ///
    /// Ignores case, missing zeros (`PRUNE-4`) and an edge, and allows for up to two wrong letters.
    pub fn nearest(&self, text: &str) -> Vec<RequirementId> {
        let text = text.trim();
        if text.len() > LONGEST_COMPARED {
            return Vec::new();
        }
        let wanted = normalised(text);
        let mut near: Vec<(usize, RequirementId)> = self
            .requirements
            .keys()
            .map(|id| (edit_distance(&wanted, &id.to_string()), *id))
            .filter(|(distance, _)| *distance <= MAX_DISTANCE)
            .collect();
        near.sort_unstable();
        near.into_iter().take(MAX_SUGGESTIONS).map(|(_, id)| id).collect()
    }

    /// The requirements outside chapter 18 that no invariant covers, in the order of the IDs: what Appendix D lists.
    pub fn without_invariant(&self) -> impl Iterator<Item = &Requirement> {
        let covered: std::collections::BTreeSet<RequirementId> = self
            .iter()
            .filter_map(|requirement| requirement.invariant.as_ref())
            .flat_map(|invariant| invariant.covers.iter().copied())
            .collect();
        self.iter().filter(move |requirement| requirement.invariant.is_none() && !covered.contains(&requirement.id))
    }

    /// A digest of the specification's text (64-bit FNV-1a) as sixteen hexadecimal digits. It does not depend on the
    /// machine, the order in which the files were given, or their line ends.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }
}

/// Converts to upper case, drops an edge, and pads the number to three digits.
fn normalised(text: &str) -> String {
    let text = text.split('/').next().unwrap_or_default().to_ascii_uppercase();
    let prefix = text.trim_end_matches(|character: char| character.is_ascii_digit());
    match text[prefix.len()..].parse::<u16>() {
        Ok(number) => format!("{}-{number:03}", prefix.trim_end_matches(['-', '_', ' '])),
        Err(_) => text,
    }
}

/// The target of a [`Reference`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved<'a> {
    /// A requirement as a whole.
    Requirement(&'a Requirement),
    /// One edge of a requirement.
    Edge(&'a Requirement, &'a Edge),
}

impl<'a> Resolved<'a> {
    /// The requirement; for an edge, the one that it belongs to.
    pub fn requirement(self) -> &'a Requirement {
        match self {
            Self::Requirement(requirement) | Self::Edge(requirement, _) => requirement,
        }
    }

    /// The releases that promise the requirement or edge.
    pub fn since(self) -> &'a Since {
        match self {
            Self::Requirement(requirement) => &requirement.since,
            Self::Edge(_, edge) => &edge.since,
        }
    }

    /// The level of the requirement or edge.
    pub fn level(self) -> Level {
        match self {
            Self::Requirement(requirement) => requirement.level,
            Self::Edge(_, edge) => edge.level,
        }
    }

    /// The text of the requirement or edge.
    pub fn text(self) -> &'a str {
        match self {
            Self::Requirement(requirement) => &requirement.text,
            Self::Edge(_, edge) => &edge.text,
        }
    }

    /// The line of the requirement or edge in its chapter's file, from 1.
    pub fn line(self) -> usize {
        match self {
            Self::Requirement(requirement) => requirement.line,
            Self::Edge(_, edge) => edge.line,
        }
    }
}
