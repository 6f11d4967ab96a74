//! What `/scale` takes and gives: `io.k8s.api.autoscaling.v1`.

use super::field::{Field, Shape};
use super::{Content, Model, meta};

/// The body of `/scale`.
pub(crate) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";
const SPEC: &str = "io.k8s.api.autoscaling.v1.ScaleSpec";
const STATUS: &str = "io.k8s.api.autoscaling.v1.ScaleStatus";

pub(super) const MODELS: &[Model] = &[
    Model::new(
        SCALE,
        "A request to change how many replicas there are, and the answer.",
        Content::Struct(&[
            meta::KIND,
            meta::API_VERSION,
            meta::METADATA,
            Field::new("spec", Shape::Struct(SPEC), "What is wanted."),
            Field::new("status", Shape::Struct(STATUS), "What there is."),
        ]),
    )
    .of_kinds(&[["autoscaling", "v1", "Scale"]]),
    Model::new(
        SPEC,
        "How many replicas are wanted.",
        Content::Struct(&[Field::new("replicas", Shape::Int32OrZero, "The wanted number.")]),
    ),
    Model::new(
        STATUS,
        "How many replicas there are.",
        Content::Struct(&[
            Field::new("replicas", Shape::Int32, "The number there is.").required(),
            Field::new("selector", Shape::Text, "The label selector of the replicas, as text."),
        ]),
    ),
];
