//! Chapter 1: definitions, without CEL rules.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod crdval_009_immutable_fields;
mod crdval_010_before_established;
mod crdval_011_mutable_names;
mod crdval_015_nothing_served;
mod crdval_017_stored_versions;
mod crdval_018_client_status;
mod crdval_021_generation;
mod crdval_022_defect_revision;
mod crdval_022_resource_version;
mod crdval_025_all_areas_at_once;
mod crdval_029_types;
mod crdval_030_forbidden_keywords;
mod crdval_031_unmodelled_keywords;
mod crdval_033_properties_or_additional;
mod crdval_034_defect_scripts;
mod crdval_034_patterns;
mod crdval_039_no_depth_limit;
mod crdval_043_defect_shared_parts;
mod crdval_047_defect_swapped;
mod crdval_048_authorities;
mod crdval_048_not_established;
mod crdval_051_defaults;
mod crdval_053_defect_unchecked;
mod crdval_055_approval_updates;
mod crdval_056_updates_in_full;
mod crdval_057_unrecognized_formats;
mod crdval_058_field_validation;
mod each_part;
mod inv_095_one_broken_rule;

pub(super) const PROPERTIES: &[&Property] = &[
    &each_part::OBJECT_NAME,
    &each_part::GROUP,
    &each_part::SCOPE,
    &each_part::REQUIRED_NAMES,
    &each_part::NAME_SYNTAX,
    &each_part::STATED_DEFAULTS,
    &crdval_009_immutable_fields::PROPERTY,
    &crdval_010_before_established::PROPERTY,
    &crdval_011_mutable_names::PROPERTY,
    &each_part::VERSION_NAMES,
    &each_part::ONE_STORAGE_VERSION,
    &crdval_015_nothing_served::PROPERTY,
    &each_part::DEPRECATION,
    &crdval_017_stored_versions::PROPERTY,
    &crdval_018_client_status::PROPERTY,
    &crdval_021_generation::PROPERTY,
    &crdval_022_resource_version::PROPERTY,
    &crdval_022_defect_revision::PROPERTY,
    &crdval_025_all_areas_at_once::PROPERTY,
    &each_part::SCHEMA_REQUIRED,
    &crdval_029_types::PROPERTY,
    &crdval_030_forbidden_keywords::PROPERTY,
    &crdval_031_unmodelled_keywords::PROPERTY,
    &crdval_033_properties_or_additional::PROPERTY,
    &crdval_034_patterns::PROPERTY,
    &crdval_034_defect_scripts::PROPERTY,
    &crdval_039_no_depth_limit::PROPERTY,
    &each_part::ROOT_KEYWORDS_UNDER_STATUS,
    &each_part::SCALE_PATHS,
    &each_part::PRINTER_COLUMNS,
    &each_part::SELECTABLE_FIELDS,
    &crdval_043_defect_shared_parts::PROPERTY,
    &each_part::STRATEGY,
    &each_part::WEBHOOK_BLOCK,
    &crdval_047_defect_swapped::PROPERTY,
    &crdval_048_authorities::PROPERTY,
    &crdval_048_not_established::PROPERTY,
    &crdval_051_defaults::PROPERTY,
    &crdval_053_defect_unchecked::PROPERTY,
    &each_part::PROTECTED_GROUPS,
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
