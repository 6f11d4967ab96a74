//! Chapter 15: definitions over time. Also what other chapters say of their conditions and deletion.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod crdval_019_status_writes;
mod inv_103_independent_groups;
mod life_002_establishment;
mod life_006_name_conflicts;
mod life_009_ca_bundle;
mod life_013_approval;
mod life_015_deletion;
mod life_019_recreation;
mod life_022_preconditions;
mod life_024_changes_keep_objects;
mod shared;

pub(super) const PROPERTIES: &[&Property] = &[
    &life_002_establishment::PROPERTY,
    &life_006_name_conflicts::PROPERTY,
    &life_009_ca_bundle::PROPERTY,
    &life_013_approval::PROPERTY,
    &life_015_deletion::PROPERTY,
    &life_019_recreation::PROPERTY,
    &life_022_preconditions::PROPERTY,
    &life_024_changes_keep_objects::PROPERTY,
    &inv_103_independent_groups::PROPERTY,
    &crdval_019_status_writes::PROPERTY,
];
