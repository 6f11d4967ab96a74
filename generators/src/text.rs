//! Strings, simple ones first.

use crate::choice::Choices;

/// Characters of one to four bytes, simple first: lengths count code points, not bytes (VALUE-011).
const CHARACTERS: [char; 24] = [
    'a', 'b', 'c', 'x', 'Z', '0', '9', '-', '_', '.', ' ', '/', '~', '"', '\\', '\n', '{', '<', 'é', 'ß', '\u{301}',
    '漢', '\u{2028}', '😀',
];

/// Strings that careless programs confuse with something else.
const CATCHES: [&str; 10] = ["", "null", "true", "1", "1.0", "0x10", "{}", "2020-01-01", "~", "metadata"];

/// Draws a string of `min..=max` code points.
pub fn text(c: &mut Choices, min: usize, max: usize) -> String {
    if c.flag(min == 0 && max >= 12, 1, 8) {
        return (*c.pick(&CATCHES)).to_owned();
    }
    // Three characters on average: enough for a mixture, short enough to read.
    let mut text = String::new();
    c.many_average("character", min, max, 3, |c, _| text.push(character(c)));
    text
}

fn character(c: &mut Choices) -> char {
    // Half of the characters are the simplest letter, so that strings stay readable.
    if c.chance(1, 2) { *c.pick(&CHARACTERS) } else { CHARACTERS[0] }
}

/// Draws a word that is valid wherever a name is required.
pub fn word(c: &mut Choices) -> String {
    (*c.pick(&["red", "green", "blue", "teal", "black-1", "white.2"])).to_owned()
}

/// Characters of one, two, three and four bytes in UTF-8. The third of each length is a combining mark, except for one
/// byte, where none exists.
const BY_LENGTH: [[char; 3]; 4] =
    [['a', '0', ' '], ['é', 'ж', '\u{301}'], ['漢', '€', '\u{20d7}'], ['😀', '𝒳', '\u{1e2ec}']];

/// Draws a string of exactly `count` code points of mixed lengths in UTF-8 and UTF-16: implementations that count
/// bytes, UTF-16 units or graphemes get a different length (VALUE-011).
pub fn of_code_points(c: &mut Choices, count: usize) -> String {
    (0..count)
        .map(|_| {
            let characters = *c.pick(&BY_LENGTH);
            *c.pick(&characters)
        })
        .collect()
}

/// Characters to insert: some of each class that patterns use, and some that are easily confused with one of these.
const STRANGERS: [char; 16] =
    ['!', 'a', 'A', '0', '-', '.', '_', ' ', '\n', 'é', '٣', '\u{212A}', '\u{a0}', '\u{b}', '😀', '\u{2028}'];

/// Draws a change of a string: one character added, removed or replaced, or the string emptied or doubled.
pub(crate) fn changed(c: &mut Choices, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let last = characters.len().saturating_sub(1);
    match c.weighted(&[2, 2, 3, 3, 2, 1, 1, 1]) {
        // The empty string is the simplest.
        0 => characters.clear(),
        1 => characters.push(*c.pick(&STRANGERS)),
        2 => {
            let at = c.up_to(last);
            if let Some(character) = characters.get_mut(at) {
                *character = *c.pick(&STRANGERS);
            }
        }
        3 => {
            let at = c.up_to(last);
            if at < characters.len() {
                characters.remove(at);
            }
        }
        4 => {
            let at = c.up_to(last);
            characters.insert(at, *c.pick(&STRANGERS));
        }
        // The neighbouring code point: just outside a range, if the character is at its end.
        5 => {
            let at = c.up_to(last);
            if let Some(character) = characters.get_mut(at) {
                *character = neighbour(*character, c.chance(1, 2));
            }
        }
        6 => {
            let at = c.up_to(last);
            if let Some(character) = characters.get_mut(at) {
                *character = other_case(*character);
            }
        }
        _ => characters.extend_from_within(..),
    }
    characters.into_iter().collect()
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
