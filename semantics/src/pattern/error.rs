//! Why a pattern is refused.

use std::fmt;

/// Why an expression does not compile: the codes of Go's `regexp/syntax`, as far as a valid UTF-8 text can have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternErrorKind {
    /// A range of a class runs backwards, or a named class does not exist.
    InvalidCharRange,
    /// An escape sequence that means nothing (back references, `\C`, `\Z`).
    InvalidEscape,
    /// A group name that is empty, not closed, or not of letters, digits and `_`.
    InvalidNamedCapture,
    /// Flags that do not exist; look-around.
    InvalidPerlOperator,
    /// A repetition right behind a repetition (`a**`).
    InvalidRepeatOperator,
    /// A count above 1000, `max` below `min`, or nested counts whose product is above 1000.
    InvalidRepeatSize,
    /// A class that is not closed.
    MissingBracket,
    /// A group that is not closed.
    MissingParenthesis,
    /// A repetition of nothing.
    MissingRepeatArgument,
    /// A backslash at the end.
    TrailingBackslash,
    /// A `)` that closes nothing.
    UnexpectedParenthesis,
    /// More than 1000 levels.
    NestingDepth,
    /// More than 3.3 million instructions, or 33 million characters in classes.
    TooLarge,
}

impl fmt::Display for PatternErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidCharRange => "invalid character class range",
            Self::InvalidEscape => "invalid escape sequence",
            Self::InvalidNamedCapture => "invalid named capture",
            Self::InvalidPerlOperator => "invalid or unsupported Perl syntax",
            Self::InvalidRepeatOperator => "invalid nested repetition operator",
            Self::InvalidRepeatSize => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParenthesis => "missing closing )",
            Self::MissingRepeatArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParenthesis => "unexpected )",
            Self::NestingDepth => "expression nests too deeply",
            Self::TooLarge => "expression too large",
        })
    }
}

/// An expression that does not compile (CRDVAL-034).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// Why.
    pub kind: PatternErrorKind,
    /// The part of the expression that is wrong; the whole of it where no part alone is.
    pub part: String,
}

impl PatternError {
    pub(super) fn new(kind: PatternErrorKind, part: impl Into<String>) -> Self {
        Self { kind, part: part.into() }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.kind, self.part)
    }
}

impl std::error::Error for PatternError {}
