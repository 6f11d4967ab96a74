//! Chapter 2: structural schemas.

use super::Property;

pub(super) const PROPERTIES: &[&Property] = &[];
