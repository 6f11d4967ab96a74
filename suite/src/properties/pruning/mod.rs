//! Chapter 3: pruning and coercion.

use super::Property;

mod shared;

mod inv_001_prune_is_idempotent;
mod inv_003_schema_monotony;
mod inv_004_key_order;
mod inv_005_verbatim_regions;
mod inv_006_restart_below_preserved;
mod inv_007_arrays_are_element_wise;
mod inv_008_maps_are_value_wise;
mod prune_001_unknown_keys;
mod prune_002_only_structure_counts;
mod prune_003_wrong_containers;
mod prune_007_kind_of_value;
mod prune_009_preserved_lists;
mod prune_012_fewer_keys_fewer_left;

pub(super) const PROPERTIES: &[&Property] = &[
    &prune_001_unknown_keys::PROPERTY,
    &prune_002_only_structure_counts::PROPERTY,
    &prune_003_wrong_containers::PROPERTY,
    &prune_007_kind_of_value::PROPERTY,
    &prune_009_preserved_lists::PROPERTY,
    &prune_012_fewer_keys_fewer_left::PROPERTY,
    &inv_001_prune_is_idempotent::PROPERTY,
    &inv_003_schema_monotony::PROPERTY,
    &inv_004_key_order::PROPERTY,
    &inv_005_verbatim_regions::PROPERTY,
    &inv_006_restart_below_preserved::PROPERTY,
    &inv_007_arrays_are_element_wise::PROPERTY,
    &inv_008_maps_are_value_wise::PROPERTY,
];
