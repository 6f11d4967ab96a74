//! Chapter 2: structural schemas.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod rules;
mod shared;

mod inv_095_one_violation;
mod inv_096_documentation_is_neutral;
mod struct_001_root_type;
mod struct_005_completeness;
mod struct_007_required_is_free;
mod struct_009_allowed_in_quantifiers;
mod struct_015_type_beside_preserve;
mod struct_018_restricted_meta_fields;
mod struct_019_restricted_names;
mod struct_019_root_metadata;
mod struct_020_embedded_metadata;
mod struct_020_embedded_metadata_counts;
mod struct_021_user_metadata;
mod struct_030_default_on_a_key;
mod struct_033_topology_everywhere;
mod struct_034_closure;
mod struct_034_exceptions;
mod struct_035_all_rules_at_once;
mod struct_035_every_version;
mod struct_035_on_update;

pub(super) const PROPERTIES: &[&Property] = &[
    &struct_001_root_type::PROPERTY,
    &rules::struct_002_node_types::PROPERTY,
    &rules::struct_003_arrays_need_items::PROPERTY,
    &rules::struct_004_no_root_additional_properties::PROPERTY,
    &struct_005_completeness::PROPERTY,
    &struct_007_required_is_free::PROPERTY,
    &rules::struct_008_forbidden_in_quantifiers::PROPERTY,
    &struct_009_allowed_in_quantifiers::PROPERTY,
    &rules::struct_010_no_metadata_in_quantifiers::PROPERTY,
    &rules::struct_011_int_or_string_any_of::PROPERTY,
    &rules::struct_012_int_or_string_all_of::PROPERTY,
    &rules::struct_013_int_or_string_combinations::PROPERTY,
    &rules::struct_015_preserve_anywhere::PROPERTY,
    &struct_015_type_beside_preserve::PROPERTY,
    &rules::struct_016_embedded_shape::PROPERTY,
    &rules::struct_017_no_resource_in_metadata::PROPERTY,
    &rules::struct_018_meta_property_types::PROPERTY,
    &struct_018_restricted_meta_fields::PROPERTY,
    &struct_019_restricted_names::PROPERTY,
    &struct_019_root_metadata::PROPERTY,
    &struct_020_embedded_metadata::PROPERTY,
    &struct_020_embedded_metadata_counts::PROPERTY,
    &struct_021_user_metadata::PROPERTY,
    &rules::struct_022_nullable::PROPERTY,
    &rules::struct_023_list_type::PROPERTY,
    &rules::struct_024_map_type::PROPERTY,
    &rules::struct_025_keys_imply_map::PROPERTY,
    &rules::struct_026_set_items_atomic::PROPERTY,
    &rules::struct_027_map_list_form::PROPERTY,
    &rules::struct_028_keys_name_properties::PROPERTY,
    &rules::struct_029_keys_always_present::PROPERTY,
    &struct_030_default_on_a_key::PROPERTY,
    &rules::struct_031_items_not_nullable::PROPERTY,
    &rules::struct_032_keys_not_nullable::PROPERTY,
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
    use crdible_generators::rule;

    use super::PROPERTIES;

    #[test]
    fn each_rule_that_can_be_broken_is_asserted() {
        for requirement in rule::requirements() {
            assert!(PROPERTIES.iter().any(|property| property.asserts.contains(&requirement)), "{requirement}");
        }
    }
}
