//! Renderings of reports and comparisons. All return text; none writes anywhere.

mod comparison;
pub mod curl;
pub mod diff;
mod human;
mod json;
mod style;
pub mod yaml;

pub use comparison::comparison;
pub use human::{human, one};
pub use json::{comparison_json, comparison_schema, json, schema};
pub use style::Style;
