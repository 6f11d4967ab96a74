//! Complete definitions (chapter 1): legal ones, and legal ones with one place varied, with the answer that a server
//! must give.
//!
//! Each variation lists its expected answer, which comes from the text of the requirement; none is computed by the
//! functions under test. Quirks, and behaviour on a `Defect:` line, are never generated.

mod defaults;
mod legal;
mod variation;
mod variations;
mod varied;

pub use defaults::with_defaults;
pub use legal::{definition, plain};
pub use variation::{Outcome, Part, Variation, VariedDefinition};
pub use variations::{variations, variations_of};
pub use varied::{BrokenDefinition, broken, twice_broken, varied};
