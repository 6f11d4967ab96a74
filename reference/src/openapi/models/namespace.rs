//! Namespaces: `io.k8s.api.core.v1`.

use super::field::{Field, Shape, Topology};
use super::{Content, Model, meta};

/// A namespace.
pub(crate) const NAMESPACE: &str = "io.k8s.api.core.v1.Namespace";
/// A list of them.
pub(crate) const NAMESPACE_LIST: &str = "io.k8s.api.core.v1.NamespaceList";
const SPEC: &str = "io.k8s.api.core.v1.NamespaceSpec";
const STATUS: &str = "io.k8s.api.core.v1.NamespaceStatus";
const CONDITION: &str = "io.k8s.api.core.v1.NamespaceCondition";

pub(super) const MODELS: &[Model] = &[
    Model::new(
        NAMESPACE,
        "A room for names.",
        Content::Struct(&[
            meta::KIND,
            meta::API_VERSION,
            meta::METADATA,
            Field::new("spec", Shape::Struct(SPEC), "What is wanted of it."),
            Field::new("status", Shape::Struct(STATUS), "How it is."),
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
        "What is wanted of a namespace.",
        Content::Struct(&[Field::new(
            "finalizers",
            Shape::Texts,
            "Who has still something to do before the namespace is gone.",
        )
        .atomic()]),
    ),
    Model::new(
        STATUS,
        "How a namespace is.",
        Content::Struct(&[
            Field::new("phase", Shape::Text, "Whether it is in use, or on its way out.")
                .one_of(&["Active", "Terminating"]),
            Field::new("conditions", Shape::Structs(CONDITION), "How its deletion goes on.")
                .topology(Topology::Map(&["type"]))
                .merged_by("type"),
        ]),
    ),
    Model::new(
        CONDITION,
        "One thing that is known about a namespace.",
        Content::Struct(&[
            Field::new("type", Shape::Text, "What it is about.").required(),
            Field::new("status", Shape::Text, "`True`, `False` or `Unknown`.").required(),
            Field::new("lastTransitionTime", Shape::Pointer(meta::TIME), "When the status last changed."),
            Field::new("reason", Shape::Text, "Why, for programs: one word."),
            Field::new("message", Shape::Text, "Why, for people."),
        ]),
    ),
];
