//! Chapter 5: value validation.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod format_table;
mod shared;

mod inv_023_singleton_quantifiers;
mod inv_026_bound_monotony;
mod inv_030_location_independence;
mod inv_034_errors_are_located;
mod value_001_several_causes;
mod value_001_type_check;
mod value_002_untyped_nodes;
mod value_003_integral_floats;
mod value_005_normalisation;
mod value_006_int_or_string;
mod value_007_bounds;
mod value_008_numeric_formats;
mod value_009_defect_bounds;
mod value_010_multiple_of;
mod value_011_length;
mod value_012_pattern;
mod value_013_first_failure;
mod value_014_formats;
mod value_015_defect_texts;
mod value_016_ignored_formats;
mod value_017_defect_arrays;
mod value_018_defect_conversion;
mod value_018_enum;
mod value_019_null;
mod value_021_required;
mod value_022_property_counts;
mod value_023_containers;
mod value_024_item_counts;
mod value_026_equal_elements;
mod value_027_all_of;
mod value_028_any_of;
mod value_029_one_of;
mod value_030_not;
mod value_031_final_value;
mod value_032_closed_objects;
mod value_033_set_lists;
mod value_034_map_lists;
mod value_035_anywhere;
mod value_037_topology_on_update;
mod value_038_phases;
mod value_040_object_name;
mod value_041_metadata_limits;
mod value_044_defect_literals;
mod value_047_defect_numbers;
mod value_047_equal_numbers;

pub(super) const PROPERTIES: &[&Property] = &[
    &value_001_several_causes::PROPERTY,
    &value_001_type_check::PROPERTY,
    &value_002_untyped_nodes::PROPERTY,
    &value_003_integral_floats::PROPERTY,
    &value_005_normalisation::PROPERTY,
    &value_006_int_or_string::PROPERTY,
    &value_007_bounds::PROPERTY,
    &value_008_numeric_formats::PROPERTY,
    &value_009_defect_bounds::PROPERTY,
    &value_010_multiple_of::PROPERTY,
    &value_011_length::PROPERTY,
    &value_012_pattern::PROPERTY,
    &value_013_first_failure::PROPERTY,
    &value_014_formats::PROPERTY,
    &value_015_defect_texts::PROPERTY,
    &value_016_ignored_formats::PROPERTY,
    &value_017_defect_arrays::PROPERTY,
    &value_018_defect_conversion::PROPERTY,
    &value_018_enum::PROPERTY,
    &value_019_null::PROPERTY,
    &value_021_required::PROPERTY,
    &value_022_property_counts::PROPERTY,
    &value_023_containers::PROPERTY,
    &value_024_item_counts::PROPERTY,
    &value_026_equal_elements::PROPERTY,
    &value_027_all_of::PROPERTY,
    &value_028_any_of::PROPERTY,
    &value_029_one_of::PROPERTY,
    &value_030_not::PROPERTY,
    &value_031_final_value::PROPERTY,
    &value_032_closed_objects::PROPERTY,
    &value_033_set_lists::PROPERTY,
    &value_034_map_lists::PROPERTY,
    &value_035_anywhere::PROPERTY,
    &value_037_topology_on_update::PROPERTY,
    &value_038_phases::PROPERTY,
    &value_040_object_name::PROPERTY,
    &value_041_metadata_limits::PROPERTY,
    &value_044_defect_literals::PROPERTY,
    &value_047_defect_numbers::PROPERTY,
    &value_047_equal_numbers::PROPERTY,
    &inv_023_singleton_quantifiers::PROPERTY,
    &inv_026_bound_monotony::PROPERTY,
    &inv_030_location_independence::PROPERTY,
    &inv_034_errors_are_located::PROPERTY,
];
