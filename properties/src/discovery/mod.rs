//! Chapter 12: discovery.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod disc_001_documents;
mod disc_005_terminating;
mod disc_008_storage_version_hash;
mod disc_009_routing;
mod disc_010_names;
mod disc_011_forms;
mod documents;
mod served;

pub(super) const PROPERTIES: &[&Property] = &[
    &disc_001_documents::PROPERTY,
    &disc_005_terminating::PROPERTY,
    &disc_008_storage_version_hash::PROPERTY,
    &disc_009_routing::PROPERTY,
    &disc_010_names::PROPERTY,
    &disc_011_forms::PROPERTY,
];
