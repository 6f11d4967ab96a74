//! Strings of the enforced formats (VALUE-014), and strings that just miss them.

mod broken;
mod numbers;
mod valid;

pub use broken::broken;
pub use valid::valid;

use crdible_semantics::Format;

use crate::choice::Choices;

/// Draws a format that the release enforces.
pub fn any(c: &mut Choices) -> Format {
    let release = c.release();
    let formats: Vec<Format> = Format::all().filter(|format| release.enforces(*format)).collect();
    *c.pick(&formats)
}

/// Draws a spelling of a format's name: the usual one, or without dashes (VALUE-014).
pub fn spelling(c: &mut Choices, format: Format) -> String {
    let name = format.name();
    if c.chance(1, 10) { name.replace('-', "") } else { name.to_owned() }
}

/// Draws the name of an enforced format, in any spelling.
pub fn name(c: &mut Choices) -> String {
    let format = any(c);
    spelling(c, format)
}
