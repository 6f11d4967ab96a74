//! Chapter 7: rules in the Common Expression Language.

use crdible_scenario::Property;

mod costs;
pub(super) mod exclusions;
mod forgiveness;
mod functions;
mod messages;
mod shared;
mod transitions;
mod typed;

mod cel_001_known_types;
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
mod cel_016_nulls;
mod cel_017_known_truth;
mod cel_018_order;
mod cel_019_sums;
mod cel_020_numbers;
mod cel_021_instants;
mod cel_022_variables;
mod cel_023_functions;
mod cel_024_libraries;
mod cel_024_releases;
mod cel_025_literals;
mod cel_026_regexes;
mod cel_027_deletions;
mod cel_027_every_value;
mod cel_028_final_object;
mod cel_029_transitions;
mod cel_030_optional_old;
mod cel_031_correlation;
mod cel_032_status;
mod cel_033_causes;
mod cel_034_errors;
mod cel_035_messages;
mod cel_036_reasons;
mod cel_037_values;
mod cel_038_expression_limit;
mod cel_038_known_costs;
mod cel_039_schema_limit;
mod cel_040_bounds;
mod cel_042_evaluation_budget;
mod cel_043_object_budget;
mod cel_044_presence_is_free;
mod crdval_053_rules;
mod inv_087_keywords;
mod inv_088_laws;
mod ratchet_014_rules;
mod ratchet_015_old_values;
mod ratchet_017_gate;
mod ratchet_019_status;
mod value_039_gate;

pub(super) const PROPERTIES: &[&Property] = &[
    &cel_001_known_types::PROPERTY,
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
    &cel_013_meta_fields::VALUES,
    &cel_015_names::PROPERTY,
    &cel_015_names::VALUES,
    &cel_016_nulls::PROPERTY,
    &cel_017_known_truth::PROPERTY,
    &cel_018_order::PROPERTY,
    &cel_019_sums::PROPERTY,
    &cel_020_numbers::PROPERTY,
    &cel_021_instants::PROPERTY,
    &cel_022_variables::PROPERTY,
    &cel_023_functions::PROPERTY,
    &cel_024_libraries::PROPERTY,
    &cel_024_releases::PROPERTY,
    &cel_025_literals::PROPERTY,
    &cel_026_regexes::PROPERTY,
    &cel_027_deletions::PROPERTY,
    &cel_027_every_value::PROPERTY,
    &cel_028_final_object::PROPERTY,
    &cel_029_transitions::PROPERTY,
    &cel_030_optional_old::PROPERTY,
    &cel_031_correlation::PROPERTY,
    &cel_032_status::PROPERTY,
    &cel_033_causes::PROPERTY,
    &cel_034_errors::PROPERTY,
    &cel_035_messages::PROPERTY,
    &cel_036_reasons::PROPERTY,
    &cel_037_values::PROPERTY,
    &cel_038_expression_limit::PROPERTY,
    &cel_038_known_costs::PROPERTY,
    &cel_039_schema_limit::PROPERTY,
    &cel_040_bounds::MONOTONY,
    &cel_040_bounds::PROPERTY,
    &cel_042_evaluation_budget::PROPERTY,
    &cel_043_object_budget::PROPERTY,
    &cel_044_presence_is_free::PROPERTY,
    &crdval_053_rules::PROPERTY,
    &inv_087_keywords::PROPERTY,
    &inv_088_laws::PROPERTY,
    &ratchet_014_rules::PROPERTY,
    &ratchet_015_old_values::PROPERTY,
    &ratchet_017_gate::PROPERTY,
    &ratchet_019_status::PROPERTY,
    &value_039_gate::PROPERTY,
];
