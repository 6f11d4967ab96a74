//! The rows: one for each capability.

use super::{
    Capability, CapabilityTest, Excuse, ExcusedIf, MissingIf, definitions,
    needs::{
        is_in_yaml, is_of_definition, is_watch,
        rejections::{Rejected, expects_defaults},
        selects_fields,
    },
    objects,
};
use crate::scenario::{Document, Request, Resource};

/// What most rows have in common.
const DEFAULT: CapabilityTest = CapabilityTest {
    capability: Capability::Definitions,
    words: "",
    id: "",
    depends_on: &[],
    lack: "",
    missing_if: MissingIf::AnyFails,
    area: "",
    is_of_content: false,
    is_basic: false,
    is_indispensable: false,
    excuse: None,
    otherwise: None,
    needed_by: |_| false,
    plan: objects::serving,
};

/// The capabilities of an API server, in the order in which they are tested; each after those that it depends on.
pub const API_SERVER: &[CapabilityTest] = &[
    CapabilityTest {
        capability: Capability::Definitions,
        words: "definitions",
        id: "capability-definitions",
        depends_on: &[],
        lack: "a definition cannot be created and read back",
        area: "definitions are not kept",
        is_basic: true,
        is_indispensable: true,
        needed_by: |_| true,
        plan: definitions::definitions_are_kept,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Serving,
        words: "serving of definitions",
        id: "capability-serving",
        depends_on: &[Capability::Definitions],
        lack: "objects of a definition cannot be created",
        area: "objects are not served",
        is_basic: true,
        is_indispensable: true,
        plan: objects::serving,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::DefinitionDryRun,
        words: "dry runs of definitions",
        id: "capability-definition-dry-run",
        depends_on: &[Capability::Definitions],
        lack: "a dry run of a definition is not accepted, creates it, or does not end like the real request",
        area: "dry runs",
        needed_by: |part| part.dry_runs().any(is_of_definition),
        plan: definitions::definition_dry_run,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::ObjectDryRun,
        words: "dry runs of objects",
        id: "capability-object-dry-run",
        depends_on: &[Capability::Serving],
        lack: "a dry run of an object is not accepted, stores it, or does not end like the real request",
        area: "dry runs",
        needed_by: |part| part.dry_runs().any(|request| !is_of_definition(request)),
        plan: objects::object_dry_run,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Storing,
        words: "storage of objects",
        id: "capability-storing",
        depends_on: &[Capability::Serving],
        lack: "an object that was created cannot be read back",
        area: "objects are not kept",
        needed_by: |part| part.uses_what_is_stored(),
        plan: objects::storing,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::NamespacedObjects,
        words: "objects in a namespace",
        id: "capability-namespaced-objects",
        depends_on: &[Capability::Storing],
        lack: "no object can be created and read in the namespace of the run",
        area: "objects in a namespace",
        needed_by: |part| part.uses_namespace(),
        plan: objects::in_namespace,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Namespaces,
        words: "objects in another namespace",
        id: "capability-namespaces",
        depends_on: &[Capability::NamespacedObjects],
        lack: "no object can be created in a second namespace: kube-public, or default if the run uses kube-public",
        area: "objects in another namespace",
        excuse: Some(ONE_NAMESPACE),
        needed_by: |part| {
            part.requests()
                .any(|request| matches!(&request.resource, Resource::Path { path, .. } if path.contains("$elsewhere")))
        },
        plan: objects::namespaces,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::DefinitionDefaults,
        words: "defaults of definitions",
        id: "capability-definition-defaults",
        depends_on: &[Capability::Definitions],
        lack: "the defaults of a definition are not filled in",
        missing_if: MissingIf::AllFail,
        area: "definitions: defaults",
        is_of_content: true,
        needed_by: |part| part.request().is_some_and(|request| expects_defaults(request, &part.check.expect)),
        plan: definitions::defaults,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::DefinitionValidation,
        words: "validation of definitions",
        id: "capability-definition-validation",
        depends_on: &[Capability::Definitions],
        lack: "definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        area: "definitions: what is invalid is accepted",
        is_of_content: true,
        needed_by: |part| part.expects(Rejected::Definition),
        plan: definitions::definition_validation,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdates,
        words: "updates of definitions",
        id: "capability-definition-updates",
        depends_on: &[Capability::Definitions],
        lack: "a definition cannot be replaced",
        area: "definitions cannot be updated",
        needed_by: |part| part.updates_definitions(),
        plan: definitions::definition_updates,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdateValidation,
        words: "validation of updates of definitions",
        id: "capability-definition-update-validation",
        depends_on: &[Capability::DefinitionUpdates, Capability::DefinitionValidation],
        lack: "updates of definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        area: "definitions: what is invalid is accepted",
        is_of_content: true,
        needed_by: |part| part.expects(Rejected::DefinitionUpdate),
        plan: definitions::definition_update_validation,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::StructuralSchemas,
        words: "structural schema checks",
        id: "capability-structural-schemas",
        depends_on: &[Capability::DefinitionValidation],
        lack: "a schema node without a type is accepted",
        area: "definitions: what is invalid is accepted",
        is_of_content: true,
        needed_by: |part| part.request().is_some() && part.check.expect.is_about_types_of_nodes(),
        plan: definitions::structural_schemas,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Validation,
        words: "validation of objects",
        id: "capability-validation",
        depends_on: &[Capability::Serving],
        lack: "objects are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        area: "objects: what is invalid is accepted",
        is_of_content: true,
        needed_by: |part| part.expects(Rejected::Object),
        plan: objects::validation,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::UpdateValidation,
        words: "validation of updates",
        id: "capability-update-validation",
        depends_on: &[Capability::Storing, Capability::Validation],
        lack: "updates are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        area: "objects: what is invalid is accepted",
        is_of_content: true,
        needed_by: |part| part.expects(Rejected::Update),
        plan: objects::update_validation,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Rules,
        words: "validation rules",
        id: "capability-rules",
        depends_on: &[Capability::Serving],
        lack: "rules of x-kubernetes-validations are not evaluated",
        area: "validation rules",
        is_of_content: true,
        plan: objects::rules,
        ..DEFAULT
    },
    CapabilityTest { otherwise: Some(&CAUSES_OF_DEFINITIONS), ..CAUSES },
    CapabilityTest {
        capability: Capability::Pruning,
        words: "pruning",
        id: "capability-pruning",
        depends_on: &[Capability::Serving],
        lack: "an undeclared field is not pruned",
        area: "objects: unknown fields",
        is_of_content: true,
        needed_by: |part| part.decoding().is_pruned,
        plan: objects::pruning,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Defaulting,
        words: "defaulting",
        id: "capability-defaulting",
        depends_on: &[Capability::Serving],
        lack: "a default is not filled in",
        area: "objects: defaults",
        is_of_content: true,
        needed_by: |part| part.decoding().is_defaulted,
        plan: objects::defaulting,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::FieldValidation,
        words: "field validation",
        id: "capability-field-validation",
        depends_on: &[Capability::Serving],
        lack: "unknown fields are not reported, neither by a warning nor by a rejection",
        missing_if: MissingIf::AllFail,
        area: "unknown fields are not reported",
        is_of_content: true,
        needed_by: |part| part.expects(Rejected::UnknownFields),
        plan: objects::field_validation,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Versions,
        words: "objects at several versions",
        id: "capability-versions",
        depends_on: &[Capability::Storing],
        lack: "an object that was written at one version is not the same object at another",
        area: "objects at several versions",
        needed_by: |part| part.uses_several_versions(),
        plan: objects::versions,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Webhooks,
        words: "conversion webhooks",
        id: "capability-webhooks",
        depends_on: &[Capability::Versions],
        lack: "objects are not converted by the webhook of their definition; if the server cannot reach this machine, see --webhook-host",
        area: "conversion webhooks",
        excuse: Some(UNREACHED_WEBHOOKS),
        needed_by: |part| part.uses_webhooks(),
        plan: objects::webhooks,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Conditions,
        words: "conditions of definitions",
        id: "capability-conditions",
        depends_on: &[Capability::Serving],
        lack: "a definition whose objects are served has no condition Established",
        area: "definitions: status",
        needed_by: |part| part.waits_for_conditions(),
        plan: definitions::conditions,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::NameConflicts,
        words: "conflicts of names of definitions",
        id: "capability-name-conflicts",
        depends_on: &[Capability::Conditions],
        lack: "a definition is established although another one of its group has the same kind",
        area: "definitions: status",
        plan: definitions::name_conflicts,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::StoredVersions,
        words: "stored versions of definitions",
        id: "capability-stored-versions",
        depends_on: &[Capability::Definitions],
        lack: "a definition does not list its storage version in status.storedVersions",
        area: "definitions: status",
        needed_by: |part| part.request().is_some() && part.check.expect.is_about_stored_versions(),
        plan: definitions::stored_versions,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Discovery,
        words: "discovery",
        id: "capability-discovery",
        depends_on: &[Capability::Serving],
        lack: "the group of a definition is not in discovery",
        area: "discovery",
        needed_by: |part| part.requests().any(|request| request.resource.is_of_discovery()),
        plan: definitions::discovery,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Status,
        words: "/status of objects",
        id: "capability-status",
        depends_on: &[Capability::Storing],
        lack: "/status of an object can be neither read nor written, although its definition enables it",
        missing_if: MissingIf::AllFail,
        area: "subresources",
        needed_by: |part| part.uses_subresource("status"),
        plan: objects::status,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Scale,
        words: "/scale of objects",
        id: "capability-scale",
        depends_on: &[Capability::Storing],
        lack: "/scale of an object can be neither read nor written, although its definition enables it",
        missing_if: MissingIf::AllFail,
        area: "subresources",
        needed_by: |part| part.uses_subresource("scale"),
        plan: objects::scale,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Watches,
        words: "watches",
        id: "capability-watches",
        depends_on: &[Capability::Storing],
        lack: "a watch does not report an object that was created since the list",
        area: "watches",
        needed_by: |part| part.requests().any(is_watch),
        plan: objects::watches,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::PlainWatches,
        words: "watches over plain HTTP",
        id: "capability-plain-watches",
        depends_on: &[Capability::Watches],
        lack: "watches are served over WebSocket alone, and not over plain HTTP",
        area: "watches",
        needed_by: |part| part.requests().any(|request| request.plain),
        plan: objects::plain_watches,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::WatchStarts,
        words: "watches from a revision",
        id: "capability-watch-starts",
        depends_on: &[Capability::Watches],
        lack: "a watch reports what was there before the list from which it starts",
        area: "watches",
        needed_by: |part| {
            let starts = |request: &Request| {
                let names = |(name, value): &(String, String)| name == "resourceVersion" && value != "0";
                request.query.iter().any(names)
                    || request.query_from_answers.iter().any(|parameter| parameter.name == "resourceVersion")
            };
            part.requests().any(|request| is_watch(request) && starts(request))
        },
        plan: objects::watch_starts,
        ..DEFAULT
    },
    // No check needs it: the executor reads no longer than it asks for.
    CapabilityTest {
        capability: Capability::WatchEnds,
        words: "ends of watches",
        id: "capability-watch-ends",
        depends_on: &[Capability::Watches],
        lack: "a watch does not end after its timeoutSeconds",
        area: "watches",
        plan: objects::watch_ends,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Tables,
        words: "tables",
        id: "capability-tables",
        depends_on: &[Capability::Storing],
        lack: "a request for a table is not answered with one",
        missing_if: MissingIf::AllFail,
        area: "forms of objects",
        needed_by: |part| part.accepts("as=Table"),
        plan: objects::tables,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::PartialMetadata,
        words: "metadata of objects alone",
        id: "capability-partial-metadata",
        depends_on: &[Capability::Storing],
        lack: "a request for the metadata of an object alone is not answered with it",
        missing_if: MissingIf::AllFail,
        area: "forms of objects",
        needed_by: |part| part.accepts("as=PartialObjectMetadata"),
        plan: objects::partial_metadata,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::Yaml,
        words: "YAML",
        id: "capability-yaml",
        depends_on: &[Capability::Storing],
        lack: "an object in YAML is not accepted, or is not what it says",
        area: "forms of objects",
        needed_by: |part| part.requests().any(is_in_yaml),
        plan: objects::yaml,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::FieldSelectors,
        words: "field selectors",
        id: "capability-field-selectors",
        depends_on: &[Capability::Storing],
        lack: "a list by the value of a selectable field is refused, or does not select",
        area: "field selectors",
        needed_by: |part| part.requests().any(selects_fields),
        plan: objects::field_selectors,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::AggregatedDiscovery,
        words: "aggregated discovery",
        id: "capability-aggregated-discovery",
        depends_on: &[Capability::Discovery],
        lack: "a request for aggregated discovery is not answered with it",
        area: "discovery",
        needed_by: |part| part.accepts("as=APIGroupDiscoveryList"),
        plan: definitions::aggregated_discovery,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::OpenApiV3,
        words: "OpenAPI v3",
        id: "capability-openapi-v3",
        depends_on: &[Capability::Definitions],
        lack: "OpenAPI v3 has no document for a version of a definition, or no model of its kind",
        area: "openapi",
        needed_by: |part| part.reads(|document| *document != Document::V2),
        plan: definitions::openapi_v3,
        ..DEFAULT
    },
    CapabilityTest {
        capability: Capability::OpenApiV2,
        words: "OpenAPI v2",
        id: "capability-openapi-v2",
        depends_on: &[Capability::Definitions],
        lack: "OpenAPI v2 has no model of the kind of a definition",
        area: "openapi",
        needed_by: |part| part.reads(|document| *document == Document::V2),
        plan: definitions::openapi_v2,
        ..DEFAULT
    },
];

/// What both tests for causes have in common, and the first of them.
const CAUSES: CapabilityTest = CapabilityTest {
    capability: Capability::Causes,
    words: "causes of rejections",
    id: "capability-causes",
    depends_on: &[Capability::Validation],
    lack: "a rejected object gets an answer without causes",
    missing_if: MissingIf::AllFail,
    area: "rejections without causes",
    plan: objects::causes,
    ..DEFAULT
};

/// The test for causes on a target that rejects no objects: whether rejected definitions get causes.
pub static CAUSES_OF_DEFINITIONS: CapabilityTest = CapabilityTest {
    depends_on: &[Capability::Definitions, Capability::DefinitionValidation],
    lack: "a rejected definition gets an answer without causes",
    plan: definitions::causes,
    ..CAUSES
};

const UNREACHED_WEBHOOKS: Excuse = Excuse {
    excused_if: ExcusedIf::Unreached,
    why: "the command was started without flags that say how the server reaches its webhooks",
    note: "conversion webhooks were not judged, because the server cannot reach those of this command; \
           --webhook-listen and --webhook-host say how it can",
};

/// A server need not have a namespace with this name (REST-074), nor let every user write there.
const ONE_NAMESPACE: Excuse = Excuse {
    excused_if: ExcusedIf::Refused,
    why: "the server has no second namespace for objects, or does not allow them there",
    note: "objects in two namespaces were not judged, because the server has no second one, or does not allow objects \
           there: kube-public, or default if --namespace is kube-public",
};
