//! What differs between releases: the only table of it. Everything else asks [`Release::has`].

use crdible_text::Format;

use super::Release;

/// A behaviour that not every known release has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Unknown formats in definitions give a warning.
    FormatWarnings,
    /// A PUT of a name that does not exist is 404 whatever `uid` its body has. Before, a `uid` made it a conflict.
    AbsentWhateverUid,
    /// `k8s-short-name` and `k8s-long-name` are enforced formats.
    NameFormats,
    /// Numbers have a range, by the node's type and format. A number outside it has a cause of its own.
    NumberRanges,
    /// A format gives a warning by the node's type. Before, only formats of strings did.
    FormatWarningsByType,
    /// Causes about owner references name the reference's index, and a missing part is `Required`.
    IndexedOwners,
    /// Set lists of objects or arrays give a warning.
    SetWarnings,
    /// Root metadata may have neither an example nor external documentation.
    UndocumentedRootMetadata,
}

/// The changes: the first release that has each, and the requirement or edge that says so.
const CHANGES: [(Change, u16, &str); 8] = [
    (Change::FormatWarnings, 34, "CRDVAL-057"),
    (Change::AbsentWhateverUid, 34, "CRDVAL-022/e2"),
    (Change::NameFormats, 35, "VALUE-014/e1"),
    (Change::NumberRanges, 36, "VALUE-008"),
    (Change::FormatWarningsByType, 36, "CRDVAL-057/e2"),
    (Change::UndocumentedRootMetadata, 36, "STRUCT-019/e3"),
    (Change::SetWarnings, 37, "CRDVAL-057/e3"),
    (Change::IndexedOwners, 37, "VALUE-041/e2"),
];

/// All changes: the minor of the first release that has each, and the requirement or edge of the specification that says so.
pub fn changes() -> impl Iterator<Item = (Change, u16, &'static str)> {
    CHANGES.into_iter()
}

impl Release {
    /// Whether this release has the behaviour.
    pub fn has(self, change: Change) -> bool {
        CHANGES.iter().any(|(listed, first, _)| *listed == change && self.minor() >= *first)
    }

    /// Whether this release enforces a format of strings (VALUE-014).
    pub fn enforces(self, format: Format) -> bool {
        !matches!(format, Format::ShortName | Format::LongName) || self.has(Change::NameFormats)
    }
}
