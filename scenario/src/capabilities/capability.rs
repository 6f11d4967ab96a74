//! What a target must be able to do before a scenario can show anything.

/// Something that a whole group of checks depends on. A target that lacks it gets one finding, and what depends on it
/// is not judged. Each is tried before the first scenario; see [`API_SERVER`](super::API_SERVER).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Definitions can be created and read.
    Definitions,
    /// Defaults of a definition are filled in.
    DefinitionDefaults,
    /// `dryRun=All` creates no definition.
    DefinitionDryRun,
    /// Objects of a new definition can be created.
    Serving,
    /// `dryRun=All` stores no object.
    ObjectDryRun,
    /// Objects can be read back.
    Storing,
    /// Objects can be created in the namespace of the run.
    NamespacedObjects,
    /// Objects can be created in another namespace, too.
    Namespaces,
    /// Unknown fields are pruned.
    Pruning,
    /// Defaults are filled in.
    Defaulting,
    /// Some invalid values are rejected.
    Validation,
    /// Some invalid values are rejected in an update.
    UpdateValidation,
    /// Rules of `x-kubernetes-validations` are evaluated.
    Rules,
    /// A rejection lists its causes.
    Causes,
    /// Some invalid definitions are rejected.
    DefinitionValidation,
    /// A definition can be replaced.
    DefinitionUpdates,
    /// Some invalid updates of definitions are rejected.
    DefinitionUpdateValidation,
    /// Schemas that are not structural are rejected.
    StructuralSchemas,
    /// Unknown fields are reported.
    FieldValidation,
    /// An object can be used at each version.
    Versions,
    /// Conversion webhooks are called, and can be reached.
    Webhooks,
    /// A definition gets conditions.
    Conditions,
    /// Of two definitions of a group that claim the same name, only one gets it.
    NameConflicts,
    /// A definition lists the versions in which objects are stored.
    StoredVersions,
    /// The group of a definition is listed in discovery.
    Discovery,
    /// `/status` of an object is served.
    Status,
    /// `/scale` of an object is served.
    Scale,
    /// A watch reports what was written since a list.
    Watches,
    /// A watch is served as a plain GET, and not over WebSocket alone.
    PlainWatches,
    /// A watch reports nothing that was there before the list from which it starts.
    WatchStarts,
    /// A watch ends when its time is over.
    WatchEnds,
    /// Objects are shown as a table.
    Tables,
    /// Objects are shown by their metadata alone.
    PartialMetadata,
    /// A list may be restricted by the value of a selectable field.
    FieldSelectors,
    /// All of discovery is one document, for those who ask for it.
    AggregatedDiscovery,
    /// Bodies may be YAML.
    Yaml,
    /// `OpenAPI` v3 describes definitions.
    OpenApiV3,
    /// `OpenAPI` v2 describes definitions.
    OpenApiV2,
}
