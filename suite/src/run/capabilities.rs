//! What a target can do: one tiny scenario for each capability, executed before everything else.

use std::collections::BTreeMap;

use crdible_reports::{Failure, Signature};
use serde_json::Value;

use super::{
    attempt::{Attempt, Examiner as _, Outcome, Trial},
    finding::{Finding, Shrinking},
};
use crate::{
    execute::{ExecutionError, Executor, Record},
    judge::FailedCheck,
    properties::{Capability, CapabilityTest},
    scenario::Scenario,
};

/// The reason in the signature of a capability whose scenario could not be run.
pub const UNABLE: &str = "unable";

/// A capability is missing if this many attempts show it.
const ATTEMPTS: u32 = 3;

/// The missing capabilities, each with the finding that shows it, or without one if another missing capability implies
/// it.
pub(super) type Lacks = BTreeMap<Capability, Option<Box<Finding>>>;

/// Tries each capability. A target that lacks some is not an error; one that cannot be reached or forbids the requests is.
pub(super) async fn find_lacks(
    executor: &mut Executor,
    tests: &'static [CapabilityTest],
    lacks: &mut Lacks,
) -> Result<(), ExecutionError> {
    for test in tests {
        if test.depends_on.iter().any(|basis| lacks.contains_key(basis)) {
            lacks.insert(test.capability, None);
            continue;
        }
        if let Some(finding) = try_capability(executor, test).await? {
            lacks.insert(test.capability, Some(Box::new(finding)));
        }
    }
    Ok(())
}

/// What shows that the target lacks a capability.
async fn try_capability(
    executor: &mut Executor,
    test: &'static CapabilityTest,
) -> Result<Option<Finding>, ExecutionError> {
    if test.needs_preparation
        && let Err(error) = prepare(executor).await
    {
        return unable_unless_fatal(test, error).map(Some);
    }
    let Attempt { outcome, records, .. } = best_of(executor, test.id, &(test.plan)()).await;
    let failed = match outcome {
        Outcome::Pass => return Ok(None),
        Outcome::Discard(reason) => return Ok(Some(unable(test, &reason))),
        Outcome::Error(error) => return unable_unless_fatal(test, error).map(Some),
        Outcome::Fail(failed) => failed,
    };
    let failed = failed.into_iter().next().unwrap_or_else(|| without_check(test, test.lack));
    if let Some(code @ (401 | 403)) = failed.failure.actual.get("status").and_then(Value::as_u64) {
        let message = failed.failure.actual.get("message").and_then(Value::as_str);
        return Err(ExecutionError::Forbidden(format!("{code} {}", message.unwrap_or(&failed.failure.summary))));
    }
    Ok(Some(Finding { records, ..finding(test, failed) }))
}

/// Tries a capability until an attempt succeeds, or enough attempts have failed to report it as missing.
async fn best_of(executor: &Executor, property: &str, scenario: &Scenario) -> Attempt<ExecutionError> {
    let trial = Trial::new(property, scenario).recorded();
    let mut last = executor.attempt(trial).await;
    for _ in 1..ATTEMPTS {
        match &last.outcome {
            Outcome::Pass | Outcome::Error(ExecutionError::NeverServed { .. }) => break,
            Outcome::Error(_) if !executor.answers_again().await => break,
            _ => {}
        }
        last = executor.attempt(trial).await;
    }
    last
}

/// Prepares an executor; tries once more after an error of the network or of a proxy.
async fn prepare(executor: &mut Executor) -> Result<(), ExecutionError> {
    match executor.prepare().await {
        Err(ExecutionError::Transport(_) | ExecutionError::DefinitionLost(_)) if executor.answers_again().await => {
            executor.prepare().await
        }
        prepared => prepared,
    }
}

fn unable_unless_fatal(test: &CapabilityTest, error: ExecutionError) -> Result<Finding, ExecutionError> {
    match error {
        ExecutionError::Transport(_) | ExecutionError::Forbidden(_) => Err(error),
        error => Ok(unable(test, &error.to_string())),
    }
}

/// The finding for a capability whose scenario could not be run.
fn unable(test: &CapabilityTest, reason: &str) -> Finding {
    finding(test, without_check(test, reason))
}

fn without_check(test: &CapabilityTest, summary: &str) -> FailedCheck {
    let failure = Failure {
        signature: Signature::new(test.id, Signature::CAPABILITY, "", UNABLE),
        requirements: Vec::new(),
        summary: summary.to_owned(),
        expected: Value::Null,
        actual: Value::Null,
        between: None,
    };
    FailedCheck { check: None, step: None, failure }
}

fn finding(test: &CapabilityTest, mut failed: FailedCheck) -> Finding {
    let failure = &mut failed.failure;
    failure.requirements = vec![test.requirement.to_owned()];
    if failure.summary != test.lack {
        failure.summary = format!("{}: {}", test.lack, failure.summary);
    }
    Finding {
        failed,
        index: 0,
        scenario: (test.plan)(),
        tape: None,
        records: vec![Record::default()],
        attempts: ATTEMPTS,
        reproduced: ATTEMPTS,
        needs_history: false,
        shrinking: Shrinking::not_needed(),
    }
}
