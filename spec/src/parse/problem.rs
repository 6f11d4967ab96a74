//! Errors in the text of the specification.

use thiserror::Error;

use crate::id::{IdError, Prefix, RequirementId};

/// One violation of the form rules, and its location.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
#[non_exhaustive]
pub struct ParseError {
    /// The file, by the name given to the parser.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem, and what is expected.
    pub problem: Problem,
}

/// The problem with a line of the specification. Each message states what is expected instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A tab.
    #[error("a tab; expected blanks only")]
    Tab,
    /// Blanks at the end of a line.
    #[error("blanks at the end of the line; expected none")]
    TrailingBlank,
    /// A file that is neither a chapter, `README.md` nor `appendices.md`.
    #[error("unexpected file; expected a chapter `01-<name>.md` to `18-<name>.md`, `README.md` or `appendices.md`")]
    UnexpectedFile,
    /// Two files for one chapter.
    #[error("a second file of chapter {0}; expected one file per chapter")]
    RepeatedChapter(u8),
    /// The first line is not a chapter heading.
    #[error("invalid chapter heading; expected line 1 to be `# <n>. <title> (<PREFIX>[, <PREFIX>])`")]
    ChapterHeading,
    /// The chapter number in the heading differs from that in the file name.
    #[error("the heading says chapter {heading}, the file's name chapter {file}; expected the same number")]
    ChapterNumber {
        /// The number in the heading.
        heading: u8,
        /// The number in the file name.
        file: u8,
    },
    /// The prefixes in the heading are not those of the chapter.
    #[error("the prefixes of chapter {chapter} are {expected}; expected exactly these in its heading")]
    ChapterPrefixes {
        /// The chapter's number.
        chapter: u8,
        /// Its prefixes.
        expected: String,
    },
    /// A heading that is not a section heading.
    #[error("invalid section heading; expected `## {0}.<m> <title>`")]
    SectionHeading(u8),
    /// The head does not have exactly one paragraph that states which release was run.
    #[error("{0} paragraphs of the chapter's head start with `Run on kube-apiserver`; expected one")]
    RunParagraph(usize),
    /// Prose after the chapter's head.
    #[error(
        "free prose; after the chapter's head, expected only sections, items, their tables and their list lines; \
         a line that continues a list line is indented by two blanks"
    )]
    FreeProse,
    /// A line that starts like an item but is not one.
    #[error("invalid item line; expected `**<PREFIX>-<nnn> — <title>[ <mark>].** <text>`, with an em dash")]
    ItemLine,
    /// The ID of an item is invalid.
    #[error("{0}")]
    ItemId(IdError),
    /// An unknown mark.
    #[error("unknown mark `[{0}]`; expected `[Q]`, `[SHOULD]`, `[MAY]`, or none for MUST")]
    Mark(String),
    /// An item of chapter 18 with a mark.
    #[error("a mark on an invariant; expected none, since all items of chapter 18 are MUST")]
    MarkedInvariant,
    /// An item in the wrong chapter.
    #[error("{id} is in chapter {chapter}; expected it in chapter {}", .id.prefix().chapter())]
    WrongChapter {
        /// The item.
        id: RequirementId,
        /// The chapter that it is in.
        chapter: u8,
    },
    /// An ID that is already in use.
    #[error("{id} is already used at line {first}; expected every ID once")]
    DuplicateId {
        /// The item.
        id: RequirementId,
        /// The line of the first item with this ID.
        first: usize,
    },
    /// A gap in the numbers.
    #[error("{id} follows {}; expected numbers without gaps from {}-001 on", or_nothing(*.previous), .id.prefix())]
    Gap {
        /// The item after the gap.
        id: RequirementId,
        /// The item with the greatest number before the gap.
        previous: Option<RequirementId>,
    },
    /// A list line without label or text.
    #[error("invalid list line; expected `- <label>: <text>`")]
    ListLine,
    /// A label that is not allowed here.
    #[error("unknown label `{label}`; expected one of {expected}")]
    UnknownLabel {
        /// The label.
        label: String,
        /// The labels that are allowed here.
        expected: &'static str,
    },
    /// A label after one that it should precede.
    #[error("`{label}` comes too late; expected the order {expected}")]
    LabelOrder {
        /// The label.
        label: String,
        /// The order of all labels.
        expected: &'static str,
    },
    /// A repeated label that is allowed only once.
    #[error("a second `{0}`; expected at most one")]
    RepeatedLabel(String),
    /// A list line that does not belong to an item.
    #[error("a list line without an item; expected it below its item, with blank lines only around a table")]
    DetachedListLine,
    /// A table that does not belong to an item.
    #[error("a table without an item; expected it below an item line, before the list lines")]
    DetachedTable,
    /// An invalid `Since`.
    #[error("invalid releases; expected `1.<minor>[ until 1.<minor>][ (<remark>)]`, the last not before the first")]
    Since,
    /// An edge whose text begins with invalid releases.
    #[error("invalid releases of an edge; expected `since 1.35: `, `until 1.35: ` or `1.34 until 1.35: `")]
    EdgeReleases,
    /// A `Defect` that does not name server and release.
    #[error(
        "invalid defect; expected it to start with `kube-apiserver 1.36: `, \
         `kube-apiserver 1.33 to 1.36: ` or `kube-apiserver 1.34.0: `"
    )]
    Defect,
    /// A quirk with a defect.
    #[error("{0} is marked [Q] and has a `Defect` line; expected one or the other")]
    DefectOfQuirk(RequirementId),
    /// An invariant with an invalid text.
    #[error("invalid invariant; expected the text `Pre: <condition>. Gen: <inputs>.`")]
    InvariantText,
    /// An invariant without a required list line.
    #[error("{id} has no `{label}`; expected exactly one each of `Do`, `Check`, `Covers`")]
    MissingLabel {
        /// The invariant.
        id: RequirementId,
        /// The label.
        label: &'static str,
    },
    /// An invalid part of `Covers`.
    #[error(
        "invalid `{0}` in `Covers`; expected `<reference>, <reference>, ….`, \
         each `<PREFIX>-<nnn>` or `<PREFIX>-<nnn>..<nnn>`"
    )]
    Covers(String),
    /// A reference with an invalid number or range.
    #[error(
        "`{0}` is not a reference; expected `<PREFIX>-<nnn>`, or `<PREFIX>-<nnn>..<nnn>` with the greater number last"
    )]
    Reference(String),
    /// A reference to a requirement that does not exist.
    #[error("{0} does not exist; expected the ID of a requirement")]
    DanglingReference(RequirementId),
    /// A reference with a misspelt prefix.
    #[error("`{text}` does not exist; expected a prefix that does, such as {nearest}")]
    MisspeltReference {
        /// The reference.
        text: String,
        /// The nearest prefix.
        nearest: Prefix,
    },
    /// An invalid line of Appendix D.
    #[error("invalid line of Appendix D; expected `- <PREFIX>: <nnn> <nnn> …`, ascending, one line per prefix")]
    AppendixLine,
    /// Appendix D lists a requirement that an invariant covers.
    #[error("{0} is covered by an invariant; expected Appendix D to list only what no `Covers` names")]
    AppendixListsCovered(RequirementId),
    /// A requirement that no invariant covers is missing in Appendix D.
    #[error(
        "{0} is not covered by any invariant and not listed; expected Appendix D to list all that no `Covers` names"
    )]
    AppendixLacks(RequirementId),
}

fn or_nothing(previous: Option<RequirementId>) -> String {
    previous.map_or_else(|| "nothing".to_owned(), |id| id.to_string())
}

/// Collects the errors of one file.
pub(super) struct Errors<'a> {
    file: &'a str,
    found: &'a mut Vec<ParseError>,
}

impl<'a> Errors<'a> {
    pub(super) fn of(file: &'a str, found: &'a mut Vec<ParseError>) -> Self {
        Self { file, found }
    }

    pub(super) fn add(&mut self, line: usize, problem: Problem) {
        self.found.push(ParseError { file: self.file.to_owned(), line, problem });
    }
}
