//! Character classes: brackets, Perl classes such as `\d`, and `\p{…}`.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    error::{PatternError, PatternErrorKind as Kind, until},
    escapes,
    flags::Flags,
    ranges::Ranges,
    unicode,
};

const DIGITS: &[(char, char)] = &[('0', '9')];
const SPACES: &[(char, char)] = &[('\t', '\n'), ('\x0C', '\r'), (' ', ' ')];
const WORDS: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// The POSIX classes, which are legal only in brackets.
const POSIX: [(&str, &[(char, char)]); 14] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("ascii", &[('\0', '\x7F')]),
    ("blank", &[('\t', '\t'), (' ', ' ')]),
    ("cntrl", &[('\0', '\x1F'), ('\x7F', '\x7F')]),
    ("digit", DIGITS),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("word", WORDS),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

/// Parses classes. It looks up each name of `\p` once per expression, since an
/// expression may contain `\pL` thousands of times.
#[derive(Default)]
pub(super) struct Classes {
    named: HashMap<(String, bool), Option<Arc<Ranges>>>,
}

/// A parsed class, and the rest of the text.
type Parsed<'t> = (Arc<Ranges>, &'t str);

impl Classes {
    /// Parses the bracketed class at the start of `text`.
    pub(super) fn bracket<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Parsed<'t>, PatternError> {
        let mut rest = &text[1..];
        let is_negated = rest.starts_with('^');
        if is_negated {
            rest = &rest[1..];
        }
        let mut ranges = Ranges::default();
        // A repeated name adds nothing new and may be large, so it is skipped.
        let mut added = HashSet::new();
        let mut is_first = true;
        while is_first || !rest.starts_with(']') {
            is_first = false;
            if let Some((class, after)) = self.named_part(rest, flags)? {
                let (class, after): Parsed<'t> = (class, after);
                if added.insert(until(rest, after)) {
                    ranges.extend(&class);
                }
                rest = after;
                continue;
            }
            let start = rest;
            let (low, after) = character(rest, text)?;
            rest = after;
            let mut high = low;
            // A dash before the closing bracket is a literal.
            if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
                (high, rest) = character(&rest[1..], text)?;
                if high < low {
                    return Err(PatternError::new(Kind::InvalidCharRange, until(start, rest)));
                }
            }
            ranges.push(low, high);
        }
        ranges.tidy_up();
        if flags.ignores_case {
            // Folding does not change the named parts, negated ones included: they are already folded.
            ranges = unicode::folded(&ranges);
        }
        let ranges = if is_negated { ranges.negated() } else { ranges };
        Ok((Arc::new(ranges), &rest[1..]))
    }

    /// Parses a named part of a bracketed class, if `text` starts with one.
    fn named_part<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Option<Parsed<'t>>, PatternError> {
        if let Some(inner) = text.strip_prefix("[:")
            && let Some(end) = inner.find(":]")
        {
            let (name, rest) = (&inner[..end], &inner[end + 2..]);
            let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
            let Some((_, ranges)) = POSIX.iter().find(|(known, _)| *known == name) else {
                return Err(PatternError::new(Kind::InvalidCharRange, until(text, rest)));
            };
            return Ok(Some((Arc::new(class_of(ranges, is_negated, flags)), rest)));
        }
        self.escape(text, flags)
    }

    /// Parses an escape that denotes a class, if `text` starts with one.
    pub(super) fn escape<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Option<Parsed<'t>>, PatternError> {
        let Some(escape) = text.strip_prefix('\\').and_then(|rest| rest.chars().next()) else {
            return Ok(None);
        };
        let (ranges, is_negated) = match escape {
            'd' => (DIGITS, false),
            'D' => (DIGITS, true),
            's' => (SPACES, false),
            'S' => (SPACES, true),
            'w' => (WORDS, false),
            'W' => (WORDS, true),
            'p' | 'P' => return self.unicode(text, escape == 'P', flags),
            _ => return Ok(None),
        };
        Ok(Some((Arc::new(class_of(ranges, is_negated, flags)), &text[2..])))
    }

    fn unicode<'t>(
        &mut self,
        text: &'t str,
        is_negated: bool,
        flags: Flags,
    ) -> Result<Option<Parsed<'t>>, PatternError> {
        let (name, rest) = match text[2..].chars().next() {
            Some('{') => {
                let Some(end) = text.find('}') else {
                    return Err(PatternError::new(Kind::InvalidCharRange, text));
                };
                (&text[3..end], &text[end + 1..])
            }
            first => text[2..].split_at(first.map_or(0, char::len_utf8)),
        };
        let (name, is_negated) = name.strip_prefix('^').map_or((name, is_negated), |name| (name, !is_negated));
        let key = (format!("{is_negated}{name}"), flags.ignores_case);
        let found = self.named.entry(key).or_insert_with(|| {
            let mut ranges = unicode::table(name)?;
            if flags.ignores_case {
                ranges = unicode::folded(&ranges);
            }
            Some(Arc::new(if is_negated { ranges.negated() } else { ranges }))
        });
        match found {
            Some(ranges) => Ok(Some((Arc::clone(ranges), rest))),
            None => Err(PatternError::new(Kind::InvalidCharRange, until(text, rest))),
        }
    }
}

fn class_of(ranges: &[(char, char)], is_negated: bool, flags: Flags) -> Ranges {
    let mut ranges = Ranges::of(ranges.iter().map(|&(low, high)| (u32::from(low), u32::from(high))));
    if flags.ignores_case {
        ranges = unicode::folded(&ranges);
    }
    if is_negated { ranges.negated() } else { ranges }
}

/// Parses one character of the class that starts at `class`.
fn character<'t>(text: &'t str, class: &str) -> Result<(u32, &'t str), PatternError> {
    match text.chars().next() {
        None => Err(PatternError::new(Kind::MissingBracket, class)),
        Some('\\') => escapes::character(text),
        Some(character) => Ok((u32::from(character), &text[character.len_utf8()..])),
    }
}
