//! Chapter 10: the subresources `/status` and `/scale`.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod defaulted;
mod object;
mod ratcheted;
mod scaled;
mod sub_004_two_endpoints;
mod sub_012_only_the_status;
mod sub_013_during_deletion;
mod sub_015_defect_switched;
mod sub_015_methods;
mod sub_016_each_version;
mod sub_023_scale_and_object;
mod sub_028_wrong_types;
mod sub_030_table;
mod sub_031_paths_of_versions;

pub(super) const PROPERTIES: &[&Property] = &[
    &sub_004_two_endpoints::PROPERTY,
    &sub_012_only_the_status::PROPERTY,
    &sub_013_during_deletion::PROPERTY,
    &sub_015_defect_switched::PROPERTY,
    &sub_015_methods::PROPERTY,
    &sub_016_each_version::PROPERTY,
    &sub_023_scale_and_object::PROPERTY,
    &sub_028_wrong_types::PROPERTY,
    &sub_030_table::PROPERTY,
    &sub_031_paths_of_versions::PROPERTY,
];
