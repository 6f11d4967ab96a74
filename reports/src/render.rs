//! Renderings of reports and comparisons. All return text; none writes anywhere.
//!
//! Whatever a server or a user wrote is shown as text: no format can be broken, and no terminal or page controlled, by what a
//! report holds. What is too long to be read is cut, except in JSON.

mod across;
mod badge;
mod comparison;
pub mod curl;
pub mod diff;
mod github;
mod grid;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod place;
mod sarif;
mod script;
mod style;
mod visible;
pub mod yaml;

pub use across::{changes, matrix};
pub use badge::{badge_json, badge_svg};
pub use comparison::comparison;
pub use github::github;
pub use grid::Form;
pub use html::{HtmlError, html};
pub use human::{human, one};
pub use json::{comparison_json, comparison_schema, json, schema};
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use script::{comment, script};
pub use style::Style;

#[cfg(test)]
mod hostile;
