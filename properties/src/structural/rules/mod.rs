//! The rules that a single node of a schema can violate: one file per rule, with pieces of schema that violate it or
//! satisfy it.
//!
//! The properties in the parent folder combine the pieces of all rules.

use crate::shared::Piece;

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

/// The pieces of one rule.
type Pieces = fn() -> Vec<Piece>;

/// The rules about types, quantifiers and extensions.
const STRUCTURE: &[Pieces] = &[
    struct_002_node_types::pieces,
    struct_003_arrays_need_items::pieces,
    struct_004_no_root_additional_properties::pieces,
    struct_008_forbidden_in_quantifiers::pieces,
    struct_010_no_metadata_in_quantifiers::pieces,
    struct_011_int_or_string_any_of::pieces,
    struct_012_int_or_string_all_of::pieces,
    struct_013_int_or_string_combinations::pieces,
    struct_015_preserve_anywhere::pieces,
    struct_016_embedded_shape::pieces,
    struct_017_no_resource_in_metadata::pieces,
    struct_018_meta_property_types::pieces,
    struct_022_nullable::pieces,
];

/// The rules about the topology of lists and maps (section 2.7).
pub(super) const TOPOLOGY: &[Pieces] = &[
    struct_023_list_type::pieces,
    struct_024_map_type::pieces,
    struct_025_keys_imply_map::pieces,
    struct_026_set_items_atomic::pieces,
    struct_027_map_list_form::pieces,
    struct_028_keys_name_properties::pieces,
    struct_029_keys_always_present::pieces,
    struct_031_items_not_nullable::pieces,
    struct_032_keys_not_nullable::pieces,
];

/// Every piece that violates a rule at any node below the root, and can be combined with others.
pub(super) fn broken_pieces() -> Vec<Piece> {
    STRUCTURE.iter().chain(TOPOLOGY).flat_map(|pieces| pieces()).filter(Piece::is_refused_node).collect()
}
