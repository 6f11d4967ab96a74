//! Sequences of requests without expectations: what `crdible compare` sends besides the scenarios of the properties.
//!
//! They go where no property demands anything yet (chapters 10 to 14): options of requests, preconditions, selectors, pages, parts of
//! objects, representations, discovery. Two servers that claim to be the same must answer them alike.

mod definitions;
mod discovery;
mod objects;
mod options;
mod representations;
mod requests;
mod selectors;
mod story;
mod subresources;

use crate::properties::Property;

/// All of them. What they assert is nothing; whoever runs them alone learns nothing.
pub fn all() -> impl Iterator<Item = &'static Property> + Clone {
    [
        &requests::EXPLORATION,
        &subresources::EXPLORATION,
        &selectors::EXPLORATION,
        &representations::EXPLORATION,
        &discovery::EXPLORATION,
    ]
    .into_iter()
}
