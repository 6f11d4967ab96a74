//! What a request that gets no answer breaks.

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};
use serde_json::{Value, json};

use super::{FailedCheck, subject};
use crate::{
    capabilities::Capability,
    expect::holds,
    scenario::{Check, Scenario},
    transcript::{Answer, Silence, SilentEnd, Transcript},
};

/// The reason in the signature of a check whose request gets no answer, however it ends.
pub const NO_ANSWER: &str = "no-answer";

/// The check that cannot hold since a request got no answer: one of that request, or the first that depends on it.
/// `None` if there is none that a target without these capabilities can show. `transcript` holds the answers before it.
pub fn silenced(
    property: &str,
    scenario: &Scenario,
    transcript: &Transcript,
    silence: Silence,
    lacks: &BTreeSet<Capability>,
) -> Option<FailedCheck> {
    let depends = |check: &Check| scenario.basis_of_check(check).contains(&silence.step);
    let checks = || {
        let can_be_judged = |check: &Check| lacks.is_empty() || scenario.needs_of(check).is_disjoint(lacks);
        scenario.checks.iter().enumerate().filter(move |(_, check)| can_be_judged(check))
    };
    let of_the_step = checks().find(|(_, check)| check.step == silence.step);
    let (number, check) = of_the_step.or_else(|| checks().find(|(_, check)| depends(check)))?;
    let seen = match silence.end {
        SilentEnd::Waited(time) => format!("no answer within {} s", time.as_secs()),
        SilentEnd::GaveUp(time) => format!("the server gives up after {} s (504 Timeout)", time.as_secs()),
        SilentEnd::Closed => "the connection ends without an answer".to_owned(),
    };
    let summary = match subject(scenario, check, silence.step) {
        Some(subject) => format!("{subject}: {seen}"),
        None => seen.clone(),
    };
    let failure = Failure {
        signature: Signature::new(property, &check.name, "", NO_ANSWER),
        requirements: check.blamed(NO_ANSWER),
        expected: expected(check, transcript, silence.step),
        actual: json!(seen),
        summary,
        between: None,
    };
    Some(FailedCheck { check: Some(number), step: Some(silence.step), place: String::new(), failure })
}

/// What a check says that it expected, if it is about the step; else any answer would have done.
fn expected(check: &Check, transcript: &Transcript, step: usize) -> Value {
    let any = || json!("an answer");
    if check.step != step {
        return any();
    }
    // What it expects does not depend on what came.
    holds(&check.expect, &Answer::default(), transcript).err().map_or_else(any, |mismatch| mismatch.expected)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, time::Duration};

    use rstest::rstest;
    use serde_json::json;

    use super::silenced;
    use crate::{
        capabilities::Capability,
        scenario::{Definition, Expectation, Plan, Scenario},
        transcript::{Answer, Silence, SilentEnd, Transcript},
    };

    /// A create without a check, and a read that is checked twice.
    fn scenario() -> Scenario {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({ "spec": 1 }));
        let read = plan.get(created);
        plan.check("read", &["X-001"], read, Expectation::Status(200));
        plan.check("content", &["X-002"], read, Expectation::Content(json!({ "spec": 1 })));
        plan.finish()
    }

    #[rstest]
    #[case::of_the_checked_step(1, json!(200), "GET …/v1/things/NAME")]
    #[case::of_one_that_it_needs(0, json!("an answer"), "POST …/v1/things")]
    fn one_check_fails(#[case] step: usize, #[case] expected: serde_json::Value, #[case] request: &str) {
        let answers = [Some(Answer { status: 201, ..Answer::default() })];
        let transcript = Transcript { answers: answers[..step].to_vec(), ..Transcript::default() };
        for (end, seen) in [
            (SilentEnd::Waited(Duration::from_secs(10)), "no answer within 10 s"),
            (SilentEnd::GaveUp(Duration::from_secs(34)), "the server gives up after 34 s (504 Timeout)"),
            (SilentEnd::Closed, "the connection ends without an answer"),
        ] {
            let silence = Silence { step, end };
            let found = silenced("p", &scenario(), &transcript, silence, &BTreeSet::new()).expect("a failed check");
            assert_eq!(found.failure.signature.to_string(), "p:read::no-answer");
            assert_eq!(found.failure.requirements, ["X-001"]);
            assert_eq!((found.check, found.step), (Some(0), Some(step)));
            assert_eq!(found.failure.summary, format!("{request}: {seen}"));
            assert_eq!((&found.failure.actual, &found.failure.expected), (&json!(seen), &expected));
        }
    }

    #[test]
    fn what_cannot_be_judged_does_not_fail() {
        let silence = Silence { step: 1, end: SilentEnd::Closed };
        let lacks = BTreeSet::from([Capability::Storing]);
        assert_eq!(silenced("p", &scenario(), &Transcript::default(), silence, &lacks), None);
    }
}
