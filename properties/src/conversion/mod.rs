//! Chapter 9: conversion between versions, by strategy None and by webhooks.

use crdible_scenario::Property;

pub(super) mod exclusions;

mod behaviours;
mod conv_001_strategy_none;
mod conv_002_same_version;
mod conv_003_every_request;
mod conv_003_watches;
mod conv_008_endpoints;
mod conv_010_unvalidated;
mod conv_010_what_is_sent;
mod conv_011_beta_reviews;
mod conv_016_labels_and_annotations;
mod conv_016_selectors;
mod conv_018_one_object;
mod conv_019_no_defaulting_after;
mod conv_019_pruned_not_defaulted;
mod conv_020_ratcheting;
mod conv_020_request_version;
mod conv_021_stored_all_the_same;
mod conv_023_recovery;
mod conv_025_changes;
mod conv_026_lossy;
mod conv_026_new_each_time;
mod conv_028_block_of_a_webhook;
mod inv_031_identity_equals_none;
mod inv_040_migration;
mod inv_042_lossless_round_trip;
mod inv_043_contained_failures;
mod inv_044_bad_answers;
mod shared;
mod writes;

pub(super) const PROPERTIES: &[&Property] = &[
    &conv_001_strategy_none::PROPERTY,
    &conv_002_same_version::PROPERTY,
    &conv_003_every_request::PROPERTY,
    &conv_003_watches::PROPERTY,
    &conv_008_endpoints::PROPERTY,
    &conv_010_unvalidated::PROPERTY,
    &conv_010_what_is_sent::PROPERTY,
    &conv_011_beta_reviews::PROPERTY,
    &conv_016_labels_and_annotations::PROPERTY,
    &conv_016_selectors::PROPERTY,
    &conv_018_one_object::PROPERTY,
    &conv_019_no_defaulting_after::PROPERTY,
    &conv_019_pruned_not_defaulted::PROPERTY,
    &conv_020_ratcheting::PROPERTY,
    &conv_020_request_version::PROPERTY,
    &conv_021_stored_all_the_same::PROPERTY,
    &conv_023_recovery::PROPERTY,
    &conv_025_changes::PROPERTY,
    &conv_026_lossy::PROPERTY,
    &conv_026_new_each_time::PROPERTY,
    &conv_028_block_of_a_webhook::PROPERTY,
    &inv_031_identity_equals_none::PROPERTY,
    &inv_040_migration::PROPERTY,
    &inv_042_lossless_round_trip::PROPERTY,
    &inv_043_contained_failures::PROPERTY,
    &inv_044_bad_answers::PROPERTY,
];
