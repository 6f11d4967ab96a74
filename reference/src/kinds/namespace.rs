//! `Namespace` of `v1`.

use super::built_in::{BuiltIn, Derived, Served};
use super::column::{NAME, column};
use super::declaration::Element::{Of, Text};
use super::declaration::{Topology, Type, field, list};
use super::meta::{TIME, items, object, objects};

/// Namespaces.
pub(crate) static NAMESPACE: BuiltIn = BuiltIn {
    served: Served::Namespaces,
    group: "",
    version: "v1",
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
    short_names: &["ns"],
    categories: &[],
    subresources: &["finalize", "status"],
    deletes_collections: false,
    stored_as: ["", "v1"],
    object: &OBJECT,
    list: &LIST,
    columns: &[
        NAME,
        column("Status", "string", "Whether the namespace is in use or being deleted").at(".status.phase"),
        column("Age", "string", "The time at which the namespace was created").age(),
    ],
    derived: Derived::new(),
};

static OBJECT: Type = object("io.k8s.api.core.v1.Namespace", "A scope for names.").with(&[
    field(2, "spec", Of(&SPEC), "The specification of the namespace."),
    field(3, "status", Of(&STATUS), "The status of the namespace."),
]);

static LIST: Type =
    objects("io.k8s.api.core.v1.NamespaceList", "A list of namespaces.").with(&[items(&OBJECT, "The namespaces.")]);

static SPEC: Type = Type::new("io.k8s.api.core.v1.NamespaceSpec", "The specification of a namespace.").with(&[list(
    1,
    "finalizers",
    Text,
    "The tasks that must be done before the namespace is removed.",
)
.atomic()]);

static STATUS: Type = Type::new("io.k8s.api.core.v1.NamespaceStatus", "The status of a namespace.").with(&[
    field(1, "phase", Text, "Whether the namespace is in use or being deleted.").one_of(&["Active", "Terminating"]),
    list(2, "conditions", Of(&CONDITION), "The conditions of its deletion.")
        .topology(Topology::Map(&["type"]))
        .merged(),
]);

static CONDITION: Type = Type::new("io.k8s.api.core.v1.NamespaceCondition", "A condition of a namespace.").with(&[
    field(1, "type", Text, "The type of the condition.").required(),
    field(2, "status", Text, "`True`, `False` or `Unknown`.").required(),
    field(4, "lastTransitionTime", Of(&TIME), "When the status last changed."),
    field(5, "reason", Text, "The reason, as one word for programs."),
    field(6, "message", Text, "The reason, as a human-readable message."),
]);
