//! The rules that a single node of a schema can violate: one file per rule. What violates or satisfies it is in the
//! table of `crdible_generators::rule`.

pub(super) mod struct_002_node_types;
pub(super) mod struct_003_arrays_need_items;
pub(super) mod struct_004_no_root_additional_properties;
pub(super) mod struct_008_forbidden_in_quantifiers;
pub(super) mod struct_010_no_metadata_in_quantifiers;
pub(super) mod struct_011_int_or_string_any_of;
pub(super) mod struct_012_int_or_string_all_of;
pub(super) mod struct_013_int_or_string_combinations;
pub(super) mod struct_015_preserve_anywhere;
pub(super) mod struct_016_embedded_shape;
pub(super) mod struct_017_no_resource_in_metadata;
pub(super) mod struct_018_meta_property_types;
pub(super) mod struct_022_nullable;
pub(super) mod struct_023_list_type;
pub(super) mod struct_024_map_type;
pub(super) mod struct_025_keys_imply_map;
pub(super) mod struct_026_set_items_atomic;
pub(super) mod struct_027_map_list_form;
pub(super) mod struct_028_keys_name_properties;
pub(super) mod struct_029_keys_always_present;
pub(super) mod struct_031_items_not_nullable;
pub(super) mod struct_032_keys_not_nullable;
