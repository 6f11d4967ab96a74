//! Chapter 8: the order of versions, serving and storing, deprecation.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod inv_037_permutation_invariant;
mod inv_038_total_order;
mod inv_041_mixed_storage;
mod ver_001_kube_like_form;
mod ver_002_comparison;
mod ver_003_ties;
mod ver_004_spec_order;
mod ver_008_served;
mod ver_009_unserved;
mod ver_011_deprecation;
mod ver_013_header_mechanics;
mod ver_014_storage;
mod ver_015_rewriting;
mod ver_017_stored_versions;

pub(super) const PROPERTIES: &[&Property] = &[
    &ver_001_kube_like_form::PROPERTY,
    &ver_002_comparison::PROPERTY,
    &ver_003_ties::PROPERTY,
    &ver_004_spec_order::PROPERTY,
    &ver_008_served::PROPERTY,
    &ver_009_unserved::PROPERTY,
    &ver_011_deprecation::PROPERTY,
    &ver_013_header_mechanics::PROPERTY,
    &ver_014_storage::PROPERTY,
    &ver_015_rewriting::PROPERTY,
    &ver_017_stored_versions::PROPERTY,
    &inv_037_permutation_invariant::PROPERTY,
    &inv_038_total_order::PROPERTY,
    &inv_041_mixed_storage::PROPERTY,
];
