//! Chapter 7: rules in the Common Expression Language.

use crdible_scenario::Property;

pub(super) mod exclusions;
mod shared;
mod typed;

mod cel_001_limits;
mod cel_001_rules_compile;
mod cel_001_texts;
mod cel_002_messages;
mod cel_003_message_expressions;
mod cel_004_reasons;
mod cel_005_field_paths;
mod cel_006_uncorrelated;
mod cel_007_optional_old;
mod cel_008_everywhere;
mod cel_009_order_of_checks;
mod cel_011_types;
mod cel_012_untyped;
mod cel_013_meta_fields;
mod cel_015_names;
mod cel_017_known_truth;
mod cel_022_variables;
mod cel_024_releases;
mod cel_025_literals;
mod cel_027_every_value;
mod cel_036_reasons;
mod cel_038_expression_limit;
mod cel_039_schema_limit;
mod cel_040_bounds;

pub(super) const PROPERTIES: &[&Property] = &[
    &cel_001_limits::PROPERTY,
    &cel_001_rules_compile::PROPERTY,
    &cel_001_texts::PROPERTY,
    &cel_002_messages::PROPERTY,
    &cel_003_message_expressions::PROPERTY,
    &cel_004_reasons::PROPERTY,
    &cel_005_field_paths::PROPERTY,
    &cel_006_uncorrelated::PROPERTY,
    &cel_007_optional_old::PROPERTY,
    &cel_008_everywhere::PROPERTY,
    &cel_009_order_of_checks::PROPERTY,
    &cel_011_types::PROPERTY,
    &cel_011_types::VALUES,
    &cel_012_untyped::PROPERTY,
    &cel_012_untyped::WHOLES,
    &cel_013_meta_fields::PROPERTY,
    &cel_015_names::PROPERTY,
    &cel_015_names::VALUES,
    &cel_017_known_truth::PROPERTY,
    &cel_022_variables::PROPERTY,
    &cel_024_releases::PROPERTY,
    &cel_025_literals::PROPERTY,
    &cel_027_every_value::PROPERTY,
    &cel_036_reasons::PROPERTY,
    &cel_038_expression_limit::PROPERTY,
    &cel_039_schema_limit::PROPERTY,
    &cel_040_bounds::MONOTONY,
    &cel_040_bounds::PROPERTY,
];
