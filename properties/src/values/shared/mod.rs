//! Shared by the properties of chapter 5.

mod fields;
mod holder;
mod keywords;
mod leaf;
mod node;
mod within;

pub(super) use fields::{Refused, Verdict, fields};
pub(super) use holder::Holder;
pub(super) use keywords::Keywords;
pub(super) use leaf::{Family, Leaf};
pub(super) use node::Node;
pub(super) use within::Within;

use crdible_scenario::Capability;

/// What a target must support before its validation of values can be tested.
pub(super) const JUDGING: &[Capability] = &[Capability::Serving, Capability::Validation];
