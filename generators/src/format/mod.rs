//! Texts of the enforced formats (VALUE-014), and texts that just are not.

mod broken;
mod numbers;
mod valid;

pub use broken::broken;
pub use valid::valid;

use crdible_semantics::Format;

use crate::choice::Choices;

/// The name of an enforced format, as people write it, or with its dashes elsewhere (VALUE-014).
pub fn name(c: &mut Choices) -> String {
    let formats: Vec<Format> = Format::all().collect();
    let name = c.pick(&formats).name();
    if c.chance(1, 10) { name.replace('-', "") } else { name.to_owned() }
}
