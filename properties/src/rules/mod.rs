//! Chapter 7: rules in the Common Expression Language.

use crdible_scenario::Property;

mod costs;
pub(super) mod exclusions;
mod forgiveness;
mod functions;
mod shared;
mod transitions;

mod cel_001_rules_compile;
mod cel_016_nulls;
mod cel_018_order;
mod cel_019_sums;
mod cel_020_numbers;
mod cel_021_instants;
mod cel_023_functions;
mod cel_024_libraries;
mod cel_026_regexes;
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
    &cel_001_rules_compile::PROPERTY,
    &cel_016_nulls::PROPERTY,
    &cel_018_order::PROPERTY,
    &cel_019_sums::PROPERTY,
    &cel_020_numbers::PROPERTY,
    &cel_021_instants::PROPERTY,
    &cel_023_functions::PROPERTY,
    &cel_024_libraries::PROPERTY,
    &cel_026_regexes::PROPERTY,
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
