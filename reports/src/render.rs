//! Renderings of a report. All return text; nothing here writes anywhere.

pub mod curl;
pub mod diff;
mod human;
mod json;
mod style;
pub mod yaml;

pub use human::human;
pub use json::{json, schema};
pub use style::Style;
