//! Texts, simple ones first.

use crate::choice::Choices;

/// Characters of one to four bytes, simple first: lengths count code points, not bytes (VALUE-011).
const CHARACTERS: [char; 24] = [
    'a', 'b', 'c', 'x', 'Z', '0', '9', '-', '_', '.', ' ', '/', '~', '"', '\\', '\n', '{', '<', 'é', 'ß', '\u{301}',
    '漢', '\u{2028}', '😀',
];

/// Texts that careless programs take for something else.
const CATCHES: [&str; 10] = ["", "null", "true", "1", "1.0", "0x10", "{}", "2020-01-01", "~", "metadata"];

/// A text of `min..=max` code points.
pub fn text(c: &mut Choices, min: usize, max: usize) -> String {
    if c.flag(min == 0 && max >= 12, 1, 8) {
        return (*c.pick(&CATCHES)).to_owned();
    }
    // Three characters in the mean: enough for a mixture, short enough to read.
    let mut text = String::new();
    c.many_average("character", min, max, 3, |c, _| text.push(character(c)));
    text
}

fn character(c: &mut Choices) -> char {
    // Half of the characters are plain letters, so that texts stay readable.
    if c.chance(1, 2) { *c.pick(&CHARACTERS) } else { CHARACTERS[0] }
}

/// A text of letters and digits that is legal wherever a name is asked for.
pub fn word(c: &mut Choices) -> String {
    (*c.pick(&["red", "green", "blue", "teal", "black-1", "white.2"])).to_owned()
}

/// Characters of one, two, three and four bytes in UTF-8; one of each length is a mark that combines with what stands before it, as
/// far as there are any.
const BY_LENGTH: [[char; 3]; 4] =
    [['a', '0', ' '], ['é', 'ж', '\u{301}'], ['漢', '€', '\u{20d7}'], ['😀', '𝒳', '\u{1e2ec}']];

/// A text of exactly `count` code points, each of any length in UTF-8 and UTF-16: it tells who counts code points from who counts
/// bytes, UTF-16 units or what a reader sees (VALUE-011).
pub fn of_code_points(c: &mut Choices, count: usize) -> String {
    (0..count)
        .map(|_| {
            let characters = *c.pick(&BY_LENGTH);
            *c.pick(&characters)
        })
        .collect()
}
