//! The catalogue and its look-ups.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::embedded;
use crate::id::{Reference, RequirementId};
use crate::lookup::{edit_distance, glob_matches};
use crate::parse::{self, ParseError};
use crate::requirement::{Chapter, Edge, Level, Requirement};

/// Beyond this many edits a name is another name, not a slip.
const NEAR: usize = 2;

/// How many proposals are still read.
const PROPOSALS: usize = 5;

/// Longer texts are near no ID (the longest has 11 characters), so they need not be compared.
const LONGEST_COMPARED: usize = 24;

/// The requirements of the specification, by ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) requirements: BTreeMap<RequirementId, Requirement>,
    pub(crate) digest: u64,
}

impl Catalogue {
    /// The catalogue of the specification that this crate was built with; read once, at first use.
    ///
    /// Its text keeps the form: a test of this crate parses it strictly.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Catalogue> = LazyLock::new(|| parse::read(embedded::FILES.iter().copied()).0);
        &EMBEDDED
    }

    /// Name and text of the files behind [`Catalogue::embedded`]: `README.md`, the chapters, `appendices.md`.
    pub fn embedded_files() -> impl Iterator<Item = (&'static str, &'static str)> {
        embedded::FILES.iter().copied()
    }

    /// Reads a specification from its files, given as name and text; the name may have folders before it.
    ///
    /// Chapters are the files whose name begins with two digits and a dash. `README.md` and `appendices.md` are looked
    /// through for tabs, trailing blanks and references, the latter for Appendix D as well. Not all chapters need be
    /// there, as long as no reference leads to one that is not.
    ///
    /// # Errors
    ///
    /// All departures from the form (section 1 of the specification's README), in the order of the files.
    pub fn parse<Name, Text>(files: impl IntoIterator<Item = (Name, Text)>) -> Result<Self, Vec<ParseError>>
    where
        Name: AsRef<str>,
        Text: AsRef<str>,
    {
        let (catalogue, errors) = parse::read(files);
        if errors.is_empty() { Ok(catalogue) } else { Err(errors) }
    }

    /// The requirement with this ID.
    pub fn get(&self, id: RequirementId) -> Option<&Requirement> {
        self.requirements.get(&id)
    }

    /// What a reference leads to; `None` if there is no such requirement, or no such edge of it.
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

    /// The requirements whose ID fits a pattern: `*` stands for any characters, `?` for one, a bare prefix (`PRUNE`)
    /// for all that begin with it. ASCII case is ignored. In the order of the IDs.
    pub fn matching(&self, pattern: &str) -> impl Iterator<Item = &Requirement> {
        self.iter().filter(move |requirement| {
            requirement.id.prefix().as_str().eq_ignore_ascii_case(pattern)
                || glob_matches(pattern, &requirement.id.to_string())
        })
    }

    /// The IDs that were probably meant by a text that is none, the likeliest first; at most five, often none.
    ///
    /// Case, missing zeros (`PRUNE-4`) and an edge are looked past; then up to two wrong letters.
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
            .filter(|(distance, _)| *distance <= NEAR)
            .collect();
        near.sort_unstable();
        near.into_iter().take(PROPOSALS).map(|(_, id)| id).collect()
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

    /// Sixteen hexadecimal digits that tell one text of the specification from another, whatever the machine, the order
    /// in which its files were given, and their line ends (64-bit FNV-1a).
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }
}

/// Upper case, no edge, and the number filled up to three digits.
fn normalised(text: &str) -> String {
    let text = text.split('/').next().unwrap_or_default().to_ascii_uppercase();
    let prefix = text.trim_end_matches(|character: char| character.is_ascii_digit());
    match text[prefix.len()..].parse::<u16>() {
        Ok(number) => format!("{}-{number:03}", prefix.trim_end_matches(['-', '_', ' '])),
        Err(_) => text,
    }
}

/// What a [`Reference`] leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved<'a> {
    /// A requirement as a whole.
    Requirement(&'a Requirement),
    /// One edge of a requirement.
    Edge(&'a Requirement, &'a Edge),
}

impl<'a> Resolved<'a> {
    /// The requirement, also where an edge of it was meant.
    pub fn requirement(self) -> &'a Requirement {
        match self {
            Self::Requirement(requirement) | Self::Edge(requirement, _) => requirement,
        }
    }

    /// How strongly it binds: the edge, where one was meant.
    pub fn level(self) -> Level {
        match self {
            Self::Requirement(requirement) => requirement.level,
            Self::Edge(_, edge) => edge.level,
        }
    }

    /// What it says: the edge, where one was meant.
    pub fn text(self) -> &'a str {
        match self {
            Self::Requirement(requirement) => &requirement.text,
            Self::Edge(_, edge) => &edge.text,
        }
    }

    /// The line where it stands in its chapter's file, from 1.
    pub fn line(self) -> usize {
        match self {
            Self::Requirement(requirement) => requirement.line,
            Self::Edge(_, edge) => edge.line,
        }
    }
}
