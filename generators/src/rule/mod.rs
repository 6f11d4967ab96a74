//! The rules of chapter 2 (structural schemas) as one table: pieces of schema that violate a rule or satisfy it, with
//! the answer that a server must give.
//!
//! The expected causes come from the text of the specification; none is computed by the functions under test. They are
//! the causes without the status subresource (CRDVAL-040 adds its own for the root). Quirks are never in the table.
//!
//! A new rule, or a new piece of one, is a row in a file of `rows`. [`broken_schema`] and the properties of chapter 2
//! find it there.

mod broken;
mod buried;
mod plant;
mod row;
mod rows;

pub use broken::{BrokenSchema, broken_schema, broken_schema_of, requirements};
pub use buried::{Buried, bury, quantified};
pub use plant::bare_root;
pub use row::{Row, Site};
pub use rows::{rows, rows_of};

/// The rules about the topology of lists and maps (section 2.7) that a single node can violate.
pub const TOPOLOGY: &[&str] = &[
    "STRUCT-023",
    "STRUCT-024",
    "STRUCT-025",
    "STRUCT-026",
    "STRUCT-027",
    "STRUCT-028",
    "STRUCT-029",
    "STRUCT-031",
    "STRUCT-032",
];
