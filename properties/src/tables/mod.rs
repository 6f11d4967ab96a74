//! Chapter 13: objects as tables, and their metadata alone (REST-069).

use crdible_scenario::Property;

pub(super) mod exclusions;

mod column;
mod object;
mod path;
mod rest_069_partial_metadata;
mod table;
mod table_001_writes;
mod table_008_watch;
mod table_009_cells;
mod table_013_ages;
mod table_017_versions;

pub(super) const PROPERTIES: &[&Property] = &[
    &table_001_writes::PROPERTY,
    &table_008_watch::PROPERTY,
    &table_009_cells::PROPERTY,
    &table_013_ages::PROPERTY,
    &table_017_versions::PROPERTY,
    &rest_069_partial_metadata::PROPERTY,
];
