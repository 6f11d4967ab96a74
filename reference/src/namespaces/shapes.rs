//! The shape of a `Namespace` of `v1`.

use crate::shape::Shape::{List, Struct, Text, Texts, Time};
use crate::shape::Zero::{LeftOut, Written};
use crate::shape::{Field, field};

/// The root, without `apiVersion`, `kind` and `metadata`, which are checked separately.
pub(super) const ROOT: &[Field] = &[
    field("spec", Struct(&[field("finalizers", Texts, LeftOut)]), Written),
    field("status", Struct(&[field("phase", Text, LeftOut), field("conditions", List(CONDITION), LeftOut)]), Written),
];

const CONDITION: &[Field] = &[
    field("type", Text, Written),
    field("status", Text, Written),
    field("lastTransitionTime", Time, Written),
    field("reason", Text, LeftOut),
    field("message", Text, LeftOut),
];
