//! Namespaces: `io.k8s.api.core.v1`.

use super::field::{Field, Shape, Topology};
use super::meta;
use super::model::{Content, Model};

/// A namespace.
pub(crate) const NAMESPACE: &str = "io.k8s.api.core.v1.Namespace";
/// A list of namespaces.
pub(crate) const NAMESPACE_LIST: &str = "io.k8s.api.core.v1.NamespaceList";
const SPEC: &str = "io.k8s.api.core.v1.NamespaceSpec";
const STATUS: &str = "io.k8s.api.core.v1.NamespaceStatus";
const CONDITION: &str = "io.k8s.api.core.v1.NamespaceCondition";

pub(super) const MODELS: &[Model] = &[
    Model::new(
        NAMESPACE,
        "A scope for names.",
        Content::Struct(&[
            meta::KIND,
            meta::API_VERSION,
            meta::METADATA,
            Field::new("spec", Shape::Struct(SPEC), "The specification of the namespace."),
            Field::new("status", Shape::Struct(STATUS), "The status of the namespace."),
        ]),
    )
    .of_kinds(&[["", "v1", "Namespace"]]),
    Model::new(
        NAMESPACE_LIST,
        "A list of namespaces.",
        Content::Struct(&[
            meta::KIND,
            meta::API_VERSION,
            meta::LIST_METADATA,
            Field::new("items", Shape::Structs(NAMESPACE), "The namespaces.").required(),
        ]),
    )
    .of_kinds(&[["", "v1", "NamespaceList"]]),
    Model::new(
        SPEC,
        "The specification of a namespace.",
        Content::Struct(&[Field::new(
            "finalizers",
            Shape::Texts,
            "The tasks that must be done before the namespace is removed.",
        )
        .atomic()]),
    ),
    Model::new(
        STATUS,
        "The status of a namespace.",
        Content::Struct(&[
            Field::new("phase", Shape::Text, "Whether the namespace is in use or being deleted.")
                .one_of(&["Active", "Terminating"]),
            Field::new("conditions", Shape::Structs(CONDITION), "The conditions of its deletion.")
                .topology(Topology::Map(&["type"]))
                .merged_by("type"),
        ]),
    ),
    Model::new(
        CONDITION,
        "A condition of a namespace.",
        Content::Struct(&[
            Field::new("type", Shape::Text, "The type of the condition.").required(),
            Field::new("status", Shape::Text, "`True`, `False` or `Unknown`.").required(),
            Field::new("lastTransitionTime", Shape::Pointer(meta::TIME), "When the status last changed."),
            Field::new("reason", Shape::Text, "The reason, as one word for programs."),
            Field::new("message", Shape::Text, "The reason, as a human-readable message."),
        ]),
    ),
];
