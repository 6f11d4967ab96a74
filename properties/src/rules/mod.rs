//! Chapter 7: rules in the Common Expression Language.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;

mod cel_001_rules_compile;
mod cel_017_known_truth;
mod cel_027_every_value;
mod cel_036_reasons;

pub(super) const PROPERTIES: &[&Property] = &[
    &cel_001_rules_compile::PROPERTY,
    &cel_017_known_truth::PROPERTY,
    &cel_027_every_value::PROPERTY,
    &cel_036_reasons::PROPERTY,
];
