//! Checks references to requirements in running text: every ID referred to must exist.

use crate::catalogue::Catalogue;
use crate::id::{Prefix, RequirementId};

use super::fields::range;
use super::lines::numbered;
use super::problem::{Errors, Problem};

/// Checks every reference of a file.
pub(super) fn check(text: &str, catalogue: &Catalogue, errors: &mut Errors<'_>) {
    for (number, line) in numbered(text) {
        for (prefix, digits) in candidates(without_own_id(line)) {
            if let Some(problem) = problem(prefix, digits, catalogue) {
                errors.add(number, problem);
            }
        }
    }
}

/// An item line without its own ID, any other line unchanged: the ID is checked with the item.
fn without_own_id(line: &str) -> &str {
    match line.strip_prefix("**") {
        Some(item) => item.split_once(' ').map_or("", |(_, rest)| rest),
        None => line,
    }
}

/// The parts of a line that look like `<PREFIX>-<digits>[..<digits>]`, as prefix and rest.
fn candidates(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.match_indices('-').filter_map(move |(dash, _)| {
        let before = line[..dash].trim_end_matches(|character: char| character.is_ascii_uppercase());
        let prefix = &line[before.len()..dash];
        let rest = &line[dash + 1..];
        let mut length = digits_at(rest);
        // Letters or a dash before it, digits or letters after it: part of a longer word such as `X-DNS-1123b`.
        let part_of_a_word = before.ends_with(|character: char| character.is_alphanumeric() || character == '-')
            || rest[length..].starts_with(|character: char| character.is_alphanumeric());
        if prefix.is_empty() || length == 0 || part_of_a_word {
            return None;
        }
        if let Some(last) = rest[length..].strip_prefix("..") {
            let digits = digits_at(last);
            length += if digits > 0 { 2 + digits } else { 0 };
        }
        Some((prefix, &rest[..length]))
    })
}

fn digits_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn problem(prefix: &str, digits: &str, catalogue: &Catalogue) -> Option<Problem> {
    let text = format!("{prefix}-{digits}");
    if prefix.parse::<Prefix>().is_err() {
        // Other standards use such numbers too (SHA-256), so only a prefix close
        // to one of the specification counts as a typo.
        let nearest = Prefix::nearest(prefix).filter(|_| digits_at(digits) == 3)?;
        return Some(Problem::MisspeltReference { text, nearest });
    }
    let Some((prefix, first, last)) = range(&text) else {
        return Some(Problem::Reference(text));
    };
    // Numbers have no gaps, so a range exists if its ends do.
    [first, last]
        .into_iter()
        .filter_map(|number| RequirementId::new(prefix, number))
        .find(|id| catalogue.get(*id).is_none())
        .map(Problem::DanglingReference)
}
