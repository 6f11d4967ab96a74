//! Chapter 2: structural schemas.

use super::Property;

pub(super) mod exclusions;
mod shared;

mod inv_095_one_violation;
mod inv_096_documentation_is_neutral;
mod struct_001_root_type;
mod struct_002_node_types;
mod struct_003_arrays_need_items;
mod struct_004_no_root_additional_properties;
mod struct_005_completeness;
mod struct_007_required_is_free;
mod struct_008_forbidden_in_quantifiers;
mod struct_009_allowed_in_quantifiers;
mod struct_010_no_metadata_in_quantifiers;
mod struct_011_int_or_string_any_of;
mod struct_012_int_or_string_all_of;
mod struct_013_int_or_string_combinations;
mod struct_015_preserve_anywhere;
mod struct_015_type_beside_preserve;
mod struct_016_embedded_shape;
mod struct_017_no_resource_in_metadata;
mod struct_018_meta_property_types;
mod struct_018_restricted_meta_fields;
mod struct_019_restricted_names;
mod struct_019_root_metadata;
mod struct_020_embedded_metadata;
mod struct_020_embedded_metadata_counts;
mod struct_021_user_metadata;
mod struct_022_nullable;
mod struct_023_list_type;
mod struct_024_map_type;
mod struct_025_keys_imply_map;
mod struct_026_set_items_atomic;
mod struct_027_map_list_form;
mod struct_028_keys_name_properties;
mod struct_029_keys_always_present;
mod struct_030_default_on_a_key;
mod struct_031_items_not_nullable;
mod struct_032_keys_not_nullable;
mod struct_033_topology_everywhere;
mod struct_034_closure;
mod struct_034_exceptions;
mod struct_035_all_rules_at_once;
mod struct_035_every_version;
mod struct_035_on_update;

pub(super) const PROPERTIES: &[&Property] = &[
    &struct_001_root_type::PROPERTY,
    &struct_002_node_types::PROPERTY,
    &struct_003_arrays_need_items::PROPERTY,
    &struct_004_no_root_additional_properties::PROPERTY,
    &struct_005_completeness::PROPERTY,
    &struct_007_required_is_free::PROPERTY,
    &struct_008_forbidden_in_quantifiers::PROPERTY,
    &struct_009_allowed_in_quantifiers::PROPERTY,
    &struct_010_no_metadata_in_quantifiers::PROPERTY,
    &struct_011_int_or_string_any_of::PROPERTY,
    &struct_012_int_or_string_all_of::PROPERTY,
    &struct_013_int_or_string_combinations::PROPERTY,
    &struct_015_preserve_anywhere::PROPERTY,
    &struct_015_type_beside_preserve::PROPERTY,
    &struct_016_embedded_shape::PROPERTY,
    &struct_017_no_resource_in_metadata::PROPERTY,
    &struct_018_meta_property_types::PROPERTY,
    &struct_018_restricted_meta_fields::PROPERTY,
    &struct_019_restricted_names::PROPERTY,
    &struct_019_root_metadata::PROPERTY,
    &struct_020_embedded_metadata::PROPERTY,
    &struct_020_embedded_metadata_counts::PROPERTY,
    &struct_021_user_metadata::PROPERTY,
    &struct_022_nullable::PROPERTY,
    &struct_023_list_type::PROPERTY,
    &struct_024_map_type::PROPERTY,
    &struct_025_keys_imply_map::PROPERTY,
    &struct_026_set_items_atomic::PROPERTY,
    &struct_027_map_list_form::PROPERTY,
    &struct_028_keys_name_properties::PROPERTY,
    &struct_029_keys_always_present::PROPERTY,
    &struct_030_default_on_a_key::PROPERTY,
    &struct_031_items_not_nullable::PROPERTY,
    &struct_032_keys_not_nullable::PROPERTY,
    &struct_033_topology_everywhere::PROPERTY,
    &struct_034_closure::PROPERTY,
    &struct_034_exceptions::PROPERTY,
    &struct_035_all_rules_at_once::PROPERTY,
    &struct_035_every_version::PROPERTY,
    &struct_035_on_update::PROPERTY,
    &inv_095_one_violation::PROPERTY,
    &inv_096_documentation_is_neutral::PROPERTY,
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use crdible_generators::breakage;
    use crdible_spec::{Catalogue, Reference};

    use super::{PROPERTIES, Property, exclusions::EXCLUSIONS};
    use crate::{run::Case, scenario::Scenario};

    const CASES: u64 = 300;

    /// The scenarios of a property at one seed, and how many cases were discarded.
    fn scenarios(property: &Property) -> (Vec<Scenario>, usize) {
        let mut scenarios = Vec::new();
        let mut discards = 0;
        for index in 0..CASES {
            match Case::plan(property, 1, index) {
                Ok(case) => scenarios.push(case.scenario),
                Err(_) => discards += 1,
            }
        }
        (scenarios, discards)
    }

    #[test]
    fn checks_assert_what_the_property_says_and_all_of_it() {
        for property in PROPERTIES {
            let (scenarios, discards) = scenarios(property);
            assert!(discards * 20 < usize::try_from(CASES).unwrap(), "{}: {discards} discards", property.id);
            let asserted: BTreeSet<&str> = scenarios
                .iter()
                .flat_map(|scenario| &scenario.checks)
                .flat_map(|check| &check.asserts)
                .map(String::as_str)
                .collect();
            let said: BTreeSet<&str> = property.asserts.iter().copied().collect();
            assert_eq!(asserted, said, "{}", property.id);
        }
    }

    #[test]
    fn scenarios_are_sound_data() {
        for property in PROPERTIES {
            for scenario in scenarios(property).0.iter().step_by(10) {
                scenario.verify().unwrap();
                let text = serde_json::to_string(scenario).unwrap();
                assert_eq!(&serde_json::from_str::<Scenario>(&text).unwrap(), scenario, "{}", property.id);
            }
        }
    }

    #[test]
    fn every_must_of_the_chapter_is_asserted_or_left_out_with_a_reason() {
        let asserted: BTreeSet<&str> = PROPERTIES.iter().flat_map(|property| property.asserts).copied().collect();
        let left_out: BTreeSet<&str> = EXCLUSIONS.iter().map(|(reference, _)| *reference).collect();
        let both: Vec<_> = asserted.intersection(&left_out).collect();
        assert!(both.is_empty(), "asserted and left out: {both:?}");
        for reference in asserted.union(&left_out) {
            let parsed: Reference = reference.parse().unwrap();
            assert!(Catalogue::embedded().resolve(&parsed).is_some(), "{reference}");
        }
        for requirement in Catalogue::embedded().matching("STRUCT") {
            let id = requirement.id.to_string();
            let edges = requirement.edges.iter().map(|edge| format!("{id}/e{}", edge.number));
            for reference in std::iter::once(id.clone()).chain(edges) {
                let is_told = asserted.contains(reference.as_str()) || left_out.contains(reference.as_str());
                assert!(is_told, "{reference}");
            }
        }
    }

    #[test]
    fn rules_that_can_be_broken_have_a_property() {
        let asserted: BTreeSet<&str> = PROPERTIES.iter().flat_map(|property| property.asserts).copied().collect();
        for requirement in breakage::requirements() {
            assert!(asserted.contains(requirement), "{requirement}");
        }
    }
}
