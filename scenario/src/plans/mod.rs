//! Pieces of plans that many scenarios have.

pub mod definitions;
pub mod schema;
pub mod watch;
