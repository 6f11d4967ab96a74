//! Parts of an expression during parsing.

use regex_syntax::hir::{Class, Hir, Repetition};

use super::{error::PatternErrorKind, ranges::Ranges};

/// The greatest number of levels of an expression.
const MAX_HEIGHT: u32 = 1_000;
/// The greatest number of instructions of a compiled expression: 128 MiB at 40 bytes each.
const MAX_SIZE: u64 = (128 << 20) / 40;
/// The greatest product of nested repetition counts.
const MAX_REPEATS: u64 = 1_000;

/// One part, with the figures that the limits apply to.
///
/// The figures are Go's before it simplifies. Where Go merges common prefixes of
/// alternatives, its height may differ by a level or two.
#[derive(Debug)]
pub(super) struct Node {
    content: Content,
    /// How its parts are joined, if it has any. Nested parts that are joined the same way count as parts of the whole.
    join: Option<Join>,
    height: u32,
    /// In instructions.
    size: u64,
    /// The largest product of nested repetition counts.
    repeats: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    InARow,
    AsBranches,
}

#[derive(Debug)]
enum Content {
    /// A run of characters. Kept separate from other content, so that an
    /// expression of plain characters needs little memory.
    Literal(String),
    Other(Hir),
}

impl Node {
    pub(super) fn literal(character: char) -> Self {
        Self { content: Content::Literal(character.to_string()), join: None, height: 1, size: 1, repeats: 1 }
    }

    pub(super) fn leaf(hir: Hir) -> Self {
        Self { content: Content::Other(hir), join: None, height: 1, size: 1, repeats: 1 }
    }

    pub(super) fn class(ranges: &Ranges) -> Self {
        Self::leaf(Hir::class(Class::Unicode(ranges.to_class())))
    }

    pub(super) fn into_hir(self) -> Hir {
        match self.content {
            Content::Literal(text) => Hir::literal(text.into_bytes()),
            Content::Other(hir) => hir,
        }
    }

    /// Appends the next node if both are literals, and returns it otherwise.
    pub(super) fn absorb(&mut self, other: Self) -> Option<Self> {
        match (&mut self.content, &other.content) {
            (Content::Literal(text), Content::Literal(more)) => {
                text.push_str(more);
                self.size += other.size;
                None
            }
            _ => Some(other),
        }
    }

    pub(super) fn group(self, is_capture: bool) -> Result<Self, PatternErrorKind> {
        if !is_capture {
            return Ok(self);
        }
        // Captures are never read, so the group adds only to height and size.
        Self { join: None, height: self.height + 1, size: self.size.saturating_add(2), ..self }.within_limits()
    }

    pub(super) fn repeated(self, times: Times, is_greedy: bool) -> Result<Self, PatternErrorKind> {
        let Times { least, most, is_counted } = times;
        let (height, inner) = (self.height + 1, self.size);
        let size = match most {
            None if least == 0 => inner.saturating_add(2),
            None => inner.saturating_mul(least.into()).saturating_add(1),
            Some(most) => inner.saturating_mul(most.into()).saturating_add((most - least).into()),
        };
        let repeats = match most.unwrap_or(least) {
            0 if most.is_some() => 1,
            count if is_counted => self.repeats.saturating_mul(u64::from(count.max(1))),
            _ => self.repeats,
        };
        let sub = Box::new(self.into_hir());
        let hir = Hir::repetition(Repetition { min: least, max: most, greedy: is_greedy, sub });
        let node = Self { content: Content::Other(hir), join: None, height, size: size.max(1), repeats };
        let node = node.within_limits()?;
        let is_many = is_counted && (least >= 2 || most.is_some_and(|most| most >= 2));
        if is_many && node.repeats > MAX_REPEATS { Err(PatternErrorKind::InvalidRepeatSize) } else { Ok(node) }
    }

    pub(super) fn concatenation(nodes: Vec<Self>) -> Result<Self, PatternErrorKind> {
        Self::joined(nodes, Join::InARow)
    }

    pub(super) fn alternation(nodes: Vec<Self>) -> Result<Self, PatternErrorKind> {
        Self::joined(nodes, Join::AsBranches)
    }

    fn joined(mut nodes: Vec<Self>, join: Join) -> Result<Self, PatternErrorKind> {
        if nodes.len() < 2 {
            return Ok(nodes.pop().unwrap_or_else(|| Self::leaf(Hir::empty())));
        }
        let below = |node: &Self| node.height - u32::from(node.join == Some(join));
        let height = nodes.iter().map(below).max().unwrap_or(0) + 1;
        let bars = if join == Join::AsBranches { nodes.len() as u64 - 1 } else { 0 };
        let size = nodes.iter().fold(bars, |sum, node| sum.saturating_add(node.size));
        let repeats = nodes.iter().map(|node| node.repeats).max().unwrap_or(1);
        let parts = nodes.into_iter().map(Self::into_hir).collect();
        let hir = match join {
            Join::InARow => Hir::concat(parts),
            Join::AsBranches => Hir::alternation(parts),
        };
        Self { content: Content::Other(hir), join: Some(join), height, size, repeats }.within_limits()
    }

    fn within_limits(self) -> Result<Self, PatternErrorKind> {
        if self.size > MAX_SIZE {
            return Err(PatternErrorKind::TooLarge);
        }
        if self.height > MAX_HEIGHT {
            return Err(PatternErrorKind::NestingDepth);
        }
        Ok(self)
    }
}

/// How often a part is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) least: u32,
    pub(super) most: Option<u32>,
    /// Whether it is written in numbers, like `{2,3}`.
    pub(super) is_counted: bool,
}
