//! Characters of a character class.

use crdible_text::pattern::hir::Class;

use crate::choice::Choices;

/// At most this far from the start of a range a character is drawn; characters further inside make no difference.
const DEPTH: u64 = 40;

/// Draws a character of a class: a plain one, an end of a range, or one near the start of a range. `None` for the empty
/// class.
pub(super) fn character(c: &mut Choices, class: &Class) -> Option<char> {
    let ranges = ranges(class);
    if ranges.is_empty() {
        return None;
    }
    match c.weighted(&[4, 2, 2]) {
        0 => Some(plainest(&ranges)),
        1 => {
            let (low, high) = ranges[c.index(ranges.len())];
            Some(if c.chance(1, 2) { high } else { low })
        }
        _ => {
            let (low, high) = ranges[c.index(ranges.len())];
            let step = c.draw(u64::from(u32::from(high) - u32::from(low)).min(DEPTH));
            // A range may contain surrogates, which are not characters.
            let character = u32::try_from(step).ok().and_then(|step| char::from_u32(u32::from(low) + step));
            Some(character.unwrap_or(low))
        }
    }
}

/// Returns a letter if the class has one, otherwise a digit, a printable character, or the first character.
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
