//! Values: valid for a schema, broken in exactly one place, or any JSON biased to the schema.
//!
//! Draws for the value of a property come from a stream keyed by the property's name: dropping the property from the schema drops
//! its draws and shifts no other.

mod arbitrary;
mod broken;
mod free;
mod marks;
mod scalars;
mod valid;

pub use arbitrary::{arbitrary, arbitrary_node};
pub use broken::{BrokenValue, broken};
pub use free::json;
pub use valid::{valid, valid_node};

pub(crate) use valid::complete;

/// The keys of every object that are not its content.
pub(crate) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

pub(crate) fn is_meta_field(name: &str) -> bool {
    META_FIELDS.contains(&name)
}
