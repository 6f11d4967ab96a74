//! The verdict: a pure function of scenario and transcript.

mod causes;
mod equality;
mod evaluate;
mod fields;
mod groups;
mod mismatch;
pub mod named;
mod signature;

pub use equality::{Difference, difference, equal};
pub use evaluate::holds;
pub use mismatch::Mismatch;
pub(crate) use signature::of_parts as signature_of;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    execute::Refusal,
    scenario::{Check, Scenario, Step},
    transcript::{Answer, Transcript},
};

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
    /// The position of the check in the scenario; none has `usize::MAX`.
    pub check: usize,
    /// The step whose answer is wrong; none where no step has an answer to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
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

/// The positions of the checks that an execution says something about: none that stands on an answer behind which an assumption
/// does not hold.
pub fn judged(scenario: &Scenario, transcript: &Transcript) -> Vec<usize> {
    let broken = broken_step(scenario, transcript);
    let said = |check: &Check| broken.is_none_or(|broken| check.last_step() < broken);
    scenario.checks.iter().enumerate().filter(|(_, check)| said(check)).map(|(number, _)| number).collect()
}

/// The first step whose answer is not what it assumes.
fn broken_step(scenario: &Scenario, transcript: &Transcript) -> Option<usize> {
    let mut steps = scenario.steps.iter().enumerate();
    steps.find_map(|(number, step)| (!assumptions_hold(step, number, transcript)).then_some(number))
}

/// Judges an execution.
pub fn judge(scenario: &Scenario, transcript: &Transcript) -> Verdict {
    let broken = broken_step(scenario, transcript);
    let failures: Vec<Failure> = judged(scenario, transcript)
        .into_iter()
        .filter_map(|number| {
            let check = &scenario.checks[number];
            let mismatch = match transcript.answer(check.step) {
                Some(answer) => holds(&check.expect, answer, transcript).err()?,
                None => Mismatch::no_answer(),
            };
            Some(Failure {
                check: number,
                step: Some(check.step),
                name: check.name.clone(),
                requirements: check.asserts.clone(),
                signature: signature::of(&check.name, &mismatch),
                expected: mismatch.expected,
                actual: mismatch.actual,
                summary: mismatch.summary,
            })
        })
        .collect();
    match broken {
        Some(step) if failures.is_empty() => Verdict::Discard { step },
        _ if failures.is_empty() => Verdict::Pass,
        _ => Verdict::Fail(failures),
    }
}

/// Whether all holds that a step assumes of its answer. A step without an answer assumes nothing.
pub(crate) fn assumptions_hold(step: &Step, number: usize, transcript: &Transcript) -> bool {
    let Some(answer) = transcript.answer(number) else { return true };
    step.assume.iter().all(|assumption| holds(assumption, answer, transcript).is_ok())
}

impl Failure {
    /// A legal definition that the server refuses (LIFE-002). No check of the scenario stands for it.
    pub fn of_refusal(refusal: &Refusal) -> Self {
        let answer = Answer { status: refusal.status, body: refusal.body.clone(), ..Answer::default() };
        let causes = answer.causes();
        let (place, reason) = match causes.first() {
            Some(cause) => (cause.field.as_str(), format!("refused-{}", cause.reason)),
            None => ("", format!("refused-{}", refusal.status)),
        };
        let summary = format!("a legal definition is refused: {}", refusal.told);
        let actual =
            json!({ "status": refusal.status, "reason": answer.reason(), "causes": causes, "told": refusal.told });
        let mismatch = Mismatch::new(json!("2xx"), actual, place, &reason, summary);
        Self {
            check: usize::MAX,
            step: None,
            name: "definition".to_owned(),
            requirements: vec!["LIFE-002".to_owned()],
            signature: signature::of("definition", &mismatch),
            expected: mismatch.expected,
            actual: mismatch.actual,
            summary: mismatch.summary,
        }
    }
}
