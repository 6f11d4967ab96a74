//! Renderings of reports and comparisons. All return text; none writes anywhere.
//!
//! Everything that a server or a user wrote is shown as text: it cannot break a format, nor control a terminal or a
//! page. What is too long to be read is cut, except in JSON.

mod across;
mod badge;
mod blame;
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
mod rules;
mod sarif;
mod script;
mod soak;
mod style;
mod varied;
mod visible;
pub mod yaml;

pub use across::{changes, matrix};
pub use badge::{badge_json, badge_svg};
pub use blame::{ISSUES, blame, soak_blame};
pub use comparison::{comparison, comparison_junit, comparison_markdown};
pub use github::github;
pub use grid::Form;
pub use html::{HtmlError, comparison_html, html};
pub use human::{counterexample, human, one};
pub use json::{comparison_json, json, soak_json};
pub use junit::junit;
pub use markdown::markdown;
pub use rules::rules;
pub use sarif::sarif;
pub use script::script;
pub use soak::soak;
pub use style::Style;
pub use varied::varied;

/// A text of a file or a server as part of one line of a message: control characters and
/// line ends have escapes, and long texts are cut.
pub fn quoted(text: &str) -> String {
    /// The longest such text.
    const MOST_BYTES: usize = 400;
    let (shown, rest) = visible::cut(text, MOST_BYTES);
    let shown = visible::escaped(shown).replace('\n', "\\n");
    if rest > 0 { format!("{shown}{}", visible::missing(rest)) } else { shown }
}

#[cfg(test)]
mod hostile;
