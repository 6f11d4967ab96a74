//! Renderings of reports and comparisons. All return text; none writes anywhere.

mod across;
mod comparison;
pub mod curl;
pub mod diff;
mod grid;
mod human;
mod json;
mod style;
pub mod yaml;

pub use across::{changes, matrix};
pub use comparison::comparison;
pub use grid::Form;
pub use human::{human, one};
pub use json::{comparison_json, comparison_schema, json, schema};
pub use style::Style;
