//! Two executors as one examiner: a scenario runs on both, and fails where their answers differ.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{difference::differences, normal::Normaliser};
use crate::{
    execute::{Execution, ExecutionError, Executor, Freshness, Record, Refusal},
    judge::{Failure, signature_of},
    run::{Attempt, Examiner, Outcome},
    scenario::{Reads, Scenario},
    transcript::Answer,
};

/// Two targets that execute the same scenarios.
#[derive(Debug)]
pub struct Pair {
    sides: [Arc<Executor>; 2],
}

impl Pair {
    /// The pair of two prepared executors. Their runs must have different IDs, since they may reach the same server.
    pub fn new(first: Arc<Executor>, second: Arc<Executor>) -> Self {
        Self { sides: [first, second] }
    }

    fn compared(&self, scenario: &Scenario, sides: [&Side; 2]) -> Result<Vec<Failure>, ()> {
        let [first, second] = &self.sides;
        Ok(match sides {
            [Side::Ran(one), Side::Ran(other)] => {
                let transcripts = [&one.transcript, &other.transcript];
                let found = differences(scenario, transcripts, [first.run(), second.run()]);
                found.into_iter().map(|difference| difference.into_failure(scenario)).collect()
            }
            [Side::Failed(_), _] | [_, Side::Failed(_)] => return Err(()),
            [one, other] => {
                installations(one.installation(first.run(), scenario), other.installation(second.run(), scenario))
            }
        })
    }
}

impl Examiner for Pair {
    async fn attempt(&self, scenario: &Scenario, freshness: Freshness, record: bool) -> Attempt {
        let [first, second] = &self.sides;
        let (one, other) =
            tokio::join!(first.execute(scenario, freshness, record), second.execute(scenario, freshness, record));
        let (one, other) = (Side::of(one), Side::of(other));
        let requests = one.requests() + other.requests();
        let compared = self.compared(scenario, [&one, &other]);
        let records = [one.record(), other.record()];
        // What both answered says something about every check, whatever the answers are.
        let both_ran = matches!((&one, &other), (Side::Ran(_), Side::Ran(_)));
        let all = if both_ran { scenario.checks.len() } else { 0 };
        let outcome = match compared {
            Ok(failures) if failures.is_empty() => Outcome::Pass,
            Ok(failures) => Outcome::Fail(failures),
            Err(()) => Outcome::Error(
                one.error("the first target")
                    .unwrap_or_else(|| other.error("the second target").unwrap_or(ExecutionError::Closing)),
            ),
        };
        let [record, beside] = records;
        Attempt { outcome, judged: (0..all).collect(), record, beside: Some(Box::new(beside)), requests }
    }

    async fn answers_again(&self) -> bool {
        let [first, second] = &self.sides;
        let (one, other) = tokio::join!(first.answers_again(), second.answers_again());
        one && other
    }

    fn requests(&self) -> u64 {
        self.sides.iter().map(|side| side.requests()).sum()
    }

    fn parts(&self, scenario: &Scenario, failure: &Failure) -> Vec<Scenario> {
        match failure.step {
            Some(step) => [Reads::Dropped, Reads::Kept].map(|reads| scenario.slice_for_step(step, reads)).into(),
            None => vec![scenario.slice(usize::MAX, Reads::Dropped)],
        }
    }
}

/// How a scenario ended on one target.
enum Side {
    /// All its definitions were accepted.
    Ran(Execution),
    /// One was refused.
    Refused(Box<Refusal>),
    /// Nothing is known.
    Failed(ExecutionError),
}

impl Side {
    fn of(outcome: Result<Execution, ExecutionError>) -> Self {
        match outcome {
            Ok(execution) => Self::Ran(execution),
            Err(ExecutionError::DefinitionRefused(refusal)) => Self::Refused(refusal),
            Err(error) => Self::Failed(error),
        }
    }

    fn requests(&self) -> u64 {
        if let Self::Ran(execution) = self { execution.requests } else { 0 }
    }

    /// What became of the definitions: the normalised refusal, or that there was none.
    fn installation(&self, run: &str, scenario: &Scenario) -> Value {
        match self {
            Self::Refused(refusal) => {
                let answer = Answer { status: refusal.status, body: refusal.body.clone(), ..Answer::default() };
                Normaliser::new(run, scenario).answer(&answer, false)
            }
            Self::Ran(_) | Self::Failed(_) => json!({ "status": "2xx" }),
        }
    }

    fn record(&self) -> Record {
        match self {
            Self::Ran(execution) => execution.record.clone(),
            Self::Refused(refusal) => Record { definitions: vec![refusal.document.clone()], ..Record::default() },
            Self::Failed(_) => Record::default(),
        }
    }

    fn error(self, target: &'static str) -> Option<ExecutionError> {
        if let Self::Failed(error) = self { Some(ExecutionError::Of { target, error: Box::new(error) }) } else { None }
    }
}

/// The difference between what became of the definitions, at least one of which was refused.
fn installations(first: Value, second: Value) -> Vec<Failure> {
    if first == second {
        return Vec::new();
    }
    let word = |side: &Value| side["status"].to_string().replace('"', "");
    let cause = [&first, &second].iter().find_map(|side| side.pointer("/causes/0").cloned()).unwrap_or_default();
    let text = |key: &str| cause.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let kind = format!("{}-{}-{}", word(&first), word(&second), text("reason"));
    vec![Failure {
        check: usize::MAX,
        step: None,
        name: "definition".to_owned(),
        requirements: Vec::new(),
        summary: format!("a definition of the scenario: {} against {} {}", word(&first), word(&second), text("field")),
        signature: signature_of("definition", &text("field"), &kind),
        expected: first,
        actual: second,
    }]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::installations;

    #[test]
    fn a_definition_that_one_refuses_is_a_difference() {
        let refused = json!({ "status": 422, "reason": "Invalid", "causes": [
            { "field": "openAPIV3Schema.properties[a].pattern", "reason": "Invalid" },
        ] });
        let accepted = json!({ "status": "2xx" });
        assert!(installations(refused.clone(), refused.clone()).is_empty());
        let found = installations(accepted, refused);
        assert_eq!(found[0].signature, "definition:pattern:2xx-422-Invalid");
    }
}
