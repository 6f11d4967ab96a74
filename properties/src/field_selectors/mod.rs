//! Chapter 14: field selectors.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod fsel_009_watch;
mod fsel_010_lists;
mod fsel_012_versions;
mod selectable;

pub(super) const PROPERTIES: &[&Property] =
    &[&fsel_009_watch::PROPERTY, &fsel_010_lists::PROPERTY, &fsel_012_versions::PROPERTY];
