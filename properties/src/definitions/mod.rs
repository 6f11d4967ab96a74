//! Chapter 1: definitions, without CEL rules.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod crdval_001_object_name;
mod crdval_002_group;
mod crdval_003_scope;
mod crdval_004_required_names;
mod crdval_005_name_syntax;
mod crdval_007_stated_defaults;
mod crdval_009_immutable_fields;
mod crdval_010_before_established;
mod crdval_011_mutable_names;
mod crdval_012_version_names;
mod crdval_014_one_storage_version;
mod crdval_015_nothing_served;
mod crdval_016_deprecation;
mod crdval_017_stored_versions;
mod crdval_018_client_status;
mod crdval_021_generation;
mod crdval_022_defect_revision;
mod crdval_022_resource_version;
mod crdval_025_all_areas_at_once;
mod crdval_026_schema_required;
mod crdval_029_types;
mod crdval_030_forbidden_keywords;
mod crdval_031_unmodelled_keywords;
mod crdval_033_properties_or_additional;
mod crdval_034_defect_scripts;
mod crdval_034_patterns;
mod crdval_039_no_depth_limit;
mod crdval_040_root_keywords_under_status;
mod crdval_041_scale_paths;
mod crdval_042_printer_columns;
mod crdval_043_defect_shared_parts;
mod crdval_043_selectable_fields;
mod crdval_044_strategy;
mod crdval_045_webhook_block;
mod crdval_047_defect_swapped;
mod crdval_048_authorities;
mod crdval_048_not_established;
mod crdval_051_defaults;
mod crdval_053_defect_unchecked;
mod crdval_055_approval_updates;
mod crdval_055_protected_groups;
mod crdval_056_updates_in_full;
mod crdval_057_unrecognized_formats;
mod crdval_058_field_validation;
mod inv_095_one_broken_rule;

pub(super) const PROPERTIES: &[&Property] = &[
    &crdval_001_object_name::PROPERTY,
    &crdval_002_group::PROPERTY,
    &crdval_003_scope::PROPERTY,
    &crdval_004_required_names::PROPERTY,
    &crdval_005_name_syntax::PROPERTY,
    &crdval_007_stated_defaults::PROPERTY,
    &crdval_009_immutable_fields::PROPERTY,
    &crdval_010_before_established::PROPERTY,
    &crdval_011_mutable_names::PROPERTY,
    &crdval_012_version_names::PROPERTY,
    &crdval_014_one_storage_version::PROPERTY,
    &crdval_015_nothing_served::PROPERTY,
    &crdval_016_deprecation::PROPERTY,
    &crdval_017_stored_versions::PROPERTY,
    &crdval_018_client_status::PROPERTY,
    &crdval_021_generation::PROPERTY,
    &crdval_022_resource_version::PROPERTY,
    &crdval_022_defect_revision::PROPERTY,
    &crdval_025_all_areas_at_once::PROPERTY,
    &crdval_026_schema_required::PROPERTY,
    &crdval_029_types::PROPERTY,
    &crdval_030_forbidden_keywords::PROPERTY,
    &crdval_031_unmodelled_keywords::PROPERTY,
    &crdval_033_properties_or_additional::PROPERTY,
    &crdval_034_patterns::PROPERTY,
    &crdval_034_defect_scripts::PROPERTY,
    &crdval_039_no_depth_limit::PROPERTY,
    &crdval_040_root_keywords_under_status::PROPERTY,
    &crdval_041_scale_paths::PROPERTY,
    &crdval_042_printer_columns::PROPERTY,
    &crdval_043_selectable_fields::PROPERTY,
    &crdval_043_defect_shared_parts::PROPERTY,
    &crdval_044_strategy::PROPERTY,
    &crdval_045_webhook_block::PROPERTY,
    &crdval_047_defect_swapped::PROPERTY,
    &crdval_048_authorities::PROPERTY,
    &crdval_048_not_established::PROPERTY,
    &crdval_051_defaults::PROPERTY,
    &crdval_053_defect_unchecked::PROPERTY,
    &crdval_055_protected_groups::PROPERTY,
    &crdval_055_approval_updates::PROPERTY,
    &crdval_056_updates_in_full::PROPERTY,
    &crdval_057_unrecognized_formats::PROPERTY,
    &crdval_058_field_validation::PROPERTY,
    &inv_095_one_broken_rule::PROPERTY,
];

#[cfg(test)]
mod tests {
    use crdible_generators::definition::variations;

    use super::PROPERTIES;

    #[test]
    fn every_variation_of_a_definition_is_asserted() {
        for variation in variations() {
            for reference in variation.asserts {
                let is_asserted = PROPERTIES.iter().any(|property| property.asserts.contains(reference));
                assert!(is_asserted, "{} {reference}", variation.name);
            }
        }
    }
}
