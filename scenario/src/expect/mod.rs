//! Whether an expectation holds of an answer.
//!
//! Pure functions of answers: the executor uses them to decide whether a repeated step may end, and the judge to give its verdict.

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
pub use outcome::accepted;

use crate::{
    scenario::{Expectation, Scenario, Step},
    transcript::Transcript,
};

/// Whether all assumptions of a step about its answer hold. A step without an answer has none.
pub fn assumptions_hold(step: &Step, number: usize, transcript: &Transcript) -> bool {
    let Some(answer) = transcript.answer(number) else { return true };
    step.assume.iter().all(|assumption| holds(assumption, answer, transcript).is_ok())
}

/// Checks a scenario that was read from a file before it is run: its references ([`Scenario::check_references`]), and
/// that this version has the named checks that it uses. The error says which part is invalid and why.
pub fn check_scenario(scenario: &Scenario) -> Result<(), String> {
    scenario.check_references()?;
    for check in &scenario.checks {
        if let Expectation::Named { check: name, arguments, .. } = &check.expect {
            named::check_arguments(name, arguments)
                .map_err(|why| format!("check `{}` uses `{name}`: {why}", check.name))?;
        }
    }
    Ok(())
}
