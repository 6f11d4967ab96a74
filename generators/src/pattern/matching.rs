//! Texts that match a pattern, made by walking along what the pattern means.

use crdible_semantics::Pattern;
use crdible_semantics::pattern::hir::{Hir, HirKind};

use super::class;
use crate::choice::{Choices, Tape};

/// How often a text is made anew when an assertion in the middle of the pattern does not hold.
const ATTEMPTS: usize = 8;
/// How many repetitions there are above the least number, at most.
const MORE: usize = 4;
/// How many parts of the pattern are written, and how deep they lie: beyond, there is no text for it. Repetitions within repetitions are
/// exponentially many, and may have nothing in them.
const PARTS: usize = 20_000;
const DEEPEST: usize = 200;

/// A text that the pattern matches; sometimes with something around the match, where the pattern leaves room. `None` where none was
/// found: the pattern matches nothing, or only what is rare, or only what is very long.
pub fn matching(c: &mut Choices, pattern: &Pattern) -> Option<String> {
    c.span("match", |c| {
        (0..ATTEMPTS).find_map(|_| {
            let mut writer = Writer { text: String::new(), parts: PARTS };
            writer.write(c, pattern.hir(), 0)?;
            let text = writer.text;
            // One text in four: that a match is looked for anywhere is a promise of its own (VALUE-012).
            if c.chance(1, 4) {
                let around = format!("{}{text}{}", *c.pick(&BESIDE), *c.pick(&BESIDE));
                if pattern.is_match(&around) {
                    return Some(around);
                }
            }
            pattern.is_match(&text).then_some(text)
        })
    })
}

/// The simplest text that a pattern matches, if that is found: the same for the same pattern.
pub(crate) fn simplest(pattern: &str) -> Option<String> {
    let pattern = Pattern::parse(pattern).ok()?;
    matching(&mut Choices::replay(&Tape::default()), &pattern)
}

const BESIDE: [&str; 6] = ["x", "", "0", " ", "\n", "é"];

struct Writer {
    text: String,
    /// How many parts may still be written.
    parts: usize,
}

impl Writer {
    /// Assertions write nothing: whether they hold is seen at the end.
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
