//! Reasons why a pattern does not compile.

use std::fmt;

/// Why an expression does not compile: the error codes of Go's `regexp/syntax` that valid UTF-8 can cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternErrorKind {
    /// The ends of a character range are in the wrong order, or a named class does not exist.
    InvalidCharRange,
    /// An unknown escape sequence, such as a back reference, `\C` or `\Z`.
    InvalidEscape,
    /// A group name that is empty, not closed, or has characters other than ASCII letters, digits and `_`.
    InvalidNamedCapture,
    /// An unknown flag, or look-around.
    InvalidPerlOperator,
    /// A repetition of a repetition (`a**`).
    InvalidRepeatOperator,
    /// A count above 1000, a maximum below the minimum, or nested counts whose product is above 1000.
    InvalidRepeatSize,
    /// A character class that is not closed.
    MissingBracket,
    /// A group that is not closed.
    MissingParenthesis,
    /// A repetition operator without an operand.
    MissingRepeatArgument,
    /// A backslash at the end.
    TrailingBackslash,
    /// A `)` without a `(`.
    UnexpectedParenthesis,
    /// More than 1000 levels of nesting.
    NestingDepth,
    /// More than 3.3 million instructions, or more than 33 million ends of character ranges.
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
    /// The reason.
    pub kind: PatternErrorKind,
    /// The invalid part of the expression, or the whole expression if no single part is invalid.
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

/// The part of `text` before its suffix `rest`.
pub(super) fn until<'t>(text: &'t str, rest: &str) -> &'t str {
    &text[..text.len() - rest.len()]
}
