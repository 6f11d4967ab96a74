//! One cause, one failure: which of the checks that do not hold are only consequences of others.

use std::collections::BTreeSet;

use crate::{
    expect::{Mismatch, accepted},
    scenario::{Action, Body, Method, Request, Resource, Scenario},
    transcript::Transcript,
};

/// A check that does not hold, and the step that is to blame.
#[derive(Debug)]
pub(super) struct Found {
    /// The position of the check.
    pub(super) check: usize,
    /// The step whose answer is wrong: that of the check, or an earlier one that the scenario needs and that was rejected.
    pub(super) step: usize,
    /// What is wrong.
    pub(super) mismatch: Mismatch,
}

/// The checks that do not hold, without those that an earlier one explains.
#[derive(Debug, Default)]
pub(super) struct Causes {
    pub(super) found: Vec<Found>,
    /// The positions of the checks that others explain: they are not judged.
    pub(super) consequences: BTreeSet<usize>,
}

/// Separates causes from consequences. A check is a consequence if it depends on a step whose own check does not hold, or if another
/// check of the same answer has found the same. If it depends on a step that was rejected although the scenario needs what that
/// creates or returns, that step is the failure, and the check says what it was for.
pub(super) fn first_causes(scenario: &Scenario, transcript: &Transcript, mismatches: Vec<(usize, Mismatch)>) -> Causes {
    let mut causes = Causes::default();
    if mismatches.is_empty() {
        return causes;
    }
    let failing: BTreeSet<usize> = mismatches.iter().map(|(number, _)| scenario.checks[*number].step).collect();
    for (number, mismatch) in mismatches {
        let check = &scenario.checks[number];
        let mut basis = scenario.basis_of(check.step);
        if let Some(other) = check.expect.looks_at() {
            basis.extend(scenario.basis_of(other));
        }
        basis.retain(|&step| step < check.step);
        if !basis.is_disjoint(&failing) {
            causes.consequences.insert(number);
            continue;
        }
        let needed = basis.iter().find_map(|&step| Some((step, rejection_of_needed(scenario, transcript, step)?)));
        let (step, mismatch) = needed.unwrap_or((check.step, mismatch));
        let is_same = |found: &Found| {
            found.step == step && found.mismatch.place == mismatch.place && found.mismatch.reason == mismatch.reason
        };
        if causes.found.iter().any(is_same) {
            causes.consequences.insert(number);
        } else {
            causes.found.push(Found { check: number, step, mismatch });
        }
    }
    causes
}

/// How a step was rejected that no check is about, although the scenario needs what it creates or returns.
fn rejection_of_needed(scenario: &Scenario, transcript: &Transcript, step: usize) -> Option<Mismatch> {
    let Action::Send(request) = &scenario.steps[step].action else { return None };
    let is_checked = scenario.checks.iter().any(|check| check.step == step);
    let is_sent_back = || {
        scenario.steps.iter().any(|other| {
            matches!(&other.action, Action::Send(request) if matches!(request.body, Body::Answer { step: from, .. } if from == step))
        })
    };
    if is_checked || !(is_create(request) || is_sent_back()) {
        return None;
    }
    accepted(transcript.answer(step)?).err()
}

fn is_create(request: &Request) -> bool {
    request.method == Method::Post && matches!(request.resource, Resource::Objects { .. } | Resource::Definitions)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use crate::{
        judge::{FailedCheck, Judgement, Verdict, judge},
        scenario::{Definition, Expectation, Plan, Scenario},
        transcript::{Answer, Transcript},
    };

    fn answer(status: u16, body: Value) -> Answer {
        Answer { status, body, ..Answer::default() }
    }

    fn object(spec: Value) -> Value {
        json!({ "kind": "Thing", "spec": spec })
    }

    fn failures(scenario: &Scenario, answers: Vec<Answer>) -> (Vec<FailedCheck>, Vec<usize>) {
        let transcript = Transcript { answers: answers.into_iter().map(Some).collect(), refusal: None };
        let Judgement { verdict, judged } = judge("p", scenario, &transcript, &BTreeSet::new());
        match verdict {
            Verdict::Fail(failed) => (failed, judged),
            other => panic!("{other:?}"),
        }
    }

    fn created_and_read() -> Plan {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let read = plan.get(created);
        plan.check("created", &["X-001"], created, Expectation::Content(json!({ "spec": 1 })));
        plan.check("read", &["X-002"], read, Expectation::Content(json!({ "spec": 1 })));
        plan
    }

    #[test]
    fn what_follows_from_a_failed_step_is_not_judged() {
        let scenario = created_and_read().finish();
        let wrong = || answer(201, object(json!(2)));
        let (failed, judged) = failures(&scenario, vec![wrong(), wrong()]);
        assert_eq!(failed.len(), 1);
        assert_eq!((failed[0].check, judged), (Some(0), vec![0]));
    }

    #[test]
    fn independent_steps_are_judged() {
        let scenario = created_and_read().finish();
        let answers = vec![answer(201, object(json!(1))), answer(200, object(json!(2)))];
        let (failed, judged) = failures(&scenario, answers);
        assert_eq!((failed[0].check, failed.len(), judged), (Some(1), 1, vec![0, 1]));
    }

    /// The step that was rejected is the failure, and not the 404 after it.
    #[test]
    fn a_rejected_create_that_is_needed_is_the_failure() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let read = plan.get(created);
        plan.check("read", &["X-002"], read, Expectation::Content(json!({ "spec": 1 })));
        let status = |code: u16| answer(code, json!({ "kind": "Status", "reason": "No" }));
        let (failed, _) = failures(&plan.finish(), vec![status(422), status(404)]);
        assert_eq!((failed.len(), failed[0].step), (1, Some(0)));
        assert_eq!(failed[0].failure.signature.to_string(), "p:read::refused-422");
    }

    #[test]
    fn checks_that_find_the_same_in_one_answer_are_one_failure() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        plan.check("content", &["X-001"], created, Expectation::Content(json!({ "spec": 1 })));
        let (failed, judged) = failures(&plan.finish(), vec![answer(500, json!({ "kind": "Status" }))]);
        assert_eq!((failed.len(), judged), (1, vec![0]));
    }

    #[test]
    fn a_step_that_was_not_sent_is_not_judged() {
        let scenario = created_and_read().finish();
        let transcript = Transcript { answers: vec![Some(answer(201, object(json!(1)))), None], refusal: None };
        let Judgement { verdict, judged } = judge("p", &scenario, &transcript, &BTreeSet::new());
        assert_eq!((verdict, judged), (Verdict::Pass, vec![0]));
    }
}
