//! Broken pieces of all rules.

use super::{
    super::{
        struct_002_node_types, struct_003_arrays_need_items, struct_004_no_root_additional_properties,
        struct_008_forbidden_in_quantifiers, struct_010_no_metadata_in_quantifiers, struct_011_int_or_string_any_of,
        struct_012_int_or_string_all_of, struct_013_int_or_string_combinations, struct_015_preserve_anywhere,
        struct_016_embedded_shape, struct_017_no_resource_in_metadata, struct_018_meta_property_types,
        struct_022_nullable, struct_023_list_type, struct_024_map_type, struct_025_keys_imply_map,
        struct_026_set_items_atomic, struct_027_map_list_form, struct_028_keys_name_properties,
        struct_029_keys_always_present, struct_031_items_not_nullable, struct_032_keys_not_nullable,
    },
    Example,
};
use crate::scenario::Cause;

/// The examples of one rule.
type Examples = fn() -> Vec<Example>;

/// The rules about the topology of lists and maps (section 2.7).
pub(crate) const TOPOLOGY: &[Examples] = &[
    struct_023_list_type::examples,
    struct_024_map_type::examples,
    struct_025_keys_imply_map::examples,
    struct_026_set_items_atomic::examples,
    struct_027_map_list_form::examples,
    struct_028_keys_name_properties::examples,
    struct_029_keys_always_present::examples,
    struct_031_items_not_nullable::examples,
    struct_032_keys_not_nullable::examples,
];

/// The rules about types, quantifiers and extensions.
const STRUCTURE: &[Examples] = &[
    struct_002_node_types::examples,
    struct_003_arrays_need_items::examples,
    struct_004_no_root_additional_properties::examples,
    struct_008_forbidden_in_quantifiers::examples,
    struct_010_no_metadata_in_quantifiers::examples,
    struct_011_int_or_string_any_of::examples,
    struct_012_int_or_string_all_of::examples,
    struct_013_int_or_string_combinations::examples,
    struct_015_preserve_anywhere::examples,
    struct_016_embedded_shape::examples,
    struct_017_no_resource_in_metadata::examples,
    struct_018_meta_property_types::examples,
    struct_022_nullable::examples,
];

/// Every example that can stand broken beside others at any node below the root.
pub(crate) fn broken_pieces() -> Vec<Example> {
    STRUCTURE.iter().chain(TOPOLOGY).flat_map(|examples| examples()).filter(Example::is_refused_node).collect()
}

/// The causes of examples that stand at these paths, all together.
pub(crate) fn causes_of(pieces: &[&Example], paths: &[String]) -> Vec<Cause> {
    pieces.iter().zip(paths).flat_map(|(piece, path)| piece.causes_below(path)).collect()
}
