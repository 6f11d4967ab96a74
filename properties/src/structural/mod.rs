//! Chapter 2: structural schemas.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod each_rule;
mod inv_095_one_violation;
mod inv_096_documentation_is_neutral;
mod struct_005_completeness;
mod struct_007_required_is_free;
mod struct_008_forbidden_in_quantifiers;
mod struct_009_allowed_in_quantifiers;
mod struct_015_type_beside_preserve;
mod struct_018_restricted_meta_fields;
mod struct_019_restricted_names;
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
    &each_rule::ROOT_TYPE,
    &each_rule::NODE_TYPES,
    &each_rule::ARRAYS_NEED_ITEMS,
    &each_rule::NO_ROOT_ADDITIONAL_PROPERTIES,
    &struct_005_completeness::PROPERTY,
    &struct_007_required_is_free::PROPERTY,
    &struct_008_forbidden_in_quantifiers::PROPERTY,
    &struct_009_allowed_in_quantifiers::PROPERTY,
    &each_rule::NO_METADATA_IN_QUANTIFIERS,
    &each_rule::INT_OR_STRING_ANY_OF,
    &each_rule::INT_OR_STRING_ALL_OF,
    &each_rule::INT_OR_STRING_COMBINATIONS,
    &each_rule::PRESERVE_ANYWHERE,
    &struct_015_type_beside_preserve::PROPERTY,
    &each_rule::EMBEDDED_SHAPE,
    &each_rule::NO_RESOURCE_IN_METADATA,
    &each_rule::META_PROPERTY_TYPES,
    &struct_018_restricted_meta_fields::PROPERTY,
    &struct_019_restricted_names::PROPERTY,
    &each_rule::ROOT_METADATA,
    &each_rule::EMBEDDED_METADATA,
    &struct_020_embedded_metadata_counts::PROPERTY,
    &struct_021_user_metadata::PROPERTY,
    &each_rule::NULLABLE,
    &each_rule::LIST_TYPES,
    &each_rule::MAP_TYPES,
    &each_rule::KEYS_IMPLY_MAP,
    &each_rule::SET_ITEMS_ATOMIC,
    &each_rule::MAP_LIST_FORM,
    &each_rule::KEYS_NAME_PROPERTIES,
    &each_rule::KEYS_ALWAYS_PRESENT,
    &struct_030_default_on_a_key::PROPERTY,
    &each_rule::ITEMS_NOT_NULLABLE,
    &each_rule::KEYS_NOT_NULLABLE,
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
