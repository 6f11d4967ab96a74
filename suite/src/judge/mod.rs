//! The verdict: a pure function of scenario and transcript.

mod equality;
mod evaluate;
pub mod named;
mod signature;

pub use equality::{Difference, difference, equal};
pub use evaluate::{Mismatch, holds};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{scenario::Scenario, transcript::Transcript};

/// What the judge says of one execution.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Everything holds.
    Pass,
    /// These checks do not hold; at least one.
    Fail(Vec<Failure>),
    /// An assumption does not hold, so the case says nothing.
    Discard {
        /// The step whose answer was assumed to be otherwise.
        step: usize,
    },
}

/// A check that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The position of the check in the scenario.
    pub check: usize,
    /// The name of the check.
    pub name: String,
    /// What the check asserts.
    pub requirements: Vec<String>,
    /// What would have to be.
    pub expected: Value,
    /// What is.
    pub actual: Value,
    /// What is wrong in one sentence.
    pub summary: String,
    /// Check, normalised path and reason; with the property's ID in front it is the signature of the finding.
    pub signature: String,
}

/// Judges an execution.
pub fn judge(scenario: &Scenario, transcript: &Transcript) -> Verdict {
    for (number, step) in scenario.steps.iter().enumerate() {
        let Some(answer) = transcript.answer(number) else { continue };
        if step.assume.iter().any(|assumption| holds(assumption, answer, transcript).is_err()) {
            return Verdict::Discard { step: number };
        }
    }
    let failures: Vec<Failure> = (scenario.checks.iter().enumerate())
        .filter_map(|(number, check)| {
            let mismatch = match transcript.answer(check.step) {
                Some(answer) => holds(&check.expect, answer, transcript).err()?,
                None => Mismatch::no_answer(),
            };
            Some(Failure {
                check: number,
                name: check.name.clone(),
                requirements: check.asserts.clone(),
                signature: signature::of(&check.name, &mismatch),
                expected: mismatch.expected,
                actual: mismatch.actual,
                summary: mismatch.summary,
            })
        })
        .collect();
    if failures.is_empty() { Verdict::Pass } else { Verdict::Fail(failures) }
}
