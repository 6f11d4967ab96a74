//! Chapter 3: pruning and coercion.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod inv_001_prune_is_idempotent;
mod inv_003_schema_monotony;
mod inv_004_key_order;
mod inv_005_verbatim_regions;
mod inv_006_restart_below_preserved;
mod inv_007_arrays_are_element_wise;
mod inv_008_maps_are_value_wise;
mod inv_017_tighten_and_loosen;
mod inv_019_strict_iff_warn_is_silent;
mod inv_020_modes_store_the_same;
mod inv_021_warnings_list_the_difference;
mod prune_001_unknown_keys;
mod prune_002_only_structure_counts;
mod prune_003_wrong_containers;
mod prune_007_kind_of_value;
mod prune_009_preserved_lists;
mod prune_012_fewer_keys_fewer_left;
mod prune_013_root_meta_fields;
mod prune_014_embedded_meta_fields;
mod prune_016_root_metadata;
mod prune_017_embedded_corners;
mod prune_017_embedded_metadata;
mod prune_018_embedded_validation;
mod prune_018_no_ratcheting;
mod prune_019_defect_no_object;
mod prune_019_defect_other_version;
mod prune_019_metadata_at_rest;
mod prune_020_every_write;
mod prune_020_requested_version;
mod prune_021_storage_write;
mod prune_022_storage_read;
mod prune_026_delete_options;
mod prune_028_report;
mod prune_030_dropped_nulls;

pub(super) const PROPERTIES: &[&Property] = &[
    &prune_001_unknown_keys::PROPERTY,
    &prune_002_only_structure_counts::PROPERTY,
    &prune_003_wrong_containers::PROPERTY,
    &prune_007_kind_of_value::PROPERTY,
    &prune_009_preserved_lists::PROPERTY,
    &prune_012_fewer_keys_fewer_left::PROPERTY,
    &prune_013_root_meta_fields::PROPERTY,
    &prune_014_embedded_meta_fields::PROPERTY,
    &prune_016_root_metadata::PROPERTY,
    &prune_017_embedded_corners::PROPERTY,
    &prune_017_embedded_metadata::PROPERTY,
    &prune_018_embedded_validation::PROPERTY,
    &prune_018_no_ratcheting::PROPERTY,
    &prune_019_defect_no_object::PROPERTY,
    &prune_019_defect_other_version::PROPERTY,
    &prune_019_metadata_at_rest::PROPERTY,
    &prune_020_every_write::PROPERTY,
    &prune_020_requested_version::PROPERTY,
    &prune_021_storage_write::PROPERTY,
    &prune_022_storage_read::PROPERTY,
    &prune_026_delete_options::PROPERTY,
    &prune_028_report::PROPERTY,
    &prune_030_dropped_nulls::PROPERTY,
    &inv_001_prune_is_idempotent::PROPERTY,
    &inv_003_schema_monotony::PROPERTY,
    &inv_004_key_order::PROPERTY,
    &inv_005_verbatim_regions::PROPERTY,
    &inv_006_restart_below_preserved::PROPERTY,
    &inv_007_arrays_are_element_wise::PROPERTY,
    &inv_008_maps_are_value_wise::PROPERTY,
    &inv_017_tighten_and_loosen::PROPERTY,
    &inv_019_strict_iff_warn_is_silent::PROPERTY,
    &inv_020_modes_store_the_same::PROPERTY,
    &inv_021_warnings_list_the_difference::PROPERTY,
];
