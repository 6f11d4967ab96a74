//! A parser from Go's syntax of regular expressions, with the flags of
//! `regexp.Compile`, to `regex-syntax`'s representation.
//!
//! It makes one pass over the text and keeps a stack of open groups, so it never recurses.

use regex_syntax::hir::{Dot, Hir, Look};

use super::{
    classes::Classes,
    error::{PatternError, PatternErrorKind as Kind, until},
    escapes,
    flags::Flags,
    node::{Node, Times},
    ranges::Ranges,
    unicode,
};

/// The largest repetition count.
const MAX_COUNT: u32 = 1_000;
/// The greatest number of ends of ranges in all classes together: 128 MiB at 4 bytes each.
const MAX_RANGE_ENDS: usize = (128 << 20) / 4;

/// A group that is not closed yet, or the whole expression.
#[derive(Default)]
struct Open {
    /// The flags before it.
    flags: Flags,
    is_capture: bool,
    alternatives: Vec<Node>,
    /// The nodes since the last `|`.
    nodes: Vec<Node>,
}

struct Parser<'t> {
    whole: &'t str,
    rest: &'t str,
    flags: Flags,
    /// The groups that enclose the innermost one, outermost first.
    around: Vec<Open>,
    open: Open,
    classes: Classes,
    range_ends: usize,
}

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Hir, PatternError> {
    let parser = Parser {
        whole: text,
        rest: text,
        flags: Flags::default(),
        around: Vec::new(),
        open: Open::default(),
        classes: Classes::default(),
        range_ends: 0,
    };
    parser.run()
}

impl<'t> Parser<'t> {
    fn run(mut self) -> Result<Hir, PatternError> {
        // The text from the repetition that was parsed last, if nothing follows it yet.
        let mut repetition: Option<&str> = None;
        while let Some(first) = self.rest.chars().next() {
            let before = self.rest;
            repetition = match first {
                '*' | '+' | '?' => {
                    let (least, most) = match first {
                        '*' => (0, None),
                        '+' => (1, None),
                        _ => (0, Some(1)),
                    };
                    self.rest = &self.rest[1..];
                    self.repeat(Times { least, most, is_counted: false }, before, repetition)?;
                    Some(before)
                }
                '{' => match counts(before) {
                    Some((times, rest)) => {
                        self.rest = rest;
                        let Some(times) = times else {
                            return Err(PatternError::new(Kind::InvalidRepeatSize, until(before, rest)));
                        };
                        self.repeat(times, before, repetition)?;
                        Some(before)
                    }
                    None => {
                        self.literal_of_text(first);
                        None
                    }
                },
                _ => {
                    self.item(first)?;
                    None
                }
            };
        }
        self.finish()
    }

    /// Parses an item that is not a repetition operator.
    fn item(&mut self, first: char) -> Result<(), PatternError> {
        match first {
            '(' if self.rest.starts_with("(?") => self.perl_group(),
            '(' => {
                self.rest = &self.rest[1..];
                self.open_group(self.flags, true);
                Ok(())
            }
            '|' => {
                self.rest = &self.rest[1..];
                self.end_alternative()
            }
            ')' => {
                self.rest = &self.rest[1..];
                self.close_group()
            }
            '^' => {
                self.leaf(1, Hir::look(if self.flags.is_multi_line { Look::StartLF } else { Look::Start }));
                Ok(())
            }
            '$' => {
                self.leaf(1, Hir::look(if self.flags.is_multi_line { Look::EndLF } else { Look::End }));
                Ok(())
            }
            '.' => {
                self.leaf(1, Hir::dot(if self.flags.dot_takes_newline { Dot::AnyChar } else { Dot::AnyCharExceptLF }));
                Ok(())
            }
            '[' => {
                let (ranges, rest) = self.classes.bracket(self.rest, self.flags)?;
                self.rest = rest;
                self.class(&ranges)
            }
            '\\' => self.escape(),
            _ => {
                self.literal_of_text(first);
                Ok(())
            }
        }
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        let look = match self.rest.as_bytes().get(1) {
            Some(b'A') => Some(Look::Start),
            Some(b'z') => Some(Look::End),
            Some(b'b') => Some(Look::WordAscii),
            Some(b'B') => Some(Look::WordAsciiNegate),
            Some(b'C') => return Err(PatternError::new(Kind::InvalidEscape, r"\C")),
            Some(b'Q') => {
                let (quoted, rest) = self.rest[2..].split_once(r"\E").unwrap_or((&self.rest[2..], ""));
                self.rest = rest;
                quoted.chars().for_each(|character| self.literal(u32::from(character)));
                return Ok(());
            }
            _ => None,
        };
        if let Some(look) = look {
            self.leaf(2, Hir::look(look));
            return Ok(());
        }
        if let Some((ranges, rest)) = self.classes.escape(self.rest, self.flags)? {
            self.rest = rest;
            return self.class(&ranges);
        }
        let (code, rest) = escapes::character(self.rest)?;
        self.rest = rest;
        self.literal(code);
        Ok(())
    }

    /// Adds a leaf that is `length` bytes of the text.
    fn leaf(&mut self, length: usize, hir: Hir) {
        self.rest = &self.rest[length..];
        self.push(Node::leaf(hir));
    }

    fn literal_of_text(&mut self, character: char) {
        self.rest = &self.rest[character.len_utf8()..];
        self.literal(u32::from(character));
    }

    fn literal(&mut self, code: u32) {
        if self.flags.ignores_case {
            let same = unicode::folded(&Ranges::of([(code, code)]));
            if same.as_slice() != [(code, code)] {
                return self.push(Node::class(&same));
            }
        }
        match char::from_u32(code) {
            Some(character) => self.push(Node::literal(character)),
            // A surrogate, which UTF-8 cannot contain.
            None => self.push(Node::leaf(Hir::fail())),
        }
    }

    fn class(&mut self, ranges: &Ranges) -> Result<(), PatternError> {
        self.range_ends += ranges.as_slice().len() * 2;
        if self.range_ends > MAX_RANGE_ENDS {
            return Err(self.whole_error(Kind::TooLarge));
        }
        self.push(Node::class(ranges));
        Ok(())
    }

    fn push(&mut self, node: Node) {
        self.merge_literals();
        self.open.nodes.push(node);
    }

    /// Merges the last two nodes if both are literals: a repetition can no longer apply to the first of them.
    fn merge_literals(&mut self) {
        let nodes = &mut self.open.nodes;
        if nodes.len() < 2 {
            return;
        }
        if let Some(last) = nodes.pop()
            && let Some(separate) = nodes.last_mut().and_then(|before| before.absorb(last))
        {
            nodes.push(separate);
        }
    }

    fn repeat(&mut self, times: Times, before: &'t str, earlier: Option<&'t str>) -> Result<(), PatternError> {
        let mut is_lazy = self.flags.is_lazy;
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.rest = rest;
            is_lazy = !is_lazy;
        }
        if let Some(earlier) = earlier {
            return Err(PatternError::new(Kind::InvalidRepeatOperator, until(earlier, self.rest)));
        }
        let Some(node) = self.open.nodes.pop() else {
            return Err(PatternError::new(Kind::MissingRepeatArgument, until(before, self.rest)));
        };
        let node = node.repeated(times, !is_lazy).map_err(|kind| match kind {
            Kind::InvalidRepeatSize => PatternError::new(kind, until(before, self.rest)),
            kind => self.whole_error(kind),
        })?;
        self.open.nodes.push(node);
        Ok(())
    }

    /// Parses the start of a group that begins with `(?`: flags, a name, or neither.
    fn perl_group(&mut self) -> Result<(), PatternError> {
        let text = self.rest;
        let has_p = text.len() > 4 && text.starts_with("(?P<");
        if has_p || text.len() > 3 && text.starts_with("(?<") {
            let start = if has_p { 4 } else { 3 };
            let Some(end) = text.find('>') else {
                return Err(PatternError::new(Kind::InvalidNamedCapture, text));
            };
            let name = &text[start..end];
            if name.is_empty() || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                return Err(PatternError::new(Kind::InvalidNamedCapture, &text[..=end]));
            }
            self.rest = &text[end + 1..];
            self.open_group(self.flags, true);
            return Ok(());
        }
        let (mut flags, mut is_switching_on, mut has_flag) = (self.flags, true, false);
        let mut characters = text[2..].chars();
        for character in characters.by_ref() {
            match character {
                'i' => flags.ignores_case = is_switching_on,
                'm' => flags.is_multi_line = is_switching_on,
                's' => flags.dot_takes_newline = is_switching_on,
                'U' => flags.is_lazy = is_switching_on,
                '-' if is_switching_on => {
                    (is_switching_on, has_flag) = (false, false);
                    continue;
                }
                ':' | ')' if is_switching_on || has_flag => {
                    self.rest = characters.as_str();
                    if character == ':' {
                        self.open_group(self.flags, false);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
            has_flag = true;
        }
        Err(PatternError::new(Kind::InvalidPerlOperator, until(text, characters.as_str())))
    }

    fn open_group(&mut self, flags: Flags, is_capture: bool) {
        let group = Open { flags, is_capture, ..Open::default() };
        self.around.push(std::mem::replace(&mut self.open, group));
    }

    fn end_alternative(&mut self) -> Result<(), PatternError> {
        self.merge_literals();
        let nodes = std::mem::take(&mut self.open.nodes);
        let alternative = Node::concatenation(nodes).map_err(|kind| self.whole_error(kind))?;
        self.open.alternatives.push(alternative);
        Ok(())
    }

    fn close_group(&mut self) -> Result<(), PatternError> {
        self.end_alternative()?;
        let Some(around) = self.around.pop() else {
            return Err(self.whole_error(Kind::UnexpectedParenthesis));
        };
        let group = std::mem::replace(&mut self.open, around);
        self.flags = group.flags;
        let node = Node::alternation(group.alternatives).and_then(|node| node.group(group.is_capture));
        let node = node.map_err(|kind| self.whole_error(kind))?;
        self.push(node);
        Ok(())
    }

    fn finish(mut self) -> Result<Hir, PatternError> {
        self.end_alternative()?;
        if !self.around.is_empty() {
            return Err(self.whole_error(Kind::MissingParenthesis));
        }
        let alternatives = std::mem::take(&mut self.open.alternatives);
        let node = Node::alternation(alternatives).map_err(|kind| self.whole_error(kind))?;
        Ok(node.into_hir())
    }

    fn whole_error(&self, kind: Kind) -> PatternError {
        PatternError::new(kind, self.whole)
    }
}

/// Parses `{2}`, `{2,}` or `{2,3}`, and returns the rest of the text. Returns `None` for other text, where the brace is
/// a literal. The counts are `None` if they are too large or in the wrong order.
fn counts(text: &str) -> Option<(Option<Times>, &str)> {
    let (least, rest) = number(text.strip_prefix('{')?)?;
    let (most, rest) = match rest.strip_prefix(',') {
        None => (Some(least), rest),
        Some(rest) if rest.starts_with('}') => (None, rest),
        Some(rest) => {
            let (most, rest) = number(rest)?;
            (Some(most), rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    let is_possible = least <= MAX_COUNT && most.is_none_or(|most| most <= MAX_COUNT && least <= most);
    Some((is_possible.then_some(Times { least, most, is_counted: true }), rest))
}

/// Parses a number without leading zeros. A number that does not fit is `u32::MAX`.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}
