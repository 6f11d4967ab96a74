//! Chapter 11: requests for objects.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod documents;
mod inv_022_yaml;
mod inv_063_ways_to_write;
mod labels;
mod namespaces;
mod owners;
mod patches;
mod rest_001_routes;
mod rest_006_forms;
mod rest_010_malformed_bodies;
mod rest_011_words;
mod rest_013_creates;
mod rest_019_any_revision;
mod rest_020_histories;
mod rest_022_namespaces;
mod rest_023_label_selectors;
mod rest_024_combinations;
mod rest_024_pages;
mod rest_026_revisions;
mod rest_029_refused_writes;
mod rest_033_json_patch;
mod rest_034_merge_patch;
mod rest_040_writes;
mod rest_042_parallel_writes;
mod rest_043_recreation;
mod rest_044_deletion;
mod rest_051_modes_of_updates;
mod rest_058_dry_runs;
mod rest_060_namespaces;
mod texts;
mod thing;

pub(super) const PROPERTIES: &[&Property] = &[
    &rest_001_routes::PROPERTY,
    &rest_006_forms::PROPERTY,
    &rest_010_malformed_bodies::PROPERTY,
    &rest_011_words::PROPERTY,
    &rest_013_creates::PROPERTY,
    &rest_019_any_revision::PROPERTY,
    &rest_020_histories::PROPERTY,
    &rest_022_namespaces::PROPERTY,
    &rest_023_label_selectors::PROPERTY,
    &rest_024_combinations::PROPERTY,
    &rest_024_pages::PROPERTY,
    &rest_026_revisions::PROPERTY,
    &rest_029_refused_writes::PROPERTY,
    &rest_033_json_patch::PROPERTY,
    &rest_034_merge_patch::PROPERTY,
    &rest_040_writes::PROPERTY,
    &rest_042_parallel_writes::PROPERTY,
    &rest_043_recreation::PROPERTY,
    &rest_044_deletion::PROPERTY,
    &rest_051_modes_of_updates::PROPERTY,
    &rest_058_dry_runs::PROPERTY,
    &rest_060_namespaces::PROPERTY,
    &inv_022_yaml::PROPERTY,
    &inv_063_ways_to_write::PROPERTY,
];
