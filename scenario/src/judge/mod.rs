//! The verdict on one execution: a pure function of scenario and transcript.

mod causes;
mod place;
mod silence;

pub use place::kind_of_place;
pub use silence::{NO_ANSWER, silenced};

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};
use serde_json::json;

use crate::{
    capabilities::Capability,
    expect::{Mismatch, assumptions_hold, holds},
    scenario::{Action, Check, Expectation, Scenario},
    transcript::{Answer, Refusal, Transcript},
};

/// The judgement of one execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The positions of the checks that were judged. A check is not judged if it needs an answer at or after a refused
    /// definition or a broken assumption, if the target lacks what it needs, or if an earlier step went wrong on which
    /// it depends.
    pub judged: Vec<usize>,
}

/// The verdict on one execution.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every check that was judged holds.
    Pass,
    /// These checks failed; at least one.
    Fail(Vec<FailedCheck>),
    /// An assumption does not hold, so the case is inconclusive.
    Discard {
        /// The step whose answer is not as assumed.
        step: usize,
    },
}

/// A check that failed in one execution.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedCheck {
    /// The position of the check in the scenario; none for a refused definition.
    pub check: Option<usize>,
    /// The step whose answer is wrong; none if a definition was refused before the first step.
    pub step: Option<usize>,
    /// Where the answer is wrong: a JSON pointer, or the field of a cause; may be empty. With generated names.
    pub place: String,
    /// What is wrong.
    pub failure: Failure,
}

/// Judges an execution of a scenario of this property, on a target that lacks these capabilities.
pub fn judge(property: &str, scenario: &Scenario, transcript: &Transcript, lacks: &BTreeSet<Capability>) -> Judgement {
    let broken = broken_step(scenario, transcript);
    let refused = transcript.refusal.as_ref().map(|refusal| refusal.step.unwrap_or(0));
    let end = broken.into_iter().chain(refused).min();
    let can_be_judged = |check: &Check| {
        end.is_none_or(|end| check.last_step() < end)
            && (lacks.is_empty() || scenario.needs_of(check).is_disjoint(lacks))
    };
    let was_sent = |&number: &usize| {
        let check = &scenario.checks[number];
        let mut steps = std::iter::once(check.step).chain(check.expect.looks_at());
        if let Expectation::AnsweredAtOnce(_) = check.expect {
            return !was_left_out(scenario, transcript, check.step);
        }
        steps.all(|step| !was_left_out(scenario, transcript, step))
    };
    let checks = scenario.checks.iter().enumerate();
    let (mut judged, omitted): (Vec<usize>, Vec<usize>) =
        checks.filter(|(_, check)| can_be_judged(check)).map(|(number, _)| number).partition(was_sent);
    let mismatches = judged.iter().filter_map(|&number| {
        let check = &scenario.checks[number];
        let mismatch = match transcript.answer(check.step) {
            Some(answer) => holds(&expected(check, lacks), answer, transcript).err()?,
            None => Mismatch::no_answer(),
        };
        Some((number, mismatch))
    });
    let causes = causes::first_causes(scenario, transcript, mismatches.collect(), &omitted);
    judged.retain(|number| !causes.consequences.contains(number));
    judged.extend(causes.found.iter().map(|found| found.check).filter(|check| omitted.contains(check)));
    let mut failed: Vec<FailedCheck> = causes
        .found
        .into_iter()
        .map(|causes::Found { check: number, step, mismatch }| {
            let check = &scenario.checks[number];
            let place = mismatch.place.clone();
            let mut failure = failure(property, &check.name, check.blamed(&mismatch.reason), mismatch);
            if let Some(subject) = subject(scenario, check, step) {
                failure.summary = format!("{subject}: {}", failure.summary);
            }
            let between = disagreement(scenario, transcript, check, step).map(Box::new);
            let failure = Failure { between, ..failure };
            FailedCheck { check: Some(number), step: Some(step), place, failure }
        })
        .collect();
    failed.extend(transcript.refusal.as_ref().map(|refusal| of_refusal(property, refusal)));
    let verdict = match broken {
        _ if !failed.is_empty() => Verdict::Fail(failed),
        Some(step) => Verdict::Discard { step },
        None => Verdict::Pass,
    };
    Judgement { verdict, judged }
}

/// Whether a step was left out. The executor does so with what would send back an answer that is no object, and with
/// dry runs that the target would store. Nothing is known either of one to which the connection ended each time.
pub fn was_left_out(scenario: &Scenario, transcript: &Transcript, step: usize) -> bool {
    let is_request = scenario.steps.get(step).is_some_and(|step| matches!(step.action, Action::Send(_)));
    let has_none = |answer: &Option<Answer>| answer.as_ref().is_none_or(Answer::never_came);
    is_request && transcript.answers.get(step).is_some_and(has_none)
}

/// What a check expects: of a target that lists no causes, only the rejection.
fn expected(check: &Check, lacks: &BTreeSet<Capability>) -> Expectation {
    if lacks.contains(&Capability::Causes) && check.expect.is_about_causes() {
        return Expectation::Status(422);
    }
    check.expect.clone()
}

/// The first step whose answer violates its assumptions.
fn broken_step(scenario: &Scenario, transcript: &Transcript) -> Option<usize> {
    let mut steps = scenario.steps.iter().enumerate();
    steps.find_map(|(number, step)| (!assumptions_hold(step, number, transcript)).then_some(number))
}

/// The two answers that disagree, in a few words, if a check compares two and nothing else says that the earlier one
/// is right.
fn disagreement(scenario: &Scenario, transcript: &Transcript, check: &Check, step: usize) -> Option<[String; 2]> {
    let is_judged = check.expect.is_comparison() && step == check.step;
    let other = check.expect.looks_at().into_iter().next().filter(|_| is_judged)?;
    let is_known_right = scenario.checks.iter().any(|known| {
        let answer = transcript.answer(other);
        let is_held = || answer.is_some_and(|answer| holds(&known.expect, answer, transcript).is_ok());
        known.step == other && matches!(known.expect, Expectation::Content(_) | Expectation::Causes(_)) && is_held()
    });
    if is_known_right {
        return None;
    }
    let of = |step: usize| match &scenario.steps[step].action {
        Action::Send(request) => format!("the answer to step {}: {}", step + 1, request.summary()),
        Action::Install { .. } | Action::Convert { .. } => format!("step {}", step + 1),
    };
    Some([of(other), of(check.step)])
}

/// What a check is about: the request of the step that is to blame, and the clause that the check is about.
fn subject(scenario: &Scenario, check: &Check, step: usize) -> Option<String> {
    let Action::Send(request) = &scenario.steps.get(step)?.action else { return None };
    let clause = check.clause.as_ref().filter(|_| step == check.step);
    Some(clause.map_or_else(|| request.line(), |clause| format!("{} {clause}", request.line())))
}

fn failure(property: &str, check: &str, requirements: Vec<String>, mismatch: Mismatch) -> Failure {
    let Mismatch { expected, actual, place, reason, summary } = mismatch;
    let signature = Signature::new(property, check, kind_of_place(&place), reason);
    Failure { signature, requirements, summary, expected, actual, between: None }
}

/// A legal definition that the server rejects (LIFE-002). No check of the scenario is about it.
fn of_refusal(property: &str, refusal: &Refusal) -> FailedCheck {
    let answer = &refusal.answer;
    let causes = answer.causes();
    let (place, reason) = match causes.first() {
        Some(cause) => (cause.field.as_str(), format!("refused-{}", cause.reason)),
        None => ("", format!("refused-{}", answer.status)),
    };
    let summary = refusal.summary();
    let actual = json!({
        "status": answer.status, "reason": answer.reason(), "causes": causes, "message": summary,
    });
    let summary = format!("a legal definition is rejected: {summary}");
    let mismatch = Mismatch::new(json!("2xx"), actual, place, &reason, summary);
    let failure = failure(property, "definition", vec!["LIFE-002".to_owned()], mismatch);
    FailedCheck { check: None, step: refusal.step, place: place.to_owned(), failure }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{Judgement, Verdict, judge};
    use crate::{
        scenario::{Expectation, Plan, Version},
        transcript::{Answer, Refusal, Transcript},
    };

    fn refusal(step: Option<usize>) -> Refusal {
        let body = json!({ "kind": "Status", "message": "no", "details": { "causes": [
            { "field": "spec.validation.openAPIV3Schema.properties[a].type", "reason": "FieldValueRequired" },
        ] } });
        Refusal { step, document: Value::Null, answer: Answer { status: 422, body, ..Answer::default() } }
    }

    fn answer(status: u16) -> Answer {
        Answer { status, body: json!({ "kind": "X" }), ..Answer::default() }
    }

    #[test]
    fn a_rejected_definition_is_a_separate_failure() {
        let mut plan = Plan::new();
        let definition = plan.define(crate::scenario::Definition::default());
        let created = plan.create(definition, json!({}));
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        let transcript = Transcript { refusal: Some(refusal(None)), ..Transcript::default() };
        let Judgement { verdict, judged } = judge("p", &plan.finish(), &transcript, &BTreeSet::new());
        let Verdict::Fail(failed) = verdict else { panic!("{verdict:?}") };
        assert_eq!(failed[0].failure.signature.to_string(), "p:definition:type:refused-Required");
        assert!(judged.is_empty() && failed.len() == 1);
    }

    #[test]
    fn steps_before_a_rejected_definition_are_judged() {
        let mut plan = Plan::new();
        let definition = plan.define(crate::scenario::Definition::default());
        let created = plan.create(definition, json!({}));
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        plan.install_versions(definition, vec![Version::only(json!({}))]);
        let later = plan.create(definition, json!({}));
        plan.check("later", &["X-001"], later, Expectation::Accepted);
        let transcript =
            Transcript { answers: vec![Some(answer(500))], refusal: Some(refusal(Some(1))), ..Transcript::default() };
        let Judgement { verdict, judged } = judge("p", &plan.finish(), &transcript, &BTreeSet::new());
        let Verdict::Fail(failed) = verdict else { panic!("{verdict:?}") };
        let signatures: Vec<String> = failed.iter().map(|failed| failed.failure.signature.to_string()).collect();
        assert_eq!(signatures, ["p:accepted::refused-500", "p:definition:type:refused-Required"]);
        assert_eq!((judged, failed[1].step), (vec![0], Some(1)));
    }

    #[test]
    fn a_broken_assumption_discards_what_needs_it() {
        let mut plan = Plan::new();
        let definition = plan.define(crate::scenario::Definition::default());
        let created = plan.create(definition, json!({}));
        plan.assume(created, Expectation::Accepted);
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        let transcript = Transcript { answers: vec![Some(answer(409))], ..Transcript::default() };
        let Judgement { verdict, judged } = judge("p", &plan.finish(), &transcript, &BTreeSet::new());
        assert_eq!((verdict, judged), (Verdict::Discard { step: 0 }, vec![]));
    }
}
