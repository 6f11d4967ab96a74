//! Chapter 9, as far as it needs no webhook: strategy None.

use crate::properties::Property;

pub(super) mod exclusions;

mod conv_001_strategy_none;
mod conv_019_no_defaulting_after;
mod conv_020_request_version;
mod conv_028_block_of_a_webhook;

pub(super) const PROPERTIES: &[&Property] = &[
    &conv_001_strategy_none::PROPERTY,
    &conv_019_no_defaulting_after::PROPERTY,
    &conv_020_request_version::PROPERTY,
    &conv_028_block_of_a_webhook::PROPERTY,
];
