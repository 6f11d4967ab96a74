//! What the properties of this chapter share.

mod fields;
mod holder;
mod keywords;
mod leaf;
mod node;
mod sample;
mod within;

pub(super) use fields::{Around, Refused, Verdict, fields};
pub(super) use holder::Holder;
pub(super) use keywords::Keywords;
pub(super) use leaf::{Family, Leaf};
pub(super) use node::Node;
pub(super) use sample::{Example, NIL, Sample, exact, examples, samples};
pub(super) use within::Within;

use crate::properties::Capability;

/// What a target needs before its judgement of values says anything.
pub(super) const JUDGING: &[Capability] = &[Capability::Serving, Capability::Validation];

/// Values under one schema: a schema is what costs time on a real server.
pub(super) const VALUES: usize = 6;

/// `x-kubernetes-preserve-unknown-fields`.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
/// `x-kubernetes-int-or-string`.
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// `x-kubernetes-list-type`.
pub(super) const LIST_TYPE: &str = "x-kubernetes-list-type";
/// `x-kubernetes-list-map-keys`.
pub(super) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
/// `x-kubernetes-map-type`.
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";
/// `x-kubernetes-embedded-resource`.
pub(super) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
