//! Edits of values, and walks over schemas and values, for properties that compare two objects.

mod plant;
mod walk;

pub use plant::{leave_out, plant_nulls, plant_unknown, shuffle_keys};
pub use walk::{Node, Place, nodes, objects_in, places};
