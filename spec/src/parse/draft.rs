//! An item while its lines are parsed.

use crate::id::RequirementId;
use crate::requirement::{Defect, Edge, Invariant, Level, Requirement, Since};

use super::INVARIANTS;
use super::fields;
use super::problem::{Errors, Problem};
use super::words::level_in_words;

/// The label of a list line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Edge,
    Quirk,
    Since,
    Obs,
    Src,
    Defect,
    Do,
    Check,
    Covers,
}

const ORDER: &str = "`Edge` or `Edge [Q]`, `Since`, `Obs`, `Src`, `Defect`";
const ORDER_OF_INVARIANTS: &str = "`Do`, `Check`, `Covers`, `Edge` or `Edge [Q]`";

impl Label {
    /// Parses a label; returns it with its position in the order of the chapter's labels.
    fn parse(label: &str, chapter: u8) -> Option<(Self, u8)> {
        Some(match (label, chapter == INVARIANTS) {
            ("Edge", false) => (Self::Edge, 0),
            ("Edge [Q]", false) => (Self::Quirk, 0),
            ("Since", false) => (Self::Since, 1),
            ("Obs", false) => (Self::Obs, 2),
            ("Src", false) => (Self::Src, 3),
            ("Defect", false) => (Self::Defect, 4),
            ("Do", true) => (Self::Do, 0),
            ("Check", true) => (Self::Check, 1),
            ("Covers", true) => (Self::Covers, 2),
            ("Edge", true) => (Self::Edge, 3),
            ("Edge [Q]", true) => (Self::Quirk, 3),
            _ => return None,
        })
    }

    fn may_repeat(self) -> bool {
        matches!(self, Self::Edge | Self::Quirk | Self::Defect)
    }
}

/// An item while its lines are parsed.
#[derive(Default)]
pub(super) struct Draft {
    chapter: u8,
    section: String,
    line: usize,
    /// ID, level and title; `None` if the item line is invalid.
    name: Option<(RequirementId, Level, String)>,
    text: String,
    invariant_text: Option<(String, String)>,
    edges: Vec<Edge>,
    /// Which edges name their releases.
    are_dated: Vec<bool>,
    since: Option<Since>,
    observation: Option<String>,
    source: Option<String>,
    defects: Vec<Defect>,
    act: Option<String>,
    check: Option<String>,
    covers: Option<Vec<RequirementId>>,
    /// The labels seen so far, each once, and the last position in their order.
    seen: Vec<Label>,
    last_position: u8,
    has_table: bool,
    after_blank: bool,
}

impl Draft {
    /// Starts an item.
    pub(super) fn open(chapter: u8, line: usize, text: &str, errors: &mut Errors<'_>) -> Result<Self, Problem> {
        let item = fields::item_line(text)?;
        let level = fields::mark(item.mark).unwrap_or_else(|problem| {
            errors.add(line, problem);
            Level::Must
        });
        if item.id.prefix().chapter() != chapter {
            errors.add(line, Problem::WrongChapter { id: item.id, chapter });
        }
        let mut draft = Self::invalid(chapter, line);
        if chapter == INVARIANTS {
            if item.mark.is_some() {
                errors.add(line, Problem::MarkedInvariant);
            }
            match fields::invariant_text(item.text) {
                Some((pre, generation)) => {
                    draft.invariant_text = Some((pre.to_owned(), generation.to_owned()));
                }
                None => errors.add(line, Problem::InvariantText),
            }
        }
        draft.name = Some((item.id, level, item.title.to_owned()));
        item.text.clone_into(&mut draft.text);
        Ok(draft)
    }

    /// An item whose first line is invalid: its other lines are checked and then dropped.
    pub(super) fn invalid(chapter: u8, line: usize) -> Self {
        Self { chapter, line, ..Self::default() }
    }

    /// The same in this section.
    pub(super) fn within(self, section: &str) -> Self {
        Self { section: section.to_owned(), ..self }
    }

    pub(super) fn blank_line(&mut self) {
        self.after_blank = true;
    }

    /// A table may have blank lines around it, since Markdown requires them.
    pub(super) fn table_line(&mut self, number: usize, line: &str, errors: &mut Errors<'_>) {
        let new_after_another = self.has_table && self.after_blank;
        if !self.seen.is_empty() || new_after_another {
            errors.add(number, Problem::DetachedTable);
            return;
        }
        self.has_table = true;
        self.after_blank = false;
        self.text.push('\n');
        self.text.push_str(line);
    }

    pub(super) fn list_line(&mut self, number: usize, line: &str, errors: &mut Errors<'_>) {
        let directly_below_table = self.has_table && self.seen.is_empty();
        if self.after_blank && !directly_below_table {
            errors.add(number, Problem::DetachedListLine);
        }
        self.after_blank = false;
        let Some((label, text)) = fields::list_line(line) else {
            errors.add(number, Problem::ListLine);
            return;
        };
        let expected = if self.chapter == INVARIANTS { ORDER_OF_INVARIANTS } else { ORDER };
        let Some((parsed, position)) = Label::parse(label, self.chapter) else {
            errors.add(number, Problem::UnknownLabel { label: label.to_owned(), expected });
            return;
        };
        if self.seen.contains(&parsed) {
            if !parsed.may_repeat() {
                errors.add(number, Problem::RepeatedLabel(label.to_owned()));
                return;
            }
        } else {
            self.seen.push(parsed);
        }
        if position < self.last_position {
            errors.add(number, Problem::LabelOrder { label: label.to_owned(), expected });
        }
        self.last_position = self.last_position.max(position);
        self.store(parsed, number, text, errors);
    }

    fn store(&mut self, label: Label, line: usize, text: &str, errors: &mut Errors<'_>) {
        match label {
            Label::Edge => {
                let of_item = self.name.as_ref().map_or(Level::Must, |name| name.1);
                self.add_edge(level_in_words(text).unwrap_or(of_item), line, text, errors);
            }
            Label::Quirk => self.add_edge(Level::Quirk, line, text, errors),
            Label::Since => match fields::since(text) {
                Ok(since) => self.since = Some(since),
                Err(problem) => errors.add(line, problem),
            },
            Label::Obs => self.observation = Some(text.to_owned()),
            Label::Src => self.source = Some(text.to_owned()),
            Label::Defect => match fields::defect(text) {
                Ok((first, last, text)) => self.defects.push(Defect { first, last, text: text.to_owned(), line }),
                Err(problem) => errors.add(line, problem),
            },
            Label::Do => self.act = Some(text.to_owned()),
            Label::Check => self.check = Some(text.to_owned()),
            Label::Covers => {
                let (covered, problems) = fields::covers(text);
                self.covers = Some(covered);
                for problem in problems {
                    errors.add(line, problem);
                }
            }
        }
    }

    fn add_edge(&mut self, level: Level, line: usize, text: &str, errors: &mut Errors<'_>) {
        let number = u16::try_from(self.edges.len() + 1).unwrap_or(u16::MAX);
        let since = fields::releases_of_edge(text).unwrap_or_else(|problem| {
            errors.add(line, problem);
            None
        });
        // Without releases of its own it gets those of its requirement, once they are known.
        self.are_dated.push(since.is_some());
        self.edges.push(Edge { number, level, text: text.to_owned(), since: since.unwrap_or(Since::FIRST_V1), line });
    }

    /// Ends the item; returns `None` if its first line is invalid.
    pub(super) fn close(self, of_chapter: Option<&Since>, errors: &mut Errors<'_>) -> Option<Requirement> {
        let (id, level, title) = self.name?;
        if level == Level::Quirk && self.seen.contains(&Label::Defect) {
            errors.add(self.line, Problem::DefectOfQuirk(id));
        }
        let invariant = (self.chapter == INVARIANTS).then(|| {
            let required = [("Do", Label::Do), ("Check", Label::Check), ("Covers", Label::Covers)];
            for (label, _) in required.into_iter().filter(|(_, label)| !self.seen.contains(label)) {
                errors.add(self.line, Problem::MissingLabel { id, label });
            }
            let (pre, generation) = self.invariant_text.unwrap_or_default();
            Invariant {
                pre,
                generation,
                act: self.act.unwrap_or_default(),
                check: self.check.unwrap_or_default(),
                covers: self.covers.unwrap_or_default(),
            }
        });
        let since = self.since.or_else(|| of_chapter.cloned()).unwrap_or(Since::FIRST_V1);
        let mut edges = self.edges;
        for (edge, _) in edges.iter_mut().zip(self.are_dated).filter(|(_, is_dated)| !is_dated) {
            edge.since = since.clone();
        }
        Some(Requirement {
            id,
            level,
            title,
            text: self.text,
            edges,
            since,
            observation: self.observation,
            source: self.source,
            defects: self.defects,
            chapter: self.chapter,
            section: self.section,
            invariant,
            line: self.line,
        })
    }
}
