//! The verdict on one scenario of reviews: a pure function of scenario and transcript.

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};

use super::demands::{Wrong, wrongs};
use crate::{
    judge::{FailedCheck, Judgement, Verdict},
    scenario::{Demand, ReviewScenario},
    transcript::Transcript,
};

/// At most this many failures of one check are distinguished: the first fields show a converter that drops everything.
const MOST: usize = 20;

/// Judges an execution of a scenario of this property.
///
/// A check of what an answer holds is not judged if the answer is no conversion at all: that is what the checks of the
/// protocol find.
pub fn judge(property: &str, scenario: &ReviewScenario, transcript: &Transcript) -> Judgement {
    let found = |demand: &Demand, step: usize| wrongs(demand, step, scenario, transcript);
    for (number, step) in scenario.steps.iter().enumerate() {
        if !step.assume.iter().all(|assumed| found(&assumed.demand, number).is_some_and(|wrong| wrong.is_empty())) {
            return Judgement { verdict: Verdict::Discard { step: number }, judged: Vec::new() };
        }
    }
    let mut judged = Vec::new();
    let mut failed = Vec::new();
    for (number, check) in scenario.checks.iter().enumerate() {
        let Some(wrongs) = found(&check.expect.demand, check.step) else { continue };
        judged.push(number);
        let mut seen = BTreeSet::new();
        for Wrong { place, mismatch } in wrongs {
            let signature = Signature::new(property, &check.name, place, mismatch.reason.clone());
            if !seen.insert(signature.to_string()) || seen.len() > MOST {
                continue;
            }
            failed.push(FailedCheck {
                check: Some(number),
                step: Some(check.step),
                place: mismatch.place,
                failure: Failure {
                    signature,
                    requirements: check.asserts.clone(),
                    summary: mismatch.summary,
                    expected: mismatch.expected,
                    actual: mismatch.actual,
                    between: None,
                },
            });
        }
    }
    let verdict = match (failed.is_empty(), judged.is_empty()) {
        (false, _) => Verdict::Fail(failed),
        (true, true) => Verdict::Discard { step: first_unanswered(scenario, transcript) },
        (true, false) => Verdict::Pass,
    };
    Judgement { verdict, judged }
}

fn first_unanswered(scenario: &ReviewScenario, transcript: &Transcript) -> usize {
    let is_unanswered =
        |step: &usize| wrongs(&Demand::Protocol, *step, scenario, transcript).is_none_or(|wrong| !wrong.is_empty());
    (0..scenario.steps.len()).find(is_unanswered).unwrap_or(0)
}
