//! Classes: brackets, `\d` and its like, `\p{…}`.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    error::{PatternError, PatternErrorKind as Kind},
    escapes,
    parser::{Flags, until},
    ranges::Ranges,
    unicode,
};

const DIGITS: &[(char, char)] = &[('0', '9')];
const SPACES: &[(char, char)] = &[('\t', '\n'), ('\x0C', '\r'), (' ', ' ')];
const WORDS: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// Named classes of POSIX, as they stand within brackets.
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

/// The names that `\p` knows are looked up once for each expression: an expression may say `\pL` thousands of times.
#[derive(Default)]
pub(super) struct Classes {
    named: HashMap<(String, bool), Option<Arc<Ranges>>>,
}

/// A class that was read, and the text behind it.
type Read<'t> = (Arc<Ranges>, &'t str);

impl Classes {
    /// Reads the class in brackets at the beginning of `text`.
    pub(super) fn bracket<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Read<'t>, PatternError> {
        let mut rest = &text[1..];
        let is_negated = rest.starts_with('^');
        if is_negated {
            rest = &rest[1..];
        }
        let mut ranges = Ranges::default();
        // What was added already: the same name again adds nothing and may be large.
        let mut added = HashSet::new();
        let mut is_first = true;
        while is_first || !rest.starts_with(']') {
            is_first = false;
            if let Some((class, behind)) = self.part(rest, flags)? {
                let (class, behind): Read<'t> = (class, behind);
                if added.insert(until(rest, behind)) {
                    ranges.extend(&class);
                }
                rest = behind;
                continue;
            }
            let start = rest;
            let (low, behind) = one(rest, text)?;
            rest = behind;
            let mut high = low;
            // A dash before the closing bracket is itself.
            if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
                (high, rest) = one(&rest[1..], text)?;
                if high < low {
                    return Err(PatternError::new(Kind::InvalidCharRange, until(start, rest)));
                }
            }
            ranges.push(low, high);
        }
        ranges.tidy_up();
        if flags.ignores_case {
            // The named parts are whole in this respect already, also the negated ones.
            ranges = unicode::folded(&ranges);
        }
        let ranges = if is_negated { ranges.negated() } else { ranges };
        Ok((Arc::new(ranges), &rest[1..]))
    }

    /// Reads a named part of a class in brackets, if there is one.
    fn part<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Option<Read<'t>>, PatternError> {
        if let Some(inner) = text.strip_prefix("[:")
            && let Some(end) = inner.find(":]")
        {
            let (name, rest) = (&inner[..end], &inner[end + 2..]);
            let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
            let Some((_, ranges)) = POSIX.iter().find(|(known, _)| *known == name) else {
                return Err(PatternError::new(Kind::InvalidCharRange, until(text, rest)));
            };
            return Ok(Some((Arc::new(group(ranges, is_negated, flags)), rest)));
        }
        self.escape(text, flags)
    }

    /// Reads an escape that stands for a class, if there is one.
    pub(super) fn escape<'t>(&mut self, text: &'t str, flags: Flags) -> Result<Option<Read<'t>>, PatternError> {
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
        Ok(Some((Arc::new(group(ranges, is_negated, flags)), &text[2..])))
    }

    fn unicode<'t>(&mut self, text: &'t str, is_negated: bool, flags: Flags) -> Result<Option<Read<'t>>, PatternError> {
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

fn group(ranges: &[(char, char)], is_negated: bool, flags: Flags) -> Ranges {
    let mut ranges = Ranges::of(ranges.iter().map(|&(low, high)| (u32::from(low), u32::from(high))));
    if flags.ignores_case {
        ranges = unicode::folded(&ranges);
    }
    if is_negated { ranges.negated() } else { ranges }
}

/// Reads one character of a class that starts at `class`.
fn one<'t>(text: &'t str, class: &str) -> Result<(u32, &'t str), PatternError> {
    match text.chars().next() {
        None => Err(PatternError::new(Kind::MissingBracket, class)),
        Some('\\') => escapes::character(text),
        Some(character) => Ok((u32::from(character), &text[character.len_utf8()..])),
    }
}
