//! What a target can do at all: one tiny scenario per capability, run before everything else.

mod definitions;
mod objects;

use crate::scenario::{Capability, Scenario};

/// A test for one capability of a target.
#[derive(Debug)]
pub struct CapabilityTest {
    /// The capability that it tests.
    pub capability: Capability,
    /// Its ID in reports, next to the IDs of properties.
    pub id: &'static str,
    /// The test is skipped if one of these is missing, because its failure would add nothing new.
    pub depends_on: &'static [Capability],
    /// What is wrong if the test fails, in a few words.
    pub lack: &'static str,
    /// How many of its checks must fail.
    pub missing_if: MissingIf,
    /// The scenario.
    pub plan: fn() -> Scenario,
}

/// When a capability is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIf {
    /// One of the checks fails.
    AnyFails,
    /// All of them fail. If some hold, the properties find out what is wrong.
    AllFail,
}

/// The capabilities of an API server, in the order in which they are tested; each after those that it depends on.
pub const API_SERVER: &[CapabilityTest] = &[
    CapabilityTest {
        capability: Capability::Definitions,
        id: "capability-definitions",
        depends_on: &[],
        lack: "a definition cannot be created and read back",
        missing_if: MissingIf::AnyFails,
        plan: definitions::definitions_are_kept,
    },
    CapabilityTest {
        capability: Capability::Serving,
        id: "capability-serving",
        depends_on: &[Capability::Definitions],
        lack: "objects of a definition cannot be created",
        missing_if: MissingIf::AnyFails,
        plan: objects::serving,
    },
    CapabilityTest {
        capability: Capability::DefinitionDryRun,
        id: "capability-definition-dry-run",
        depends_on: &[Capability::Definitions],
        lack: "a dry run of a definition is not accepted, or creates it",
        missing_if: MissingIf::AnyFails,
        plan: definitions::definition_dry_run,
    },
    CapabilityTest {
        capability: Capability::ObjectDryRun,
        id: "capability-object-dry-run",
        depends_on: &[Capability::Serving],
        lack: "a dry run of an object is not accepted, or stores it",
        missing_if: MissingIf::AnyFails,
        plan: objects::object_dry_run,
    },
    CapabilityTest {
        capability: Capability::Storing,
        id: "capability-storing",
        depends_on: &[Capability::Serving],
        lack: "an object that was created cannot be read back",
        missing_if: MissingIf::AnyFails,
        plan: objects::storing,
    },
    CapabilityTest {
        capability: Capability::Namespaces,
        id: "capability-namespaces",
        depends_on: &[Capability::Storing],
        lack: "no object can be created in a second namespace: kube-public, or default if the run uses kube-public",
        missing_if: MissingIf::AnyFails,
        plan: objects::namespaces,
    },
    CapabilityTest {
        capability: Capability::DefinitionDefaults,
        id: "capability-definition-defaults",
        depends_on: &[Capability::Definitions],
        lack: "the defaults of a definition are not filled in",
        missing_if: MissingIf::AllFail,
        plan: definitions::defaults,
    },
    CapabilityTest {
        capability: Capability::DefinitionValidation,
        id: "capability-definition-validation",
        depends_on: &[Capability::Definitions],
        lack: "definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: definitions::definition_validation,
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdates,
        id: "capability-definition-updates",
        depends_on: &[Capability::Definitions],
        lack: "a definition cannot be replaced",
        missing_if: MissingIf::AnyFails,
        plan: definitions::definition_updates,
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdateValidation,
        id: "capability-definition-update-validation",
        depends_on: &[Capability::DefinitionUpdates, Capability::DefinitionValidation],
        lack: "updates of definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: definitions::definition_update_validation,
    },
    CapabilityTest {
        capability: Capability::StructuralSchemas,
        id: "capability-structural-schemas",
        depends_on: &[Capability::DefinitionValidation],
        lack: "a schema node without a type is accepted",
        missing_if: MissingIf::AnyFails,
        plan: definitions::structural_schemas,
    },
    CapabilityTest {
        capability: Capability::Validation,
        id: "capability-validation",
        depends_on: &[Capability::Serving],
        lack: "objects are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: objects::validation,
    },
    CapabilityTest {
        capability: Capability::UpdateValidation,
        id: "capability-update-validation",
        depends_on: &[Capability::Storing, Capability::Validation],
        lack: "updates are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: objects::update_validation,
    },
    CapabilityTest {
        capability: Capability::Causes,
        id: "capability-causes",
        depends_on: &[Capability::Validation],
        lack: "a rejected object gets an answer without causes",
        missing_if: MissingIf::AllFail,
        plan: objects::causes,
    },
    CapabilityTest {
        capability: Capability::Pruning,
        id: "capability-pruning",
        depends_on: &[Capability::Serving],
        lack: "an undeclared field is not pruned",
        missing_if: MissingIf::AnyFails,
        plan: objects::pruning,
    },
    CapabilityTest {
        capability: Capability::Defaulting,
        id: "capability-defaulting",
        depends_on: &[Capability::Serving],
        lack: "a default is not filled in",
        missing_if: MissingIf::AnyFails,
        plan: objects::defaulting,
    },
    CapabilityTest {
        capability: Capability::FieldValidation,
        id: "capability-field-validation",
        depends_on: &[Capability::Serving],
        lack: "unknown fields are not reported, neither by a warning nor by a rejection",
        missing_if: MissingIf::AllFail,
        plan: objects::field_validation,
    },
    CapabilityTest {
        capability: Capability::Versions,
        id: "capability-versions",
        depends_on: &[Capability::Storing],
        lack: "an object that was written at one version is not the same object at another",
        missing_if: MissingIf::AnyFails,
        plan: objects::versions,
    },
    CapabilityTest {
        capability: Capability::Webhooks,
        id: "capability-webhooks",
        depends_on: &[Capability::Versions],
        lack: "objects are not converted by the webhook of their definition; if the server cannot reach this machine, see --webhook-host",
        missing_if: MissingIf::AnyFails,
        plan: objects::webhooks,
    },
    CapabilityTest {
        capability: Capability::Conditions,
        id: "capability-conditions",
        depends_on: &[Capability::Serving],
        lack: "a definition whose objects are served has no condition Established",
        missing_if: MissingIf::AnyFails,
        plan: definitions::conditions,
    },
    CapabilityTest {
        capability: Capability::NameConflicts,
        id: "capability-name-conflicts",
        depends_on: &[Capability::Conditions],
        lack: "a definition is established although another one of its group has the same kind",
        missing_if: MissingIf::AnyFails,
        plan: definitions::name_conflicts,
    },
    CapabilityTest {
        capability: Capability::StoredVersions,
        id: "capability-stored-versions",
        depends_on: &[Capability::Definitions],
        lack: "a definition does not list its storage version in status.storedVersions",
        missing_if: MissingIf::AnyFails,
        plan: definitions::stored_versions,
    },
    CapabilityTest {
        capability: Capability::Discovery,
        id: "capability-discovery",
        depends_on: &[Capability::Serving],
        lack: "the group of a definition is not in discovery",
        missing_if: MissingIf::AnyFails,
        plan: definitions::discovery,
    },
    CapabilityTest {
        capability: Capability::Status,
        id: "capability-status",
        depends_on: &[Capability::Storing],
        lack: "/status of an object can be neither read nor written, although its definition enables it",
        missing_if: MissingIf::AllFail,
        plan: objects::status,
    },
    CapabilityTest {
        capability: Capability::Scale,
        id: "capability-scale",
        depends_on: &[Capability::Storing],
        lack: "/scale of an object can be neither read nor written, although its definition enables it",
        missing_if: MissingIf::AllFail,
        plan: objects::scale,
    },
    CapabilityTest {
        capability: Capability::Watches,
        id: "capability-watches",
        depends_on: &[Capability::Storing],
        lack: "a watch does not report an object that was created since the list",
        missing_if: MissingIf::AnyFails,
        plan: objects::watches,
    },
    CapabilityTest {
        capability: Capability::Tables,
        id: "capability-tables",
        depends_on: &[Capability::Storing],
        lack: "a request for a table is not answered with one",
        missing_if: MissingIf::AllFail,
        plan: objects::tables,
    },
    CapabilityTest {
        capability: Capability::PartialMetadata,
        id: "capability-partial-metadata",
        depends_on: &[Capability::Storing],
        lack: "a request for the metadata of an object alone is not answered with it",
        missing_if: MissingIf::AllFail,
        plan: objects::partial_metadata,
    },
    CapabilityTest {
        capability: Capability::Yaml,
        id: "capability-yaml",
        depends_on: &[Capability::Storing],
        lack: "an object in YAML is not accepted, or is not what it says",
        missing_if: MissingIf::AnyFails,
        plan: objects::yaml,
    },
    CapabilityTest {
        capability: Capability::FieldSelectors,
        id: "capability-field-selectors",
        depends_on: &[Capability::Storing],
        lack: "a list by the value of a selectable field is refused, or does not select",
        missing_if: MissingIf::AnyFails,
        plan: objects::field_selectors,
    },
    CapabilityTest {
        capability: Capability::AggregatedDiscovery,
        id: "capability-aggregated-discovery",
        depends_on: &[Capability::Discovery],
        lack: "a request for aggregated discovery is not answered with it",
        missing_if: MissingIf::AnyFails,
        plan: definitions::aggregated_discovery,
    },
    CapabilityTest {
        capability: Capability::OpenApiV3,
        id: "capability-openapi-v3",
        depends_on: &[Capability::Definitions],
        lack: "OpenAPI v3 has no document for a version of a definition, or no model of its kind",
        missing_if: MissingIf::AnyFails,
        plan: definitions::openapi_v3,
    },
    CapabilityTest {
        capability: Capability::OpenApiV2,
        id: "capability-openapi-v2",
        depends_on: &[Capability::Definitions],
        lack: "OpenAPI v2 has no model of the kind of a definition",
        missing_if: MissingIf::AnyFails,
        plan: definitions::openapi_v2,
    },
];

/// The test for causes on a target that rejects no objects: whether rejected definitions get causes.
pub static CAUSES_OF_DEFINITIONS: CapabilityTest = CapabilityTest {
    capability: Capability::Causes,
    id: "capability-causes",
    depends_on: &[Capability::Definitions, Capability::DefinitionValidation],
    lack: "a rejected definition gets an answer without causes",
    missing_if: MissingIf::AllFail,
    plan: definitions::causes,
};

/// The capabilities that are tested before any other: the executor needs them.
pub const BASIC: &[Capability] =
    &[Capability::Definitions, Capability::Serving, Capability::DefinitionDryRun, Capability::ObjectDryRun];
