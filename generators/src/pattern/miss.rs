//! Texts that a pattern just misses.

use crdible_semantics::Pattern;

use super::matching::matching;
use crate::choice::Choices;

/// How many changes are tried.
const ATTEMPTS: usize = 16;

/// Characters that are put somewhere: of every class that patterns speak of, and what is taken for one of them by mistake.
const STRANGERS: [char; 16] =
    ['!', 'a', 'A', '0', '-', '.', '_', ' ', '\n', 'é', '٣', '\u{212A}', '\u{a0}', '\u{b}', '😀', '\u{2028}'];

/// A text that the pattern does not match, one change away from one that it matches. `None` where none was found: the pattern
/// matches whatever is changed, or nothing at all.
pub fn near_miss(c: &mut Choices, pattern: &Pattern) -> Option<String> {
    c.span("miss", |c| {
        let text = matching(c, pattern)?;
        // There is just one character that a dot misses, and few texts would have it in the right place.
        if pattern.as_str().contains('.') && c.chance(1, 3) {
            let changed = with_newline(c, &text);
            if !pattern.is_match(&changed) {
                return Some(changed);
            }
        }
        (0..ATTEMPTS).find_map(|_| Some(changed(c, &text)).filter(|changed| !pattern.is_match(changed)))
    })
}

/// The text with one character more, less or another, or with its ends cut or doubled.
pub(crate) fn changed(c: &mut Choices, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let last = characters.len().saturating_sub(1);
    let place = |c: &mut Choices, count: usize| usize::try_from(c.draw(count as u64)).unwrap_or(0).min(count);
    match c.weighted(&[2, 2, 3, 3, 2, 1, 1, 1]) {
        // Nothing is the simplest text that misses.
        0 => characters.clear(),
        1 => characters.push(*c.pick(&STRANGERS)),
        2 => {
            let at = place(c, last);
            if let Some(character) = characters.get_mut(at) {
                *character = *c.pick(&STRANGERS);
            }
        }
        3 => {
            let at = place(c, last);
            if at < characters.len() {
                characters.remove(at);
            }
        }
        4 => {
            let at = place(c, last);
            characters.insert(at, *c.pick(&STRANGERS));
        }
        // The next character: just behind the end of a range, if it was one.
        5 => {
            let at = place(c, last);
            if let Some(character) = characters.get_mut(at) {
                *character = neighbour(*character, c.chance(1, 2));
            }
        }
        6 => {
            let at = place(c, last);
            if let Some(character) = characters.get_mut(at) {
                *character = other_case(*character);
            }
        }
        _ => characters.extend_from_within(..),
    }
    characters.into_iter().collect()
}

/// The text with a newline in place of one of its characters.
fn with_newline(c: &mut Choices, text: &str) -> String {
    let at = c.draw(text.chars().count().saturating_sub(1) as u64);
    text.chars().zip(0..).map(|(character, number)| if number == at { '\n' } else { character }).collect()
}

fn neighbour(character: char, is_below: bool) -> char {
    let code = u32::from(character);
    let next = if is_below { code.checked_sub(1) } else { code.checked_add(1) };
    next.and_then(char::from_u32).unwrap_or(character)
}

fn other_case(character: char) -> char {
    let other =
        if character.is_lowercase() { character.to_uppercase().next() } else { character.to_lowercase().next() };
    other.unwrap_or(character)
}
