//! Chapter 6: validation ratcheting.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod inv_083_only_forgives;
mod ratchet_001_unchanged_values;
mod ratchet_002_whole_nodes;
mod ratchet_003_changed_parents;
mod ratchet_005_map_lists;
mod ratchet_006_other_lists;
mod ratchet_007_equality;
mod ratchet_007_kinds_of_numbers;
mod ratchet_008_undeclared_content;
mod ratchet_009_root;
mod ratchet_010_type_meta;
mod ratchet_012_list_topology;
mod ratchet_020_old_value;
mod ratchet_021_fixpoint;
mod ratchet_022_no_op;

pub(super) const PROPERTIES: &[&Property] = &[
    &ratchet_001_unchanged_values::PROPERTY,
    &ratchet_002_whole_nodes::PROPERTY,
    &ratchet_003_changed_parents::PROPERTY,
    &ratchet_005_map_lists::PROPERTY,
    &ratchet_006_other_lists::PROPERTY,
    &ratchet_007_equality::PROPERTY,
    &ratchet_007_kinds_of_numbers::PROPERTY,
    &ratchet_008_undeclared_content::PROPERTY,
    &ratchet_009_root::PROPERTY,
    &ratchet_010_type_meta::PROPERTY,
    &ratchet_012_list_topology::PROPERTY,
    &ratchet_020_old_value::PROPERTY,
    &ratchet_021_fixpoint::PROPERTY,
    &ratchet_022_no_op::PROPERTY,
    &inv_083_only_forgives::PROPERTY,
];
