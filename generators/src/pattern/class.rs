//! Characters of a class.

use crdible_semantics::pattern::hir::Class;

use crate::choice::Choices;

/// How far from the beginning of a range a character is drawn at most: what lies deeper in is no different.
const DEPTH: u64 = 40;

/// A character of a class: a plain one, an end of a range, or any near the beginning of one. `None` for the empty class.
pub(super) fn character(c: &mut Choices, class: &Class) -> Option<char> {
    let ranges = ranges(class);
    let last = ranges.len().checked_sub(1)? as u64;
    match c.weighted(&[4, 2, 2]) {
        0 => Some(plainest(&ranges)),
        1 => {
            let (low, high) = ranges[usize::try_from(c.draw(last)).unwrap_or(0)];
            Some(if c.chance(1, 2) { high } else { low })
        }
        _ => {
            let (low, high) = ranges[usize::try_from(c.draw(last)).unwrap_or(0)];
            let step = c.draw(u64::from(u32::from(high) - u32::from(low)).min(DEPTH));
            // A range may have surrogates inside, which are no characters.
            let character = u32::try_from(step).ok().and_then(|step| char::from_u32(u32::from(low) + step));
            Some(character.unwrap_or(low))
        }
    }
}

/// A letter, else a digit, else what can be printed, else the first.
fn plainest(ranges: &[(char, char)]) -> char {
    let plain = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(' '..='~');
    let has = |character: &char| ranges.iter().any(|(low, high)| (low..=high).contains(&character));
    plain.into_iter().find(has).unwrap_or(ranges[0].0)
}

fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
    }
}
