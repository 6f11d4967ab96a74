//! What differs between releases.

/// What a parser accepts beyond what all releases accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Fields may be written in backticks: since 1.37.
    pub escaped_fields: bool,
    /// `sortBy` is a macro: since the list library is there.
    pub sort_by: bool,
}
