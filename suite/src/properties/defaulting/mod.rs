//! Chapter 4: defaulting and null handling.

use super::Property;

mod entries;
pub(super) mod exclusions;
mod grown;
mod nodes;
mod planted;
mod shared;

mod default_001_missing_property;
mod default_002_null_property;
mod default_003_null_without_default;
mod default_004_recursion;
mod default_005_arrays;
mod default_006_map_values;
mod default_007_type_mismatch;
mod default_008_quantifiers;
mod default_009_order;
mod default_010_request_defaulting;
mod default_011_storage_read;
mod default_012_no_request_version_defaults;
mod default_013_double_defaulting;
mod default_014_reading_persists_nothing;
mod default_015_changed_default;
mod default_017_required_checks_presence;
mod default_018_embedded_defaults;
mod default_019_deep_copy;
mod default_020_idempotence;
mod default_021_patch_nulls;
mod inv_009_default_is_idempotent;
mod inv_010_defaulting_only_adds;
mod inv_011_null_equals_absent;
mod inv_012_nullable_keeps_null;
mod inv_013_delete_equals_never_set;
mod inv_014_required_is_free_with_a_default;
mod inv_015_explicit_equals_implicit;
mod inv_016_read_defaults_need_no_write;
mod inv_018_independent_copies;

pub(super) const PROPERTIES: &[&Property] = &[
    &default_001_missing_property::PROPERTY,
    &default_002_null_property::PROPERTY,
    &default_003_null_without_default::PROPERTY,
    &default_004_recursion::PROPERTY,
    &default_005_arrays::PROPERTY,
    &default_006_map_values::PROPERTY,
    &default_007_type_mismatch::PROPERTY,
    &default_008_quantifiers::PROPERTY,
    &default_009_order::PROPERTY,
    &default_010_request_defaulting::PROPERTY,
    &default_011_storage_read::PROPERTY,
    &default_012_no_request_version_defaults::PROPERTY,
    &default_013_double_defaulting::PROPERTY,
    &default_014_reading_persists_nothing::PROPERTY,
    &default_015_changed_default::PROPERTY,
    &default_017_required_checks_presence::PROPERTY,
    &default_018_embedded_defaults::PROPERTY,
    &default_019_deep_copy::PROPERTY,
    &default_020_idempotence::PROPERTY,
    &default_021_patch_nulls::PROPERTY,
    &inv_009_default_is_idempotent::PROPERTY,
    &inv_010_defaulting_only_adds::PROPERTY,
    &inv_011_null_equals_absent::PROPERTY,
    &inv_012_nullable_keeps_null::PROPERTY,
    &inv_013_delete_equals_never_set::PROPERTY,
    &inv_014_required_is_free_with_a_default::PROPERTY,
    &inv_015_explicit_equals_implicit::PROPERTY,
    &inv_016_read_defaults_need_no_write::PROPERTY,
    &inv_018_independent_copies::PROPERTY,
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use crdible_spec::{Catalogue, Reference};

    use super::{PROPERTIES, exclusions::EXCLUSIONS};
    use crate::{run::Case, scenario::Scenario};

    const CASES: u64 = 300;

    #[test]
    fn plans_are_sound_and_assert_what_they_say() {
        for property in PROPERTIES {
            let planned: Vec<Scenario> =
                (0..CASES).filter_map(|index| Case::plan(property, 7, index).ok()).map(|case| case.scenario).collect();
            assert!(
                planned.len() as u64 * 20 > CASES * 19,
                "{}: only {} of {CASES} are planned",
                property.id,
                planned.len()
            );
            let asserted: BTreeSet<&str> = planned
                .iter()
                .flat_map(|scenario| &scenario.checks)
                .flat_map(|check| &check.asserts)
                .map(String::as_str)
                .collect();
            assert_eq!(asserted, property.asserts.iter().copied().collect(), "{}", property.id);
            for scenario in planned.iter().step_by(7) {
                scenario.verify().unwrap();
                let text = serde_json::to_string(scenario).unwrap();
                assert!(serde_json::from_str::<Scenario>(&text).unwrap() == *scenario, "{}: {text}", property.id);
            }
        }
    }

    /// INV-017 belongs to the chapter about pruning.
    #[test]
    fn the_chapter_is_asserted_or_left_out_with_a_reason() {
        let asserted: BTreeSet<&str> = PROPERTIES.iter().flat_map(|property| property.asserts).copied().collect();
        let left_out: BTreeSet<&str> = EXCLUSIONS.iter().map(|(reference, _)| *reference).collect();
        assert!(asserted.is_disjoint(&left_out));
        for reference in asserted.union(&left_out) {
            assert!(Catalogue::embedded().resolve(&reference.parse::<Reference>().unwrap()).is_some(), "{reference}");
        }
        let invariants = (9..=16).chain([18]).map(|number| format!("INV-{number:03}"));
        let chapter = Catalogue::embedded().matching("DEFAULT").map(|requirement| requirement.id.to_string());
        for requirement in chapter.chain(invariants).filter_map(|id| Catalogue::embedded().get(id.parse().unwrap())) {
            let edges = requirement.edge_references().map(|(reference, _)| reference.to_string());
            for reference in edges.chain([requirement.id.to_string()]) {
                assert!(asserted.contains(reference.as_str()) || left_out.contains(reference.as_str()), "{reference}");
            }
        }
    }
}
