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
pub(crate) fn text(c: &mut Choices, min: usize, max: usize) -> String {
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
pub(crate) fn word(c: &mut Choices) -> String {
    (*c.pick(&["red", "green", "blue", "teal", "black-1", "white.2"])).to_owned()
}
