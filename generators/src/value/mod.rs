//! Values for a schema: valid, invalid in exactly one place, or any JSON biased towards the schema.
//!
//! The value of a property is drawn from a stream keyed by the property's name: dropping the property from the schema
//! drops its draws and does not change any other.

mod arbitrary;
mod boundary;
mod bounds;
mod broken;
mod free;
mod scalars;
mod valid;

pub use arbitrary::{arbitrary, arbitrary_node};
pub use broken::{BrokenValue, broken};
pub use free::json;
pub use valid::{valid, valid_node};

pub(crate) use valid::complete;
