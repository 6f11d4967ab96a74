//! Strings that match a pattern, made by walking its syntax tree.

use crdible_text::{
    Pattern,
    pattern::hir::{Hir, HirKind},
};

use super::class;
use crate::choice::{Choices, Tape};

/// At most this many strings are tried if an assertion inside the pattern fails.
const ATTEMPTS: usize = 8;
/// The greatest number of repetitions above the minimum.
const MORE: usize = 4;
/// Limits on the parts of the pattern that are written, and on their depth; beyond them, no string is found. Nested
/// repetitions are exponentially many, and may be empty.
const PARTS: usize = 20_000;
const DEEPEST: usize = 200;

/// Draws a string that matches the pattern, sometimes with characters around the match, if the pattern allows them.
/// `None` if none is found: the pattern matches nothing, or only rare or very long strings.
pub fn matching(c: &mut Choices, pattern: &Pattern) -> Option<String> {
    c.span("match", |c| {
        (0..ATTEMPTS).find_map(|_| {
            let mut writer = Writer { text: String::new(), parts: PARTS };
            writer.write(c, pattern.hir(), 0)?;
            let text = writer.text;
            // One string in four: a pattern may match anywhere in a string, a separate promise (VALUE-012).
            if c.chance(1, 4) {
                let around = format!("{}{text}{}", *c.pick(&AROUND), *c.pick(&AROUND));
                if pattern.is_match(&around) {
                    return Some(around);
                }
            }
            pattern.is_match(&text).then_some(text)
        })
    })
}

/// The simplest string that matches a pattern, if one is found; deterministic.
pub(crate) fn simplest(pattern: &str) -> Option<String> {
    let pattern = Pattern::parse(pattern).ok()?;
    matching(&mut Choices::replay(&Tape::default()), &pattern)
}

const AROUND: [&str; 6] = ["x", "", "0", " ", "\n", "é"];

struct Writer {
    text: String,
    /// The number of parts that may still be written.
    parts: usize,
}

impl Writer {
    /// Appends a match of one part. Assertions append nothing; they are checked at the end.
    fn write(&mut self, c: &mut Choices, hir: &Hir, depth: usize) -> Option<()> {
        self.parts = self.parts.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => {
                let literal = str::from_utf8(&literal.0).ok()?;
                self.parts = self.parts.checked_sub(literal.len())?;
                self.text.push_str(literal);
            }
            HirKind::Class(class) => self.text.push(class::character(c, class)?),
            HirKind::Repetition(repetition) => {
                let least = usize::try_from(repetition.min).ok()?;
                let most = repetition.max.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
                let written = c.many_average("repetition", least, most.min(least.saturating_add(MORE)), 1, |c, _| {
                    self.write(c, &repetition.sub, depth + 1)
                });
                written.into_iter().collect::<Option<()>>()?;
            }
            HirKind::Capture(capture) => self.write(c, &capture.sub, depth + 1)?,
            HirKind::Concat(parts) => {
                for part in parts {
                    self.write(c, part, depth + 1)?;
                }
            }
            HirKind::Alternation(branches) => {
                let branch = c.pick(branches);
                self.write(c, branch, depth + 1)?;
            }
        }
        Some(())
    }
}
