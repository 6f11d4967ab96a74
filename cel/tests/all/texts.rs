//! Expressions: those of the files beside the tests, and random ones that are the same in each run.

use crate::compared::requests;

/// The files, by name.
pub(crate) const FILES: [(&str, &str); 4] = [
    ("syntax", include_str!("../data/syntax.txt")),
    ("values", include_str!("../data/values.txt")),
    ("operators", include_str!("../data/operators.txt")),
    ("limits", include_str!("../data/limits.txt")),
];

/// The texts of all files but those about limits.
pub(crate) fn own() -> Vec<String> {
    let files = FILES.iter().filter(|(name, _)| *name != "limits");
    let requests = files.flat_map(|(_, file)| requests(file, "expression"));
    requests.map(|request| request["text"].as_str().expect("a text").to_owned()).collect()
}

/// Numbers that look random, and are the same in each run.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(0x2545_f491_4f6c_dd1d ^ seed)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("it is small")
    }

    pub(crate) fn among<'a>(&mut self, all: &'a [String]) -> &'a str {
        &all[self.below(all.len())]
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A text with a piece of another one in place of a piece of its own.
    pub(crate) fn spliced(&mut self, one: &str, other: &str) -> String {
        let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        let (before, behind) = self.piece(one.len());
        let (start, end) = self.piece(other.len());
        [&one[..before], &other[start..end], &one[behind..]].concat().into_iter().collect()
    }

    fn piece(&mut self, length: usize) -> (usize, usize) {
        let (first, second) = (self.below(length + 1), self.below(length + 1));
        (first.min(second), first.max(second))
    }
}

/// The words that random texts are made of.
const WORDS: [&str; 64] = [
    "a",
    "b",
    "c.d",
    "all",
    "has",
    "in",
    "true",
    "null",
    "for",
    "1",
    "-1",
    "2u",
    "1.5",
    "0x1f",
    "'a'",
    "\"b\"",
    "b'c'",
    "r'\\d'",
    "'''e'''",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ".",
    ".?",
    ",",
    ",",
    "?",
    ":",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "&&",
    "||",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "in",
    "[?",
    "{?",
    ".map(x,",
    ".all(x,",
    ".all(x, y,",
    ".filter(x,",
    "has(a.b)",
    ".sortBy(x,",
    ".optMap(x,",
    "`q`",
    "//",
    "\n",
    "#",
    "&",
    "\\",
    "'",
    "ä",
    "x",
    "t{",
];

/// A sequence of words.
pub(crate) fn soup(draws: &mut Draws) -> String {
    let between = ["", " "][draws.below(2)];
    let words: Vec<&str> = (0..=draws.below(14)).map(|_| WORDS[draws.below(WORDS.len())]).collect();
    words.join(between)
}
