//! Releases of Kubernetes, and what differs between them.

use crate::syntax::ParseOptions;

/// The release of Kubernetes whose rules are meant: that of the server, and the one that must understand the rule.
///
/// A server accepts in a new rule only what the release before it understands, so that it can be rolled back. It knows
/// more in rules that are stored already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    server: u32,
    compatibility: u32,
}

impl Release {
    /// Rules that are new in a server of this minor release of Kubernetes 1.
    ///
    /// Of a release before 1.33, this crate answers as 1.33 does.
    pub const fn new_rules(server: u32) -> Self {
        Self { server, compatibility: server.saturating_sub(1) }
    }

    /// Rules that are stored in a server of this minor release already.
    pub const fn stored_rules(server: u32) -> Self {
        Self { server, compatibility: server }
    }

    /// Rules that must be understood by another minor release than the one before that of the server.
    #[must_use]
    pub const fn compatible_with(self, minor: u32) -> Self {
        Self { compatibility: minor, ..self }
    }

    /// What the parser accepts.
    pub const fn syntax(self) -> ParseOptions {
        ParseOptions { escaped_fields: self.has(Change::EscapedFields), sort_by: self.understands(34) }
    }

    /// Whether rules may use what is there since this minor release.
    pub(crate) const fn understands(self, minor: u32) -> bool {
        self.compatibility >= minor
    }

    /// Whether the server is of this minor release or a later one.
    pub(crate) const fn is_at_least(self, minor: u32) -> bool {
        self.server >= minor
    }

    /// Whether the server has a change.
    pub(crate) const fn has(self, change: Change) -> bool {
        self.server >= change.since()
    }
}

/// What a server does in another way since some release, whatever rules may use. Each was tried on upstream's code
/// (`upstream/rules`) of both releases, with all expressions of this crate's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Fields in backticks (cel-go 0.29).
    EscapedFields,
    /// `matches(text, expression)` costs what the method costs; before, it cost 1 whatever its size (cel-go 0.29).
    MatchesByText,
    /// `startsWith` and `endsWith` spend by the part that is looked for; before, by the whole text (cel-go 0.29).
    SpentByPart,
    /// A variable that is an optional value, or a branch that is one, keeps it; before, its innermost value was made again
    /// of what Go has of it (cel-go 0.29).
    OptionalsKeepValues,
    /// `a{…}` where `a` is a variable does not know `a`; before, it knew that it is no type (cel-go 0.29).
    MessagesAreTypes,
    /// `a.or(b)` and `a.orValue(b)` fail if `a` is not optional; before, they were `a` (cel-go 0.29).
    OptionalsOnly,
    /// A negative depth costs in `flatten` what a depth of 1 does; before, the cost wrapped around (cel-go 0.29).
    DepthIsPositive,
}

impl Change {
    const fn since(self) -> u32 {
        match self {
            Self::EscapedFields
            | Self::MatchesByText
            | Self::SpentByPart
            | Self::OptionalsKeepValues
            | Self::MessagesAreTypes
            | Self::OptionalsOnly
            | Self::DepthIsPositive => 37,
        }
    }
}
