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
    /// Watches can send initial events and mark their end. Before, `sendInitialEvents` was refused.
    InitialEvents,
    /// A create under a terminating definition is 403. Before, it was 405.
    ForbiddenWhileTerminating,
    /// Aggregated discovery leaves out the creation time of a group. Before, it was null.
    NoNullCreationTime,
    /// The published model of `/scale` has a default.
    ScaleDefault,
    /// To rules, an object with a property that is null is equal to itself. Before, it was not equal to any.
    EqualWithNulls,
    /// `k8s-short-name` and `k8s-long-name` are enforced formats.
    NameFormats,
    /// Delete options that cannot be decoded are 400. Before, they were 500.
    BadDeleteOptions,
    /// The status of a definition and its conditions have an `observedGeneration`.
    ObservedGenerations,
    /// A write of the status takes nothing but the status from managers of all versions. Before, only from those of its
    /// own version.
    StatusResetsInAllVersions,
    /// Causes of rules print the values of scalars. Before, they printed the type.
    PrintedValues,
    /// The published model of `Status` does not call its details a list.
    UntypedStatusDetails,
    /// Numbers have a range, by the node's type and format. A number outside it has a cause of its own.
    NumberRanges,
    /// A format gives a warning by the node's type. Before, only formats of strings did.
    FormatWarningsByType,
    /// Root metadata may have neither an example nor external documentation.
    UndocumentedRootMetadata,
    /// Examples and external documentation are published.
    PublishedExamples,
    /// Lists have a `shardSelector` parameter and a `shardInfo` in their metadata.
    ShardSelectors,
    /// A list or watch in a form that the server cannot write is refused before its options are read.
    FormBeforeOptions,
    /// In writes of the status, metadata of the body is left out of `managedFields` for objects, and counts for
    /// definitions. Before, it was the other way round.
    StatusResetsMetadata,
    /// Set lists of objects or arrays give a warning.
    SetWarnings,
    /// Causes about owner references name the reference's index, and a missing part is `Required`.
    IndexedOwners,
    /// A missing operation of a manager is `Required`, an unknown one `NotSupported`. Before, both were `Invalid`.
    ManagerOperations,
    /// Identical causes about metadata are reported once.
    MetadataCausesOnce,
    /// A patch that is no JSON is refused before the object is looked up.
    PatchesCheckedFirst,
    /// If a write cannot be tracked, the object keeps its managers. Before, it lost them.
    KeptManagers,
    /// `ignoreStoreReadErrorWithClusterBreakingPotential` is an option. Before, it was ignored.
    UnsafeDeletes,
    /// Tables of definitions have columns for scope, versions and more.
    DefinitionColumns,
    /// An object that cannot be converted counts as unreadable: reads name its key in the store, and lists all
    /// such objects.
    UnconvertibleIsUnreadable,
    /// In the published models of built-in types, elements of lists and maps have no defaults.
    PlainElements,
    /// To rules, `maxLength` bounds what may be a number or a text. Before, it counted as unbounded.
    BoundedIntOrStrings,
    /// To rules, names of objects are as long as names can be. Before, they were as long as a request.
    BoundedNames,
}

/// The changes: the first release that has each, and the requirement or edge that says so.
const CHANGES: [(Change, u16, &str); 32] = [
    (Change::FormatWarnings, 34, "CRDVAL-057"),
    (Change::BoundedIntOrStrings, 34, "CEL-040/e3"),
    (Change::AbsentWhateverUid, 34, "CRDVAL-022/e2"),
    (Change::InitialEvents, 34, "REST-064/e2"),
    (Change::ForbiddenWhileTerminating, 34, "REST-071/e2"),
    (Change::NoNullCreationTime, 34, "DISC-011/e10"),
    (Change::ScaleDefault, 34, "OAPI-006/e4"),
    (Change::EqualWithNulls, 34, "CEL-016/e2"),
    (Change::NameFormats, 35, "VALUE-014/e1"),
    (Change::BadDeleteOptions, 35, "REST-049/e2"),
    (Change::ObservedGenerations, 35, "LIFE-001/e1"),
    (Change::StatusResetsInAllVersions, 35, "REST-041/e4"),
    (Change::PrintedValues, 35, "CEL-037/e1"),
    (Change::UntypedStatusDetails, 35, "OAPI-002/e3"),
    (Change::NumberRanges, 36, "VALUE-008"),
    (Change::FormatWarningsByType, 36, "CRDVAL-057/e2"),
    (Change::UndocumentedRootMetadata, 36, "STRUCT-019/e3"),
    (Change::PublishedExamples, 36, "OAPI-004/e2"),
    (Change::ShardSelectors, 36, "OAPI-006/e5"),
    (Change::FormBeforeOptions, 36, "REST-006/e3"),
    (Change::StatusResetsMetadata, 36, "REST-041/e5"),
    (Change::SetWarnings, 37, "CRDVAL-057/e3"),
    (Change::IndexedOwners, 37, "VALUE-041/e2"),
    (Change::ManagerOperations, 37, "PRUNE-018/e4"),
    (Change::MetadataCausesOnce, 37, "VALUE-041/e4"),
    (Change::PatchesCheckedFirst, 37, "REST-033/e4"),
    (Change::KeptManagers, 37, "REST-041/e6"),
    (Change::UnsafeDeletes, 37, "REST-049/e4"),
    (Change::UnconvertibleIsUnreadable, 37, "CONV-021/e7"),
    (Change::DefinitionColumns, 37, "TABLE-019/e1"),
    (Change::PlainElements, 37, "OAPI-002/e4"),
    (Change::BoundedNames, 37, "CEL-040/e2"),
];

/// All changes: the minor of the first release that has each, and the requirement or edge of the specification that
/// says so.
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
