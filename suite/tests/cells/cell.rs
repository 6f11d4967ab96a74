//! A cell: a keyword at a position beside a value of a class.

use std::fmt;

use super::keywords::Keyword;

/// One of the things that a run must have sent at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell {
    /// The keyword.
    pub(crate) keyword: Keyword,
    /// Where the keyword stands.
    pub(crate) position: Position,
    /// What the value there is for the keyword.
    pub(crate) class: Class,
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { keyword, position, class } = self;
        write!(formatter, "{} · {position:?} · {class:?}", keyword.name())
    }
}

/// Where a keyword stands. A structural node is at one of the first five, and besides at one of the last two or at both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Position {
    /// At the root itself.
    Root,
    /// At a property of the root.
    Top,
    /// At a property of another object.
    Nested,
    /// At `items`.
    Items,
    /// At the schema of `additionalProperties`.
    Values,
    /// In a branch of `allOf`, with no other quantifier between.
    AllOf,
    /// In a branch of `anyOf`, with no other quantifier between.
    AnyOf,
    /// In a branch of `oneOf`, with no other quantifier between.
    OneOf,
    /// In the branch of `not`, with no other quantifier between.
    Not,
    /// At any structural node below an embedded resource.
    Embedded,
    /// At any structural node below one that preserves unknown fields.
    Preserved,
}

impl Position {
    /// All of them.
    pub(crate) const ALL: [Self; 11] = [
        Self::Root,
        Self::Top,
        Self::Nested,
        Self::Items,
        Self::Values,
        Self::AllOf,
        Self::AnyOf,
        Self::OneOf,
        Self::Not,
        Self::Embedded,
        Self::Preserved,
    ];

    /// Whether it is within a quantifier.
    pub(crate) fn is_branch(self) -> bool {
        matches!(self, Self::AllOf | Self::AnyOf | Self::OneOf | Self::Not)
    }
}

/// What a value is for a keyword. A value may be of several classes: a text on the bound may have characters of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// There is none, though the object that could hold it is there.
    Absent,
    /// `null`.
    Null,
    /// Of a kind that the type forbids, or that the keyword does not judge.
    OtherKind,
    /// Any value, for keywords that judge none.
    Given,
    /// A text, list or object with nothing in it.
    Empty,

    /// A text with a character of one byte in UTF-8.
    OneByte,
    /// … of two bytes.
    TwoBytes,
    /// … of three bytes.
    ThreeBytes,
    /// … of four bytes.
    FourBytes,

    /// `true`.
    True,
    /// `false`.
    False,

    /// `0`.
    Zero,
    /// An integer above zero, in plain digits.
    Positive,
    /// An integer below zero, in plain digits.
    Negative,
    /// At most two beside ±2^31.
    Near31,
    /// At most two beside ±2^53.
    Near53,
    /// At most two beside ±2^63, and within int64.
    Near63,
    /// An integer literal beyond int64, or a float that large.
    Huge,
    /// An integral value with a fraction: `5.0`.
    IntegralFloat,
    /// An integral value with an exponent: `50e-1`.
    Exponent,
    /// `-0`, `-0.0`.
    NegativeZero,
    /// A value that is not integral.
    Fraction,

    /// Exactly the bound.
    OnBound,
    /// One further in than the bound.
    OneInside,
    /// One further out than the bound.
    OneOutside,
    /// Further in.
    Inside,
    /// Further out.
    Outside,
    /// Beside a bound that is at most two beside ±2^31.
    Bound31,
    /// Beside a bound that is at most three beside ±2^53.
    Bound53,
    /// On the bound by code points, and not by bytes.
    ManyBytes,
    /// No bound stands beside the flag.
    NoBound,

    /// A multiple, above zero.
    Multiple,
    /// A multiple, below zero.
    NegativeMultiple,
    /// One beside a multiple.
    BesideMultiple,

    /// It satisfies the keyword.
    Satisfying,
    /// It does not.
    Violating,
    /// It does not, and a text that differs in one character does.
    JustViolating,

    /// A listed text.
    ListedText,
    /// A listed number.
    ListedNumber,
    /// A listed boolean.
    ListedBoolean,
    /// A listed object.
    ListedObject,
    /// A listed list.
    ListedList,
    /// Not listed.
    Unlisted,

    /// Equal to the default.
    Equal,
    /// Of the default's kind, and not equal to it.
    Different,

    /// Exactly one element or key.
    One,
    /// Several elements or keys.
    Several,
    /// Several elements, all different.
    Distinct,
    /// Two elements that are equal, or have the same keys.
    Duplicate,

    /// A key that is declared.
    Declared,
    /// A declared key is missing.
    Missing,
    /// Several required keys are missing.
    SeveralMissing,
    /// All required keys are there.
    AllThere,
    /// A required key with null.
    NullThere,
    /// A key that nobody declared.
    Unknown,

    /// Several branches hold.
    SeveralHold,

    /// `apiVersion`, `kind` and `metadata` are there.
    Complete,
    /// `apiVersion` and `kind` are there, and no `metadata`.
    Bare,
    /// `apiVersion` or `kind` is missing.
    Incomplete,

    /// A declared key, or any key where none is declared, that careless programs take for something else.
    Key(OddKey),
    /// Such a key that nobody declared.
    UnknownKey(OddKey),
}

/// Keys that careless programs take for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum OddKey {
    /// `metadata`.
    Metadata,
    /// `apiVersion` or `kind`.
    TypeMeta,
    /// `items`.
    Items,
    /// `$ref`.
    Reference,
    /// `__proto__`.
    Prototype,
    /// The empty key.
    Empty,
    /// With a dot.
    Dotted,
    /// With a slash.
    Slashed,
    /// With a tilde.
    Tilde,
    /// With a character beyond ASCII.
    Unicode,
}

impl OddKey {
    /// What a key is, if it is odd.
    pub(crate) fn of(key: &str) -> Option<Self> {
        match key {
            "metadata" => Some(Self::Metadata),
            "apiVersion" | "kind" => Some(Self::TypeMeta),
            "items" => Some(Self::Items),
            "$ref" => Some(Self::Reference),
            "__proto__" => Some(Self::Prototype),
            "" => Some(Self::Empty),
            key if key.contains('.') => Some(Self::Dotted),
            key if key.contains('/') => Some(Self::Slashed),
            key if key.contains('~') => Some(Self::Tilde),
            key if !key.is_ascii() => Some(Self::Unicode),
            _ => None,
        }
    }
}
