//! Section 11.7: watches, and what other chapters say of them.

use crdible_scenario::Property;

mod history;
mod inv_055_replay;
mod inv_056_selectors;
mod rest_061_initial_events;
mod rest_064_refused_options;
mod rest_065_changed_definitions;
mod rest_066_endings;

pub(super) const PROPERTIES: &[&Property] = &[
    &rest_061_initial_events::PROPERTY,
    &rest_064_refused_options::PROPERTY,
    &rest_065_changed_definitions::PROPERTY,
    &rest_066_endings::PROPERTY,
    &inv_055_replay::PROPERTY,
    &inv_056_selectors::PROPERTY,
];
