//! What a conversion webhook owes (section 9.5 of the specification), as scenarios of reviews.

mod disguises;
mod nodes;
mod objects;
mod properties;

pub use objects::as_stored;
pub use properties::{all, find};
