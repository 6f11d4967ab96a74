//! Chapter 8.1: the order of versions.

use super::Property;

pub(super) mod exclusions;
mod shared;

mod inv_037_permutation_invariant;
mod inv_038_total_order;
mod ver_001_kube_like_form;
mod ver_002_comparison;
mod ver_003_ties;
mod ver_004_spec_order;

pub(super) const PROPERTIES: &[&Property] = &[
    &ver_001_kube_like_form::PROPERTY,
    &ver_002_comparison::PROPERTY,
    &ver_003_ties::PROPERTY,
    &ver_004_spec_order::PROPERTY,
    &inv_037_permutation_invariant::PROPERTY,
    &inv_038_total_order::PROPERTY,
];
