//! Whether an expectation holds of an answer.
//!
//! Pure functions of answers: the executor uses them to decide whether a repeated step may end, and the judge to give
//! its verdict.

mod causes;
mod equality;
mod evaluate;
mod fields;
mod groups;
mod history;
mod mismatch;
mod named;
mod outcome;

pub use equality::{Difference, difference, equal};
pub use evaluate::holds;
pub use mismatch::Mismatch;
pub use named::is_of_rule;
pub use outcome::accepted;

use crate::{scenario::Step, transcript::Transcript};

/// Whether all assumptions of a step about its answer hold. A step without an answer has none.
pub fn assumptions_hold(step: &Step, number: usize, transcript: &Transcript) -> bool {
    let Some(answer) = transcript.answer(number) else { return true };
    step.assume.iter().all(|assumption| holds(assumption, answer, transcript).is_ok())
}
