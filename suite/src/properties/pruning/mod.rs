//! Chapter 3: pruning and coercion.

use super::Property;

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may end at the first surprise")]

    use std::collections::BTreeSet;

    use crdible_spec::{Catalogue, Reference};

    use super::{PROPERTIES, Property};
    use crate::{run::Case, scenario::Scenario};

    const CASES: u64 = 300;

    /// The scenarios of a property, hand-made ones first, and how many of its cases were given up.
    fn scenarios(property: &Property) -> (Vec<Scenario>, usize) {
        let (made, given_up): (Vec<_>, Vec<_>) = (0..CASES).map(|index| Case::plan(property, 7, index)).partition(Result::is_ok);
        (made.into_iter().map(|case| case.unwrap().scenario).collect(), given_up.len())
    }

    #[test]
    fn what_checks_assert_is_what_properties_say() {
        for property in PROPERTIES {
            let (scenarios, given_up) = scenarios(property);
            assert!(given_up * 20 < scenarios.len(), "{}: {given_up} of {CASES} cases are given up", property.id);
            let stated: BTreeSet<&str> = property.asserts.iter().copied().collect();
            let checks = scenarios.iter().flat_map(|scenario| &scenario.checks);
            let asserted: BTreeSet<&str> = checks.flat_map(|check| &check.asserts).map(String::as_str).collect();
            assert_eq!(stated, asserted, "{}", property.id);
            assert_eq!(stated.len(), property.asserts.len(), "{} names something twice", property.id);
        }
    }

    #[test]
    fn references_exist() {
        for property in PROPERTIES {
            for text in property.asserts {
                let reference: Reference = text.parse().unwrap();
                assert!(Catalogue::embedded().resolve(&reference).is_some(), "{}: {text}", property.id);
            }
        }
    }

    #[test]
    fn scenarios_are_data() {
        for property in PROPERTIES {
            for scenario in scenarios(property).0 {
                let text = serde_json::to_string(&scenario).unwrap();
                assert_eq!(serde_json::from_str::<Scenario>(&text).unwrap(), scenario, "{}", property.id);
                let last = scenario.steps.len();
                assert!(scenario.checks.iter().all(|check| check.step < last), "{}", property.id);
            }
        }
    }

    #[test]
    fn every_case_judges_something() {
        for property in PROPERTIES {
            for scenario in scenarios(property).0 {
                assert!(!scenario.checks.is_empty(), "{}", property.id);
            }
        }
    }
}
