//! The words of the language.

use std::fmt;

/// What a token is, in the order in which upstream lists them in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    End,
    Equals,
    NotEquals,
    In,
    Less,
    LessEquals,
    GreaterEquals,
    Greater,
    And,
    Or,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    LeftParenthesis,
    RightParenthesis,
    Dot,
    Comma,
    Minus,
    Not,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
    True,
    False,
    Null,
    Float,
    Int,
    Uint,
    String,
    Bytes,
    Name,
    EscapedName,
}

/// How messages name each kind, in the order of the kinds.
const NAMES: [&str; 36] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Where it begins, in code points.
    pub(super) offset: u32,
    /// Where it begins, in bytes.
    pub(super) start: u32,
    /// Where it ends, in bytes.
    pub(super) end: u32,
}

/// Some kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u64);

impl Kinds {
    pub(super) const fn of(kinds: &[Kind]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < kinds.len() {
            bits |= 1 << kinds[index] as u64;
            index += 1;
        }
        Self(bits)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }

    /// What an operand without `!` begins with.
    pub(super) const PRIMARY: Self = Self::of(&[
        Kind::LeftBracket,
        Kind::LeftBrace,
        Kind::LeftParenthesis,
        Kind::Dot,
        Kind::Minus,
        Kind::True,
        Kind::False,
        Kind::Null,
        Kind::Float,
        Kind::Int,
        Kind::Uint,
        Kind::String,
        Kind::Bytes,
        Kind::Name,
    ]);
    /// What an expression begins with.
    pub(super) const START: Self = Self::PRIMARY.and(Self::of(&[Kind::Not]));
    /// What an element of a list or a key of a map begins with.
    pub(super) const ELEMENT: Self = Self::START.and(Self::of(&[Kind::Question]));
    /// The name of a field.
    pub(super) const FIELD: Self = Self::of(&[Kind::Name, Kind::EscapedName]);
    /// What the field of a struct begins with.
    pub(super) const INITIALIZER: Self = Self::FIELD.and(Self::of(&[Kind::Question]));
    /// Operators between operands.
    pub(super) const OPERATORS: Self = Self::of(&[
        Kind::Equals,
        Kind::NotEquals,
        Kind::In,
        Kind::Less,
        Kind::LessEquals,
        Kind::GreaterEquals,
        Kind::Greater,
        Kind::And,
        Kind::Or,
        Kind::Minus,
        Kind::Plus,
        Kind::Star,
        Kind::Slash,
        Kind::Percent,
    ]);
    /// What goes on with an operand.
    pub(super) const SUFFIX: Self = Self::of(&[Kind::Dot, Kind::LeftBracket]);
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            NAMES.iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0).map(|(_, name)| *name).collect();
        match names.as_slice() {
            [one] => f.write_str(one),
            many => write!(f, "{{{}}}", many.join(", ")),
        }
    }
}
