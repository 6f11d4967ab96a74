//! Chapter 9: conversion between versions, by strategy None and by webhooks.

use crate::properties::Property;

pub(super) mod exclusions;

mod behaviours;
mod conv_001_strategy_none;
mod conv_002_same_version;
mod conv_010_what_is_sent;
mod conv_016_labels_and_annotations;
mod conv_019_no_defaulting_after;
mod conv_019_pruned_not_defaulted;
mod conv_020_request_version;
mod conv_026_lossy;
mod conv_028_block_of_a_webhook;
mod inv_031_identity_equals_none;
mod inv_042_lossless_round_trip;
mod inv_043_contained_failures;
mod inv_044_bad_answers;
mod shared;

pub(super) const PROPERTIES: &[&Property] = &[
    &conv_001_strategy_none::PROPERTY,
    &conv_002_same_version::PROPERTY,
    &conv_010_what_is_sent::PROPERTY,
    &conv_016_labels_and_annotations::PROPERTY,
    &conv_019_no_defaulting_after::PROPERTY,
    &conv_019_pruned_not_defaulted::PROPERTY,
    &conv_020_request_version::PROPERTY,
    &conv_026_lossy::PROPERTY,
    &conv_028_block_of_a_webhook::PROPERTY,
    &inv_031_identity_equals_none::PROPERTY,
    &inv_042_lossless_round_trip::PROPERTY,
    &inv_043_contained_failures::PROPERTY,
    &inv_044_bad_answers::PROPERTY,
];
