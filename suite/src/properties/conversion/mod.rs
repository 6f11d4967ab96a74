//! Chapter 9: conversion between versions, by strategy None and by webhooks.

use crate::properties::Property;

pub(super) mod exclusions;

mod conv_001_strategy_none;
mod conv_019_no_defaulting_after;
mod conv_020_request_version;
mod conv_028_block_of_a_webhook;
mod inv_042_lossless_round_trip;
mod shared;

pub(super) const PROPERTIES: &[&Property] = &[
    &conv_001_strategy_none::PROPERTY,
    &conv_019_no_defaulting_after::PROPERTY,
    &conv_020_request_version::PROPERTY,
    &conv_028_block_of_a_webhook::PROPERTY,
    &inv_042_lossless_round_trip::PROPERTY,
];
