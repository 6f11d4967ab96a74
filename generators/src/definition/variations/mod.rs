//! The tables of variations, by part of a definition.

mod approval;
mod conversion;
mod edits;
mod identity;
mod scale_and_columns;
mod schemas;
mod versions;

use crdible_semantics::RowCause;

use super::variation::{Part, Variation};

/// The causes of a rejection.
type Causes = &'static [RowCause];

/// All variations, in the order of the requirements.
pub fn variations() -> impl Iterator<Item = &'static Variation> {
    [
        identity::VARIATIONS,
        versions::VARIATIONS,
        schemas::VARIATIONS,
        scale_and_columns::VARIATIONS,
        conversion::VARIATIONS,
        approval::VARIATIONS,
    ]
    .into_iter()
    .flatten()
}

/// The variations of a requirement.
pub fn variations_of(requirement: &str) -> Vec<&'static Variation> {
    variations().filter(|variation| variation.requirement() == requirement).collect()
}
