//! The body of `/scale`: `Scale` of `autoscaling/v1`.

use crdible_semantics::release::Change;

use super::column::{Column, NAME, column};
use super::declaration::Element::{Int32, Of, Text};
use super::declaration::{Type, field};
use super::meta::object;

/// The body of `/scale`.
pub(crate) static SCALE: Type =
    object("io.k8s.api.autoscaling.v1.Scale", "The desired and the actual number of replicas.")
        .of_kind(["autoscaling", "v1", "Scale"])
        .with(&[
            field(2, "spec", Of(&SPEC), "The desired scale."),
            field(3, "status", Of(&STATUS), "The actual scale."),
        ]);

/// Its table columns (SUB-030).
pub(crate) const SCALE_COLUMNS: &[Column] = &[
    NAME,
    column("Desired", "integer", "The desired number of replicas").at(".spec.replicas"),
    column("Available", "integer", "The actual number of replicas").at(".status.replicas"),
    column("Age", "date", "The time at which the object was created").age(),
];

static SPEC: Type = Type::new("io.k8s.api.autoscaling.v1.ScaleSpec", "The desired scale.").with(&[field(
    1,
    "replicas",
    Int32,
    "The desired number of replicas.",
)
.default_since(Change::ScaleDefault)]);

static STATUS: Type = Type::new("io.k8s.api.autoscaling.v1.ScaleStatus", "The actual scale.").with(&[
    field(1, "replicas", Int32, "The actual number of replicas.").required(),
    field(2, "selector", Text, "The label selector of the replicas, as a string."),
]);
