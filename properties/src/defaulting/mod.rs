//! Chapter 4: defaulting and null handling.

use crdible_scenario::Property;

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
mod default_008_quantifiers_never_default;
mod default_009_order;
mod default_010_request_defaulting;
mod default_011_storage_read;
mod default_012_no_defaulting_with_the_version_of_a_read;
mod default_013_double_defaulting;
mod default_014_reading_persists_nothing;
mod default_015_changed_default;
mod default_017_required_checks_presence;
mod default_018_embedded_defaults;
mod default_019_deep_copy;
mod default_020_idempotence;
mod default_021_patch_null_semantics;
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
    &default_008_quantifiers_never_default::PROPERTY,
    &default_009_order::PROPERTY,
    &default_010_request_defaulting::PROPERTY,
    &default_011_storage_read::PROPERTY,
    &default_012_no_defaulting_with_the_version_of_a_read::PROPERTY,
    &default_013_double_defaulting::PROPERTY,
    &default_014_reading_persists_nothing::PROPERTY,
    &default_015_changed_default::PROPERTY,
    &default_017_required_checks_presence::PROPERTY,
    &default_018_embedded_defaults::PROPERTY,
    &default_019_deep_copy::PROPERTY,
    &default_020_idempotence::PROPERTY,
    &default_021_patch_null_semantics::PROPERTY,
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
