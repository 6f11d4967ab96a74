//! The expected outcome of an example.

use crate::shared::place::Place;
use crate::shared::prelude::*;

/// The expected outcome when a value is sent for a node. Paths are relative to the node: `.a`, `[0].b`, or empty.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// Accepted. The stored value does not matter.
    Accepted,
    /// Accepted, and stored as this value.
    Kept(Value),
    /// Accepted, and nothing remains of it: the key is dropped.
    Dropped,
    /// Accepted under `fieldValidation=Strict`, and stored as this value.
    Silent(Value),
    /// Rejected with exactly these causes: their paths are relative, or that of [`NIL`](crate::shared::NIL).
    Refused(Vec<Cause>),
    /// Rejected under `fieldValidation=Strict`, with exactly these unknown fields.
    Unknown(Vec<String>),
    /// Rejected with 400 and no causes.
    BadRequest,
}

impl Outcome {
    /// The `fieldValidation` of the request.
    pub(super) fn mode(&self) -> Option<&'static str> {
        matches!(self, Self::Silent(_) | Self::Unknown(_)).then_some("Strict")
    }

    /// What must hold for the answer, if the object has the value at this place and nothing else.
    pub(super) fn expectation(self, place: &Place) -> Expectation {
        match self {
            Self::Accepted => Expectation::Accepted,
            Self::Kept(value) | Self::Silent(value) => Expectation::Content(place.content(value)),
            Self::Dropped => Expectation::Content(place.holding(None).unwrap_or_default()),
            Self::Refused(causes) => Expectation::Causes(place.causes(causes)),
            Self::Unknown(paths) => Expectation::StrictRefusal(place.all_fields(&paths)),
            Self::BadRequest => Expectation::BadRequest,
        }
    }
}
