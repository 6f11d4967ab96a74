//! Chapter 8.1: the order of versions.

use super::Property;

pub(super) mod exclusions;

pub(super) const PROPERTIES: &[&Property] = &[];
