//! What can be wrong with the text of the specification.

use thiserror::Error;

use crate::id::{IdError, Prefix, RequirementId};

/// One departure from the form, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
#[non_exhaustive]
pub struct ParseError {
    /// The file, as it was named to the parser.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub problem: Problem,
}

/// What is wrong with a line of the specification. Each message says what is expected instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A tab.
    #[error("a tab; expected blanks only")]
    Tab,
    /// Blanks at the end of a line.
    #[error("blanks at the end of the line; expected none")]
    TrailingBlank,
    /// A file that is neither a chapter nor one of the two others.
    #[error(
        "this file has no place; expected a chapter `01-<name>.md` to `18-<name>.md`, `README.md` or `appendices.md`"
    )]
    UnexpectedFile,
    /// Two files for one chapter.
    #[error("chapter {0} was read already; expected one file per chapter")]
    RepeatedChapter(u8),
    /// The first line is no heading of a chapter.
    #[error("no chapter heading; expected line 1 to be `# <n>. <title> (<PREFIX>[, <PREFIX>])`")]
    ChapterHeading,
    /// The number in the heading is not the file's.
    #[error("the heading says chapter {heading}, the file's name chapter {file}; expected the same number")]
    ChapterNumber {
        /// As the heading says.
        heading: u8,
        /// As the file's name says.
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
    /// Any other heading than a section's.
    #[error("no section heading; expected `## {0}.<m> <title>`")]
    SectionHeading(u8),
    /// Not exactly one paragraph of the head tells what was run.
    #[error("{0} paragraphs of the chapter's head start with `Run on kube-apiserver`; expected one")]
    RunParagraph(usize),
    /// Prose after the chapter's head.
    #[error("free prose; expected, after the chapter's head, only sections, items, their tables and their list lines")]
    FreeProse,
    /// A line that starts like an item and is none.
    #[error("no item line; expected `**<PREFIX>-<nnn> — <title>[ <mark>].** <text>` on one line, with an em dash")]
    ItemLine,
    /// The ID of an item cannot be read.
    #[error("{0}")]
    ItemId(IdError),
    /// A mark that is none.
    #[error("unknown mark `[{0}]`; expected `[Q]`, `[SHOULD]`, `[MAY]`, or none for MUST")]
    Mark(String),
    /// An item of chapter 18 with a mark.
    #[error("a mark on an invariant; expected none, since all items of chapter 18 are MUST")]
    MarkedInvariant,
    /// An item in the wrong chapter.
    #[error("{id} stands in chapter {chapter}; expected it in chapter {}", .id.prefix().chapter())]
    WrongChapter {
        /// The item.
        id: RequirementId,
        /// Where it stands.
        chapter: u8,
    },
    /// An ID that was used before.
    #[error("{id} stands at line {first} already; expected every ID once")]
    DuplicateId {
        /// The item.
        id: RequirementId,
        /// The line of the first item with this ID.
        first: usize,
    },
    /// Numbers that are left out.
    #[error("{id} follows {}; expected numbers without gaps from {}-001 on", or_nothing(*.previous), .id.prefix())]
    Gap {
        /// The item after the gap.
        id: RequirementId,
        /// The item with the greatest number before the gap.
        previous: Option<RequirementId>,
    },
    /// A list line without label or text.
    #[error("no list line; expected `- <label>: <text>` on one line")]
    ListLine,
    /// A label that does not exist here.
    #[error("unknown label `{label}`; expected one of {expected}")]
    UnknownLabel {
        /// As given.
        label: String,
        /// Those that may stand here.
        expected: &'static str,
    },
    /// A label after one that it should precede.
    #[error("`{label}` stands too late; expected the order {expected}")]
    LabelOrder {
        /// As given.
        label: String,
        /// The order of all labels.
        expected: &'static str,
    },
    /// A label that may stand once.
    #[error("a second `{0}`; expected at most one")]
    RepeatedLabel(String),
    /// A list line away from any item.
    #[error("a list line that belongs to no item; expected it below its item, with no blank line but around a table")]
    DetachedListLine,
    /// A table away from any item's text.
    #[error("a table that belongs to no item; expected it below an item line, before the list lines")]
    DetachedTable,
    /// A `Since` that cannot be read.
    #[error("no releases; expected `1.<minor>[ until 1.<minor>][ (<remark>)]`, the last not before the first")]
    Since,
    /// A `Defect` that names no server.
    #[error("a defect of what?; expected it to start with `kube-apiserver 1.36: `")]
    Defect,
    /// A quirk with a defect.
    #[error("{0} is marked [Q] and has a `Defect` line; expected one or the other")]
    DefectOfQuirk(RequirementId),
    /// An invariant whose text has another form.
    #[error("no invariant; expected the text `Pre: <condition>. Gen: <inputs>.`")]
    InvariantText,
    /// An invariant without one of its lines.
    #[error("{id} has no `{label}`; expected exactly one each of `Do`, `Check`, `Covers`")]
    MissingLabel {
        /// The invariant.
        id: RequirementId,
        /// The label.
        label: &'static str,
    },
    /// A `Covers` that cannot be read.
    #[error(
        "`{0}` in `Covers`; expected `<reference>, <reference>, ….`, each `<PREFIX>-<nnn>` or `<PREFIX>-<nnn>..<nnn>`"
    )]
    Covers(String),
    /// A reference whose number or range cannot be read.
    #[error(
        "`{0}` is no reference; expected `<PREFIX>-<nnn>`, or `<PREFIX>-<nnn>..<nnn>` with the greater number last"
    )]
    Reference(String),
    /// A reference to nothing.
    #[error("{0} does not exist; expected the ID of a requirement")]
    DanglingReference(RequirementId),
    /// What looks like a reference, with a prefix that is nearly one.
    #[error("`{text}` does not exist; expected a prefix that does, such as {nearest}")]
    MisspeltReference {
        /// As given.
        text: String,
        /// What was probably meant.
        nearest: Prefix,
    },
    /// A line of Appendix D that cannot be read.
    #[error("no line of Appendix D; expected `- <PREFIX>: <nnn> <nnn> …`, ascending, one line per prefix")]
    AppendixLine,
    /// Appendix D lists what an invariant covers.
    #[error("{0} is covered by an invariant; expected Appendix D to list only what no `Covers` names")]
    AppendixListsCovered(RequirementId),
    /// Appendix D leaves out what no invariant covers.
    #[error("{0} is covered by no invariant and not listed; expected Appendix D to list all that no `Covers` names")]
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
