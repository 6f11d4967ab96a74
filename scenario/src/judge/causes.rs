//! One cause, one failure: which of the checks that do not hold are only consequences of others.

use std::collections::BTreeSet;

use crate::{
    expect::{Mismatch, accepted},
    scenario::{Action, Body, Check, Expectation, Method, Request, Resource, Scenario},
    transcript::{Answer, Transcript},
};

/// A check that does not hold, and the step that is to blame.
#[derive(Debug)]
pub(super) struct Found {
    /// The position of the check.
    pub(super) check: usize,
    /// The step whose answer is wrong: that of the check, or an earlier one that the scenario needs and that
    /// was rejected.
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

/// What every stored object has (REST-013).
const ALWAYS_THERE: [&str; 5] = [
    "/metadata/name",
    "/metadata/uid",
    "/metadata/creationTimestamp",
    "/metadata/resourceVersion",
    "/metadata/generation",
];

/// Separates causes from consequences. A check is a consequence if it depends on an earlier step whose own check does not
/// hold, if it compares with an earlier answer that is wrong at the same place itself, or if another check of the same
/// answer has found the same. Of steps that are sent together none is earlier. If it depends on a step that was rejected
/// although the scenario needs what that creates or returns, that step is the failure, and the check says what it was
/// for; so it is for checks whose own step was therefore `omitted`.
pub(super) fn first_causes(
    scenario: &Scenario,
    transcript: &Transcript,
    mismatches: Vec<(usize, Mismatch)>,
    omitted: &[usize],
) -> Causes {
    let mut causes = Causes::default();
    let spoils = |check: &&Check| {
        let is_accepted = transcript.answer(check.step).is_some_and(Answer::is_accepted);
        check.expect.spoils_what_follows(is_accepted)
    };
    let spoiling = mismatches.iter().map(|(number, _)| &scenario.checks[*number]);
    let failing: BTreeSet<usize> = spoiling.filter(spoils).map(|check| check.step).collect();
    let wrong: Vec<(usize, String)> = { mismatches.iter() }
        .map(|(number, mismatch)| (scenario.checks[*number].step, mismatch.place.clone()))
        .collect();
    for (number, mismatch) in mismatches {
        let check = &scenario.checks[number];
        if is_of_the_earlier(check, &mismatch, &wrong, transcript) {
            causes.consequences.insert(number);
            continue;
        }
        let mut basis = scenario.basis_of_check(check);
        basis.remove(&check.step);
        let together = scenario.group_of(check.step);
        if basis.iter().any(|step| failing.contains(step) && !together.contains(step)) {
            causes.consequences.insert(number);
            continue;
        }
        // An answer that is only compared may be a rejection.
        let is_compared = |step: usize| check.expect.looks_at().contains(&step) && !check.expect.needs_the_other();
        let needed = basis.iter().filter(|&&step| step < check.step && !is_compared(step));
        // A history explains the rejections in it.
        let explains = matches!(
            check.expect,
            Expectation::OneOrder(_) | Expectation::AnsweredAtOnce(_) | Expectation::Pages { .. }
        );
        let needed = needed.filter(|_| !explains);
        let needed = { needed }.find_map(|&step| Some((step, rejection_of_needed(scenario, transcript, step)?)));
        let (step, mismatch) = needed.unwrap_or((check.step, mismatch));
        if !causes.add(number, step, mismatch) {
            causes.consequences.insert(number);
        }
    }
    for &number in omitted {
        if let Some((step, mismatch)) = cause_of_omission(scenario, transcript, &scenario.checks[number]) {
            causes.add(number, step, mismatch);
        }
    }
    causes
}

/// Whether the earlier one of two answers is to blame that are compared: a check of its own found it `wrong` at the same
/// place, or it lacks there what every stored object has.
fn is_of_the_earlier(check: &Check, mismatch: &Mismatch, wrong: &[(usize, String)], transcript: &Transcript) -> bool {
    let place = &mismatch.place;
    check.expect.looks_at().into_iter().filter(|other| *other < check.step).any(|other| {
        let is_found = wrong.iter().any(|(step, found)| *step == other && overlap(found, place));
        let lacks = |step: usize| {
            let answer = transcript.answer(step).filter(|answer| answer.body["metadata"].is_object());
            answer.is_some_and(|answer| answer.body.pointer(place).is_none())
        };
        is_found || ALWAYS_THERE.contains(&place.as_str()) && lacks(other) && !lacks(check.step)
    })
}

/// Whether one of two places is the other, or within it. What is nowhere in particular is not.
fn overlap(one: &str, other: &str) -> bool {
    let is_within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| !outer.is_empty() && (rest.is_empty() || rest.starts_with('/')))
    };
    is_within(one, other) || is_within(other, one)
}

impl Causes {
    /// Adds what a check found, unless another has found the same.
    fn add(&mut self, check: usize, step: usize, mismatch: Mismatch) -> bool {
        let is_same = |found: &Found| {
            found.step == step && found.mismatch.place == mismatch.place && found.mismatch.reason == mismatch.reason
        };
        let is_new = !self.found.iter().any(is_same);
        if is_new {
            self.found.push(Found { check, step, mismatch });
        }
        is_new
    }
}

/// The rejected step because of which the step of a check was not sent, if the check expects an object.
fn cause_of_omission(scenario: &Scenario, transcript: &Transcript, check: &Check) -> Option<(usize, Mismatch)> {
    let wants_object = matches!(
        check.expect,
        Expectation::Accepted | Expectation::Content(_) | Expectation::At { value: Some(_), .. }
    ) || check.expect.needs_the_other();
    let mut basis = scenario.basis_of(check.step).into_iter().filter(|_| wants_object);
    basis.find_map(|step| Some((step, rejection_of_needed(scenario, transcript, step)?)))
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

    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::{
        judge::{FailedCheck, Judgement, Verdict, judge},
        scenario::{Act, Definition, Expectation, NamedCheck, Operation, Plan, Request, Scenario},
        transcript::{Answer, Timing, Transcript},
    };

    fn answer(status: u16, body: Value) -> Answer {
        Answer { status, body, ..Answer::default() }
    }

    fn object(spec: Value) -> Value {
        json!({ "kind": "Thing", "spec": spec })
    }

    fn failures(scenario: &Scenario, answers: Vec<Answer>) -> (Vec<FailedCheck>, Vec<usize>) {
        let transcript = Transcript { answers: answers.into_iter().map(Some).collect(), ..Transcript::default() };
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

    /// Of requests that are sent together none explains what the others do; what follows is explained by them.
    #[test]
    fn those_that_are_sent_together_do_not_excuse_one_another() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let patch = || Request::merge_patch(plan.object_of(created), json!({ "spec": 2 }));
        let patches = [patch(), patch()];
        let sent = plan.together(patches);
        for &step in &sent {
            plan.check("patched", &["X-001"], step, Expectation::Accepted);
        }
        let read = plan.get(created);
        plan.check("read", &["X-002"], read, Expectation::Content(json!({ "spec": 2 })));
        let refused = || answer(409, json!({ "kind": "Status", "reason": "Conflict" }));
        let answers = vec![answer(201, object(json!(1))), refused(), refused(), answer(200, object(json!(1)))];
        let (failed, _) = failures(&plan.finish(), answers);
        assert_eq!(failed.iter().map(|failed| failed.step).collect::<Vec<_>>(), [Some(1), Some(2)]);
    }

    /// What is accepted with another code can be used, what is rejected cannot.
    #[rstest]
    #[case::accepted(200, 2)]
    #[case::rejected(422, 1)]
    fn what_follows_an_answer_with_another_code(#[case] status: u16, #[case] failing: usize) {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        plan.check("code", &["X-001"], created, NamedCheck::AcceptedAs { status: 201 });
        let read = plan.get(created);
        plan.check("read", &["X-002"], read, Expectation::Content(json!({ "spec": 1 })));
        let (failed, _) = failures(&plan.finish(), vec![answer(status, object(json!(2))), answer(404, json!({}))]);
        assert_eq!(failed.len(), failing, "{failed:?}");
    }

    /// The first answer is only compared: it may rightly be a rejection.
    #[test]
    fn a_rejection_that_is_only_compared_is_not_accused() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let rejected = plan.try_create(definition, json!({ "spec": 1 }));
        let accepted = plan.try_create(definition, json!({ "spec": 2 }));
        plan.check("same", &["X-001"], accepted, Expectation::SameAcceptance { r#as: rejected });
        let answers = vec![answer(422, json!({ "kind": "Status" })), answer(201, object(json!(2)))];
        let (failed, _) = failures(&plan.finish(), answers);
        assert_eq!((failed.len(), failed[0].step), (1, Some(1)));
        assert!(failed[0].failure.between.is_some());
    }

    /// Others may have been refused their creates in the same collection.
    #[test]
    fn a_history_explains_the_rejections_in_it() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        plan.create(definition, json!({ "spec": 1 }));
        let created = plan.create(definition, json!({ "spec": 1 }));
        let listed = plan.list(definition, "v1");
        let create = Operation { step: created, act: Act::Create { content: json!({ "spec": 1 }) } };
        let list = Operation { step: listed, act: Act::List { object: 1 } };
        plan.check("one-order", &["X-001"], listed, Expectation::OneOrder(vec![create, list]));
        let thing = json!({ "kind": "Thing", "metadata": { "resourceVersion": "1" }, "spec": 1 });
        let taken = answer(409, json!({ "kind": "Status", "reason": "AlreadyExists" }));
        let mut later = answer(200, json!({ "kind": "ThingList", "items": [] }));
        later.timing = Timing { sent: 1, received: 2 };
        let answers = vec![taken, answer(201, thing), later];
        let (failed, _) = failures(&plan.finish(), answers);
        assert_eq!((failed.len(), failed[0].step), (1, Some(listed)));
    }

    /// A wrong field of the metadata does not make the object useless for the steps after it.
    #[test]
    fn what_follows_a_wrong_side_effect_is_judged() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let read = plan.get(created);
        let labelled = Expectation::At { pointer: "/metadata/labels/a".into(), value: Some(json!("b")) };
        plan.check("labelled", &["X-001"], created, labelled);
        plan.check("read", &["X-002"], read, Expectation::Content(json!({ "spec": 1 })));
        let (failed, judged) =
            failures(&plan.finish(), vec![answer(201, object(json!(1))), answer(200, object(json!(2)))]);
        assert_eq!((failed.len(), judged), (2, vec![0, 1]));
    }

    fn with_metadata(metadata: Value) -> Answer {
        answer(200, json!({ "kind": "Thing", "metadata": metadata }))
    }

    /// A later right answer is not blamed for an earlier wrong one.
    #[rstest]
    #[case::earlier_is_wrong(json!({}), json!({ "deletionTimestamp": "t" }), "deletionTimestamp", &[0])]
    #[case::later_is_wrong(json!({ "deletionTimestamp": "t" }), json!({}), "deletionTimestamp", &[1])]
    #[case::earlier_has_no_revision(json!({ "deletionTimestamp": "t" }), json!({ "resourceVersion": "2" }), "resourceVersion", &[])]
    #[case::later_has_no_revision(json!({ "deletionTimestamp": "t", "resourceVersion": "2" }), json!({}), "resourceVersion", &[1])]
    fn an_earlier_wrong_answer_is_to_blame(
        #[case] earlier: Value,
        #[case] later: Value,
        #[case] compared: &str,
        #[case] expected: &[usize],
    ) {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({}));
        let read = plan.get(created);
        let has = NamedCheck::Has { pointer: "/metadata/deletionTimestamp".to_owned() };
        plan.check("terminating", &["X-001"], created, has);
        let pointer = format!("/metadata/{compared}");
        let same = Expectation::SameAt { pointer: pointer.clone(), r#as: created, other: pointer };
        plan.check("same", &["X-002"], read, same);
        let transcript = Transcript {
            answers: [earlier, later].map(|metadata| Some(with_metadata(metadata))).into(),
            ..Transcript::default()
        };
        let failed = match judge("p", &plan.finish(), &transcript, &BTreeSet::new()).verdict {
            Verdict::Fail(failed) => failed,
            _ => Vec::new(),
        };
        let checks: Vec<usize> = failed.iter().filter_map(|failed| failed.check).collect();
        assert_eq!(checks, expected);
    }

    /// The PUT was not sent since there was nothing to send back: the create is the failure.
    #[test]
    fn a_rejected_create_is_the_failure_of_what_was_therefore_not_sent() {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let put = plan.put_back(created, vec![]);
        plan.check("accepted", &["X-001"], put, Expectation::Accepted);
        let scenario = plan.finish();
        let answers = vec![Some(answer(500, json!({ "kind": "Status" }))), None];
        let transcript = Transcript { answers, ..Transcript::default() };
        let Judgement { verdict, judged } = judge("p", &scenario, &transcript, &BTreeSet::new());
        let Verdict::Fail(failed) = verdict else { panic!("{verdict:?}") };
        assert_eq!((failed.len(), failed[0].step, judged), (1, Some(0), vec![0]));
    }

    #[test]
    fn what_follows_from_a_right_step_is_judged() {
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
        let transcript =
            Transcript { answers: vec![Some(answer(201, object(json!(1)))), None], ..Transcript::default() };
        let Judgement { verdict, judged } = judge("p", &scenario, &transcript, &BTreeSet::new());
        assert_eq!((verdict, judged), (Verdict::Pass, vec![0]));
    }
}
