//! Definitions: `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1`.

use crdible_semantics::release::Change;

use super::apiextensions::apiextensions;
use super::field::{Field, Shape, Topology};
use super::model::{Content, Model};
use super::{meta, schema};

/// A definition.
pub(crate) const DEFINITION: &str = apiextensions!("CustomResourceDefinition");
/// A list of definitions.
pub(crate) const DEFINITION_LIST: &str = apiextensions!("CustomResourceDefinitionList");
const SPEC: &str = apiextensions!("CustomResourceDefinitionSpec");
const NAMES: &str = apiextensions!("CustomResourceDefinitionNames");
const VERSION: &str = apiextensions!("CustomResourceDefinitionVersion");
const VALIDATION: &str = apiextensions!("CustomResourceValidation");
const SUBRESOURCES: &str = apiextensions!("CustomResourceSubresources");
const STATUS_SUBRESOURCE: &str = apiextensions!("CustomResourceSubresourceStatus");
const SCALE_SUBRESOURCE: &str = apiextensions!("CustomResourceSubresourceScale");
const COLUMN: &str = apiextensions!("CustomResourceColumnDefinition");
const SELECTABLE_FIELD: &str = apiextensions!("SelectableField");
const CONVERSION: &str = apiextensions!("CustomResourceConversion");
const WEBHOOK: &str = apiextensions!("WebhookConversion");
const CLIENT: &str = apiextensions!("WebhookClientConfig");
const SERVICE: &str = apiextensions!("ServiceReference");
const STATUS: &str = apiextensions!("CustomResourceDefinitionStatus");
const CONDITION: &str = apiextensions!("CustomResourceDefinitionCondition");

pub(super) const MODELS: &[Model] = &[
    Model::new(DEFINITION, "A custom resource: its names, versions and schemas.", Content::Struct(ROOT_FIELDS))
        .of_kinds(&[["apiextensions.k8s.io", "v1", "CustomResourceDefinition"]]),
    Model::new(DEFINITION_LIST, "A list of definitions.", Content::Struct(LIST_FIELDS)).of_kinds(&[[
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinitionList",
    ]]),
    Model::new(SPEC, "The specification of a resource.", Content::Struct(SPEC_FIELDS)),
    Model::new(NAMES, "The names of a resource.", Content::Struct(NAMES_FIELDS)),
    Model::new(VERSION, "A version of a resource.", Content::Struct(VERSION_FIELDS)),
    Model::new(
        VALIDATION,
        "The schema of objects.",
        Content::Struct(&[Field::new(
            "openAPIV3Schema",
            Shape::Pointer(schema::SCHEMA),
            "The schema that objects are pruned, defaulted and validated with.",
        )]),
    ),
    Model::new(
        SUBRESOURCES,
        "The subresources of a version.",
        Content::Struct(&[
            Field::new("status", Shape::Pointer(STATUS_SUBRESOURCE), "If present, `/status` is served."),
            Field::new("scale", Shape::Pointer(SCALE_SUBRESOURCE), "If present, `/scale` is served."),
        ]),
    ),
    Model::new(STATUS_SUBRESOURCE, "Enables `/status`.", Content::Object),
    Model::new(SCALE_SUBRESOURCE, "The paths of the values of `/scale`.", Content::Struct(SCALE_FIELDS)),
    Model::new(COLUMN, "A printer column.", Content::Struct(COLUMN_FIELDS)),
    Model::new(
        SELECTABLE_FIELD,
        "A field by which objects can be selected.",
        Content::Struct(&[Field::new("jsonPath", Shape::Text, "The path of the field.").required()]),
    ),
    Model::new(
        CONVERSION,
        "How objects are converted between versions.",
        Content::Struct(&[
            Field::new("strategy", Shape::Text, "`None`: only `apiVersion` changes. `Webhook`: a webhook is called.")
                .required(),
            Field::new("webhook", Shape::Pointer(WEBHOOK), "The webhook; only with the strategy `Webhook`."),
        ]),
    ),
    Model::new(
        WEBHOOK,
        "How a conversion webhook is called.",
        Content::Struct(&[
            Field::new("clientConfig", Shape::Pointer(CLIENT), "The address of the webhook."),
            Field::new(
                "conversionReviewVersions",
                Shape::Texts,
                "The versions of `ConversionReview` that it understands, in order of preference.",
            )
            .atomic()
            .required(),
        ]),
    ),
    Model::new(
        CLIENT,
        "The address of a webhook.",
        Content::Struct(&[
            Field::new("url", Shape::Text, "The URL, unless a service is given."),
            Field::new("service", Shape::Pointer(SERVICE), "The service, unless a URL is given."),
            Field::new("caBundle", Shape::Base64, "The PEM certificates that verify the certificate of the webhook."),
        ]),
    ),
    Model::new(
        SERVICE,
        "A service of the cluster.",
        Content::Struct(&[
            Field::new("namespace", Shape::Text, "The namespace of the service.").required(),
            Field::new("name", Shape::Text, "The name of the service.").required(),
            Field::new("path", Shape::Text, "The path in the URL."),
            Field::new("port", Shape::Int32, "The port; 443 by default."),
        ]),
    ),
    Model::new(STATUS, "The status of a definition.", Content::Struct(STATUS_FIELDS)),
    Model::new(CONDITION, "A condition of a definition.", Content::Struct(CONDITION_FIELDS)),
];

const ROOT_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::METADATA,
    Field::new("spec", Shape::Struct(SPEC), "The specification of the resource.").required(),
    Field::new("status", Shape::Struct(STATUS), "The status of the definition."),
];

const LIST_FIELDS: &[Field] = &[
    meta::KIND,
    meta::API_VERSION,
    meta::LIST_METADATA,
    Field::new("items", Shape::Structs(DEFINITION), "The definitions.").required(),
];

const SPEC_FIELDS: &[Field] = &[
    Field::new("group", Shape::Text, "The group of the resource.").required(),
    Field::new("names", Shape::Struct(NAMES), "The requested names.").required(),
    Field::new("scope", Shape::Text, "`Cluster` or `Namespaced`.").required(),
    Field::new("versions", Shape::Structs(VERSION), "The versions, in any order.").atomic().required(),
    Field::new("conversion", Shape::Pointer(CONVERSION), "How objects are converted between versions."),
    Field::new("preserveUnknownFields", Shape::Flag, "Deprecated: must be false."),
];

const NAMES_FIELDS: &[Field] = &[
    Field::new("plural", Shape::Text, "The plural name, used in URLs.").required(),
    Field::new("singular", Shape::Text, "The singular name; the kind in lower case by default."),
    Field::new("shortNames", Shape::Texts, "Abbreviations, for example for kubectl.").atomic(),
    Field::new("kind", Shape::Text, "The kind of the objects.").required(),
    Field::new("listKind", Shape::Text, "The kind of a list; the kind followed by `List` by default."),
    Field::new("categories", Shape::Texts, "Groups of resources, such as `all`.").atomic(),
];

const VERSION_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The name of the version, used in URLs.").required(),
    Field::new("served", Shape::Flag, "Whether requests at this version are answered.").required(),
    Field::new("storage", Shape::Flag, "Whether objects are stored in this version; true for exactly one.").required(),
    Field::new("deprecated", Shape::Flag, "Whether responses contain a deprecation warning."),
    Field::new("deprecationWarning", Shape::Text, "The text of that warning."),
    Field::new("schema", Shape::Pointer(VALIDATION), "The schema of objects."),
    Field::new("subresources", Shape::Pointer(SUBRESOURCES), "The subresources of the version."),
    Field::new("additionalPrinterColumns", Shape::Structs(COLUMN), "The columns of tables in addition to the name.")
        .atomic(),
    Field::new("selectableFields", Shape::Structs(SELECTABLE_FIELD), "The fields that field selectors may name.")
        .atomic(),
];

const SCALE_FIELDS: &[Field] = &[
    Field::new("specReplicasPath", Shape::Text, "The path of the desired number of replicas.").required(),
    Field::new("statusReplicasPath", Shape::Text, "The path of the actual number of replicas.").required(),
    Field::new("labelSelectorPath", Shape::Text, "The path of the label selector, as a string."),
];

const COLUMN_FIELDS: &[Field] = &[
    Field::new("name", Shape::Text, "The title of the column.").required(),
    Field::new("type", Shape::Text, "The type of its values.").required(),
    Field::new("format", Shape::Text, "The format of its values."),
    Field::new("description", Shape::Text, "What it shows."),
    Field::new("priority", Shape::Int32, "With a priority above 0, it is shown only in wide tables."),
    Field::new("jsonPath", Shape::Text, "The path of its value.").required(),
];

const STATUS_FIELDS: &[Field] = &[
    Field::new("conditions", Shape::Structs(CONDITION), "The conditions of the definition.")
        .topology(Topology::Map(&["type"])),
    Field::new("acceptedNames", Shape::Struct(NAMES), "The names that are in use."),
    Field::new("storedVersions", Shape::Texts, "All versions that objects were ever stored in.").atomic(),
    Field::new("observedGeneration", Shape::Int64, "The generation that this status describes.")
        .since(Change::ObservedGenerations),
];

const CONDITION_FIELDS: &[Field] = &[
    Field::new("type", Shape::Text, "The type: `Established`, `NamesAccepted`, `Terminating`, …").required(),
    Field::new("status", Shape::Text, "`True`, `False` or `Unknown`.").required(),
    Field::new("lastTransitionTime", Shape::Pointer(meta::TIME), "When the status last changed."),
    Field::new("reason", Shape::Text, "The reason, as one word for programs."),
    Field::new("message", Shape::Text, "The reason, as a human-readable message."),
    Field::new("observedGeneration", Shape::Int64, "The generation that this condition describes.")
        .since(Change::ObservedGenerations),
];
