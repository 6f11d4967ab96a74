//! Texts of the enforced formats (VALUE-014), and texts that just are not.

mod broken;
mod numbers;
mod valid;

pub use broken::broken;
pub use valid::valid;

use crdible_semantics::Format;

use crate::choice::Choices;

/// An enforced format.
pub fn any(c: &mut Choices) -> Format {
    let formats: Vec<Format> = Format::all().collect();
    *c.pick(&formats)
}

/// The name of a format, as people write it, or without its dashes (VALUE-014).
pub fn spelling(c: &mut Choices, format: Format) -> String {
    let name = format.name();
    if c.chance(1, 10) { name.replace('-', "") } else { name.to_owned() }
}

/// The name of an enforced format, in any spelling.
pub fn name(c: &mut Choices) -> String {
    let format = any(c);
    spelling(c, format)
}
