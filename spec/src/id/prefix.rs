//! The first half of a requirement's ID, which identifies its chapter.

use std::fmt;
use std::str::FromStr;

use super::{IdError, serde_as_text};
use crate::lookup::edit_distance;

/// The prefix of a requirement's ID; ordered by chapter.
///
/// The set is closed, so that an ID is small and a misspelt prefix is reported where it is parsed. `README.md` of the
/// specification ("ID prefixes") lists the same prefixes; a test compares the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is explained by its chapter's title")]
pub enum Prefix {
    Crdval,
    Struct,
    Prune,
    Default,
    Value,
    Ratchet,
    Cel,
    Ver,
    Conv,
    Sub,
    Rest,
    Disc,
    Oapi,
    Table,
    Fsel,
    Life,
    Adm,
    Legacy,
    Inv,
}

/// One row per prefix: the prefix, its name, its chapter.
const ROWS: [(Prefix, &str, u8); 19] = [
    (Prefix::Crdval, "CRDVAL", 1),
    (Prefix::Struct, "STRUCT", 2),
    (Prefix::Prune, "PRUNE", 3),
    (Prefix::Default, "DEFAULT", 4),
    (Prefix::Value, "VALUE", 5),
    (Prefix::Ratchet, "RATCHET", 6),
    (Prefix::Cel, "CEL", 7),
    (Prefix::Ver, "VER", 8),
    (Prefix::Conv, "CONV", 9),
    (Prefix::Sub, "SUB", 10),
    (Prefix::Rest, "REST", 11),
    (Prefix::Disc, "DISC", 12),
    (Prefix::Oapi, "OAPI", 12),
    (Prefix::Table, "TABLE", 13),
    (Prefix::Fsel, "FSEL", 14),
    (Prefix::Life, "LIFE", 15),
    (Prefix::Adm, "ADM", 16),
    (Prefix::Legacy, "LEGACY", 17),
    (Prefix::Inv, "INV", 18),
];

impl Prefix {
    /// Every prefix, in the order of the chapters.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.0)
    }

    /// The name of the prefix: `PRUNE`.
    pub fn as_str(self) -> &'static str {
        ROWS[self as usize].1
    }

    /// The number of the chapter of its requirements, 1 to 18.
    pub fn chapter(self) -> u8 {
        ROWS[self as usize].2
    }

    /// The prefix that differs from `text` by one edit, if there is one.
    pub(crate) fn nearest(text: &str) -> Option<Self> {
        Self::all().find(|prefix| edit_distance(text, prefix.as_str()) == 1)
    }

    pub(crate) fn list() -> String {
        Self::all().map(Self::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Prefix {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::all()
            .find(|prefix| prefix.as_str() == text)
            .ok_or_else(|| IdError::UnknownPrefix { text: text.to_owned(), nearest: Self::nearest(text) })
    }
}

serde_as_text!(Prefix);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (index, (prefix, name, _)) in ROWS.iter().enumerate() {
            assert_eq!(*prefix as usize, index, "{name}");
        }
        assert!(ROWS.is_sorted_by_key(|row| row.2), "chapters ascend");
    }
}
