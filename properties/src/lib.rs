//! The properties: one folder per chapter of the specification, one small file per property, named after its first
//! requirement. Those that differ only in the rows of a table stand together. They plan scenarios, and know nothing of
//! the engine that runs these.

#[cfg(test)]
mod contract;
#[cfg(test)]
mod imports;
mod prelude;
mod shared;

mod conversion;
mod defaulting;
mod definitions;
mod discovery;
mod field_selectors;
mod lifecycle;
mod openapi;
mod pruning;
mod ratcheting;
mod requests;
mod rules;
mod structural;
mod subresources;
mod tables;
mod values;
mod versions;
mod watches;

mod digest;
pub mod exclusions;
pub mod explore;
pub mod reviews;

use crdible_scenario::Property;

pub use digest::generator_digest;

/// All properties, in the order of the chapters.
pub fn all() -> impl Iterator<Item = &'static Property> + Clone {
    [
        definitions::PROPERTIES,
        structural::PROPERTIES,
        pruning::PROPERTIES,
        defaulting::PROPERTIES,
        values::PROPERTIES,
        ratcheting::PROPERTIES,
        rules::PROPERTIES,
        versions::PROPERTIES,
        conversion::PROPERTIES,
        subresources::PROPERTIES,
        requests::PROPERTIES,
        watches::PROPERTIES,
        discovery::PROPERTIES,
        lifecycle::PROPERTIES,
        tables::PROPERTIES,
        field_selectors::PROPERTIES,
        openapi::PROPERTIES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The property with this ID.
pub fn find(id: &str) -> Option<&'static Property> {
    all().find(|property| property.id == id)
}
