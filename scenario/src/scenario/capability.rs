//! What a target must be able to do before a scenario can show anything.

use std::fmt;

/// Something that a whole group of checks depends on. A target that lacks it gets one finding, and what depends on it
/// is not judged. Each is tried before the first scenario; see [`API_SERVER`](crate::capabilities::API_SERVER).
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

impl Capability {
    /// Whether it is about what a server does with content, and not about a way to ask it. A server that does nothing
    /// with content does right whenever nothing is to be done.
    pub fn is_of_content(self) -> bool {
        match self {
            Self::DefinitionDefaults
            | Self::Pruning
            | Self::Defaulting
            | Self::Validation
            | Self::UpdateValidation
            | Self::DefinitionValidation
            | Self::DefinitionUpdateValidation
            | Self::StructuralSchemas
            | Self::FieldValidation => true,
            Self::Definitions
            | Self::DefinitionDryRun
            | Self::Serving
            | Self::ObjectDryRun
            | Self::Storing
            | Self::Namespaces
            | Self::Causes
            | Self::DefinitionUpdates
            | Self::Versions
            | Self::Webhooks
            | Self::Conditions
            | Self::NameConflicts
            | Self::StoredVersions
            | Self::Discovery
            | Self::Status
            | Self::Scale
            | Self::Watches
            | Self::Tables
            | Self::PartialMetadata
            | Self::FieldSelectors
            | Self::AggregatedDiscovery
            | Self::Yaml
            | Self::OpenApiV3
            | Self::OpenApiV2 => false,
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Definitions => "definitions",
            Self::DefinitionDefaults => "defaults of definitions",
            Self::DefinitionDryRun => "dry runs of definitions",
            Self::Serving => "serving of definitions",
            Self::ObjectDryRun => "dry runs of objects",
            Self::Storing => "storage of objects",
            Self::Namespaces => "objects in another namespace",
            Self::Pruning => "pruning",
            Self::Defaulting => "defaulting",
            Self::Validation => "validation of objects",
            Self::UpdateValidation => "validation of updates",
            Self::Causes => "causes of rejections",
            Self::DefinitionValidation => "validation of definitions",
            Self::DefinitionUpdates => "updates of definitions",
            Self::DefinitionUpdateValidation => "validation of updates of definitions",
            Self::StructuralSchemas => "structural schema checks",
            Self::FieldValidation => "field validation",
            Self::Versions => "objects at several versions",
            Self::Webhooks => "conversion webhooks",
            Self::Conditions => "conditions of definitions",
            Self::NameConflicts => "conflicts of names of definitions",
            Self::StoredVersions => "stored versions of definitions",
            Self::Discovery => "discovery",
            Self::Status => "/status of objects",
            Self::Scale => "/scale of objects",
            Self::Watches => "watches",
            Self::Tables => "tables",
            Self::PartialMetadata => "metadata of objects alone",
            Self::FieldSelectors => "field selectors",
            Self::AggregatedDiscovery => "aggregated discovery",
            Self::Yaml => "YAML",
            Self::OpenApiV3 => "OpenAPI v3",
            Self::OpenApiV2 => "OpenAPI v2",
        })
    }
}
