//! The body of `/scale`: `io.k8s.api.autoscaling.v1`.

use super::field::{Field, Shape};
use super::meta;
use super::model::{Content, Model};

/// The body of `/scale`.
pub(crate) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";
const SPEC: &str = "io.k8s.api.autoscaling.v1.ScaleSpec";
const STATUS: &str = "io.k8s.api.autoscaling.v1.ScaleStatus";

pub(super) const MODELS: &[Model] = &[
    Model::new(
        SCALE,
        "The desired and the actual number of replicas.",
        Content::Struct(&[
            meta::KIND,
            meta::API_VERSION,
            meta::METADATA,
            Field::new("spec", Shape::Struct(SPEC), "The desired scale."),
            Field::new("status", Shape::Struct(STATUS), "The actual scale."),
        ]),
    )
    .of_kinds(&[["autoscaling", "v1", "Scale"]]),
    Model::new(
        SPEC,
        "The desired scale.",
        Content::Struct(&[Field::new("replicas", Shape::Int32OrZero, "The desired number of replicas.")]),
    ),
    Model::new(
        STATUS,
        "The actual scale.",
        Content::Struct(&[
            Field::new("replicas", Shape::Int32, "The actual number of replicas.").required(),
            Field::new("selector", Shape::Text, "The label selector of the replicas, as a string."),
        ]),
    ),
];
