//! `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.

use crdible_semantics::release::Change;

use super::built_in::{BuiltIn, Derived, Served};
use super::column::{NAME, column};
use super::declaration::Element::{Bytes, Flag, Int32, Int64, Of, Text};
use super::declaration::{Topology, Type, field, list};
use super::meta::{TIME, items, object, objects};
use super::schema::{SCHEMA, apiextensions};

/// Definitions.
pub(crate) static DEFINITION: BuiltIn = BuiltIn {
    served: Served::Definitions,
    group: "apiextensions.k8s.io",
    version: "v1",
    plural: "customresourcedefinitions",
    singular: "customresourcedefinition",
    kind: "CustomResourceDefinition",
    namespaced: false,
    short_names: &["crd", "crds"],
    categories: &["api-extensions"],
    subresources: &["status"],
    deletes_collections: true,
    // Upstream's first storage version, which the hash still uses.
    stored_as: ["apiextensions.k8s.io", "v1beta1"],
    object: &OBJECT,
    list: &LIST,
    columns: &[
        NAME,
        column("Scope", "string", "Whether the objects are in namespaces").since(Change::DefinitionColumns),
        column("Versions", "string", "The served versions").since(Change::DefinitionColumns),
        column("Created At", "date", "The time at which the definition was created"),
        column("Group", "string", "The API group").wide().since(Change::DefinitionColumns),
        column("Kind", "string", "The kind of the objects").wide().since(Change::DefinitionColumns),
        column("ShortNames", "string", "The requested short names").wide().since(Change::DefinitionColumns),
        column("Established", "boolean", "Whether the objects are served").wide().since(Change::DefinitionColumns),
    ],
    derived: Derived::new(),
};

static OBJECT: Type =
    object(apiextensions!("CustomResourceDefinition"), "A custom resource: its names, versions and schemas.").with(&[
        field(2, "spec", Of(&SPEC), "The specification of the resource.").required(),
        field(3, "status", Of(&STATUS), "The status of the definition."),
    ]);

static LIST: Type = objects(apiextensions!("CustomResourceDefinitionList"), "A list of definitions.")
    .with(&[items(&OBJECT, "The definitions.")]);

static SPEC: Type =
    Type::new(apiextensions!("CustomResourceDefinitionSpec"), "The specification of a resource.").with(&[
        field(1, "group", Text, "The group of the resource.").required(),
        field(3, "names", Of(&NAMES), "The requested names.").required(),
        field(4, "scope", Text, "`Cluster` or `Namespaced`.").required(),
        list(7, "versions", Of(&VERSION), "The versions, in any order.").atomic().required(),
        field(9, "conversion", Of(&CONVERSION), "How objects are converted between versions.").optional(),
        field(10, "preserveUnknownFields", Flag, "Deprecated: must be false."),
    ]);

static NAMES: Type = Type::new(apiextensions!("CustomResourceDefinitionNames"), "The names of a resource.").with(&[
    field(1, "plural", Text, "The plural name, used in URLs.").required(),
    field(2, "singular", Text, "The singular name; the kind in lower case by default."),
    list(3, "shortNames", Text, "Abbreviations, for example for kubectl.").atomic(),
    field(4, "kind", Text, "The kind of the objects.").required(),
    field(5, "listKind", Text, "The kind of a list; the kind followed by `List` by default."),
    list(6, "categories", Text, "Groups of resources, such as `all`.").atomic(),
]);

static VERSION: Type =
    Type::new(apiextensions!("CustomResourceDefinitionVersion"), "A version of a resource.").with(&[
        field(1, "name", Text, "The name of the version, used in URLs.").required(),
        field(2, "served", Flag, "Whether requests at this version are answered.").required(),
        field(3, "storage", Flag, "Whether objects are stored in this version; true for exactly one.").required(),
        field(7, "deprecated", Flag, "Whether responses contain a deprecation warning."),
        field(8, "deprecationWarning", Text, "The text of that warning.").optional(),
        field(4, "schema", Of(&VALIDATION), "The schema of objects.").optional(),
        field(5, "subresources", Of(&SUBRESOURCES), "The subresources of the version.").optional(),
        list(6, "additionalPrinterColumns", Of(&COLUMN), "The columns of tables in addition to the name.").atomic(),
        list(9, "selectableFields", Of(&SELECTABLE_FIELD), "The fields that field selectors may name.").atomic(),
    ]);

static VALIDATION: Type =
    Type::new(apiextensions!("CustomResourceValidation"), "The schema of objects.").with(&[field(
        1,
        "openAPIV3Schema",
        Of(&SCHEMA),
        "The schema that objects are pruned, defaulted and validated with.",
    )
    .optional()]);

static SUBRESOURCES: Type = Type::new(apiextensions!("CustomResourceSubresources"), "The subresources of a version.")
    .with(&[
        field(1, "status", Of(&STATUS_SUBRESOURCE), "If present, `/status` is served.").optional(),
        field(2, "scale", Of(&SCALE_SUBRESOURCE), "If present, `/scale` is served.").optional(),
    ]);

static STATUS_SUBRESOURCE: Type = Type::new(apiextensions!("CustomResourceSubresourceStatus"), "Enables `/status`.");

static SCALE_SUBRESOURCE: Type =
    Type::new(apiextensions!("CustomResourceSubresourceScale"), "The paths of the values of `/scale`.").with(&[
        field(1, "specReplicasPath", Text, "The path of the desired number of replicas.").required(),
        field(2, "statusReplicasPath", Text, "The path of the actual number of replicas.").required(),
        field(3, "labelSelectorPath", Text, "The path of the label selector, as a string.").optional(),
    ]);

static COLUMN: Type = Type::new(apiextensions!("CustomResourceColumnDefinition"), "A printer column.").with(&[
    field(1, "name", Text, "The title of the column.").required(),
    field(2, "type", Text, "The type of its values.").required(),
    field(3, "format", Text, "The format of its values."),
    field(4, "description", Text, "What it shows."),
    field(5, "priority", Int32, "With a priority above 0, it is shown only in wide tables."),
    field(6, "jsonPath", Text, "The path of its value.").required(),
]);

static SELECTABLE_FIELD: Type = Type::new(
    apiextensions!("SelectableField"),
    "A field by which objects can be selected.",
)
.with(&[field(1, "jsonPath", Text, "The path of the field.").required()]);

static CONVERSION: Type =
    Type::new(apiextensions!("CustomResourceConversion"), "How objects are converted between versions.").with(&[
        field(1, "strategy", Text, "`None`: only `apiVersion` changes. `Webhook`: a webhook is called.").required(),
        field(2, "webhook", Of(&WEBHOOK), "The webhook; only with the strategy `Webhook`.").optional(),
    ]);

static WEBHOOK: Type = Type::new(apiextensions!("WebhookConversion"), "How a conversion webhook is called.").with(&[
    field(2, "clientConfig", Of(&CLIENT), "The address of the webhook.").optional(),
    list(
        3,
        "conversionReviewVersions",
        Text,
        "The versions of `ConversionReview` that it understands, in order of preference.",
    )
    .atomic()
    .required(),
]);

static CLIENT: Type = Type::new(apiextensions!("WebhookClientConfig"), "The address of a webhook.").with(&[
    field(3, "url", Text, "The URL, unless a service is given.").optional(),
    field(1, "service", Of(&SERVICE), "The service, unless a URL is given.").optional(),
    field(2, "caBundle", Bytes, "The PEM certificates that verify the certificate of the webhook."),
]);

static SERVICE: Type = Type::new(apiextensions!("ServiceReference"), "A service of the cluster.").with(&[
    field(1, "namespace", Text, "The namespace of the service.").required(),
    field(2, "name", Text, "The name of the service.").required(),
    field(3, "path", Text, "The path in the URL.").optional(),
    field(4, "port", Int32, "The port; 443 by default.").optional(),
]);

static STATUS: Type =
    Type::new(apiextensions!("CustomResourceDefinitionStatus"), "The status of a definition.").with(&[
        list(1, "conditions", Of(&CONDITION), "The conditions of the definition.")
            .written()
            .topology(Topology::Map(&["type"])),
        field(2, "acceptedNames", Of(&NAMES), "The names that are in use."),
        list(3, "storedVersions", Text, "All versions that objects were ever stored in.").written().atomic(),
        field(4, "observedGeneration", Int64, "The generation that this status describes.")
            .since(Change::ObservedGenerations),
    ]);

static CONDITION: Type = Type::new(apiextensions!("CustomResourceDefinitionCondition"), "A condition of a definition.")
    .with(&[
        field(1, "type", Text, "The type: `Established`, `NamesAccepted`, `Terminating`, …").required(),
        field(2, "status", Text, "`True`, `False` or `Unknown`.").required(),
        field(3, "lastTransitionTime", Of(&TIME), "When the status last changed."),
        field(4, "reason", Text, "The reason, as one word for programs."),
        field(5, "message", Text, "The reason, as a human-readable message."),
        field(6, "observedGeneration", Int64, "The generation that this condition describes.")
            .since(Change::ObservedGenerations),
    ]);
