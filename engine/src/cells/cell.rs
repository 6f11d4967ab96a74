//! A cell: a keyword at a position, with a value of a class.

use std::fmt;

use super::{class::Class, keywords::Keyword};

/// A combination that a run must send at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The keyword.
    pub keyword: Keyword,
    /// Where the keyword is.
    pub position: Position,
    /// The class of the value there.
    pub class: Class,
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { keyword, position, class } = self;
        write!(formatter, "{} · {position:?} · {class:?}", keyword.name())
    }
}

/// Where a keyword is. A structural node is at one of the first five, and possibly at one or both of the last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
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
    pub const ALL: [Self; 11] = [
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
    pub fn is_branch(self) -> bool {
        matches!(self, Self::AllOf | Self::AnyOf | Self::OneOf | Self::Not)
    }
}
