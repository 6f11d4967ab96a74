//! What a target can do: one tiny scenario for each capability, executed before everything else.

use std::collections::{BTreeMap, BTreeSet};

use crdible_journal::{Failure, Signature};
use crdible_scenario::{
    Capability, Reads, Scenario,
    capabilities::{BASIC, CAUSES_OF_DEFINITIONS, CapabilityTest, MissingIf},
    judge::FailedCheck,
};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    attempt::{Attempt, Outcome, Trial, attempt_on},
    finding::{Finding, Shrinking},
};
use crate::{
    connection::TransportError,
    execute::{Avoided, ExecutionError, Executor, Record},
};

/// The reason in the signature of a capability whose scenario could not be run.
pub const UNABLE: &str = "unable";

/// A capability is missing if this many attempts show it, …
const ATTEMPTS: u32 = 3;
/// … or this many in which the same checks fail in the same way.
const SAME_ATTEMPTS: u32 = 2;
/// So many attempts may end in an error besides.
const SPOILT_ATTEMPTS: u32 = 4;

/// Finding out how a target shows that a schema is served takes so many attempts at most.
const PREPARATIONS: u32 = 4;

/// A finding shows at most this many examples of what is accepted although it is invalid.
const EXAMPLES: usize = 3;

/// The missing capabilities, each with the finding that shows it, or without one if another missing capability implies
/// it.
pub(super) type Lacks = BTreeMap<Capability, Option<Box<Finding>>>;

/// Tries those of the capabilities that are needed, and those on which they depend. The executor learns what it must do without.
/// A target that lacks some is not an error; one that cannot be reached or forbids the requests is.
pub(super) async fn find_lacks(
    executor: &mut Executor,
    tests: &'static [CapabilityTest],
    needed: &BTreeSet<Capability>,
    lacks: &mut Lacks,
) -> Result<(), ExecutionError> {
    let needed = with_basis(tests, needed);
    let wanted = tests.iter().filter(|test| needed.contains(&test.capability));
    let (basic, mut others): (Vec<_>, Vec<_>) = wanted.partition(|test| BASIC.contains(&test.capability));
    for test in basic {
        // It may be that it is not claimed.
        if lacks.contains_key(&test.capability) || implied(test, lacks) {
            continue;
        }
        let missing = match test.capability {
            Capability::Serving => {
                let (missing, unchanged) = try_serving(executor, test).await?;
                let updates = tests.iter().find(|test| test.capability == Capability::DefinitionUpdates);
                if let Some((test, error)) = updates.zip(unchanged) {
                    let finding = unable_unless_fatal(test, error)?;
                    lacks.entry(test.capability).or_insert_with(|| Some(Box::new(finding)));
                }
                missing
            }
            _ => try_capability(executor, test).await?,
        };
        if let Some(finding) = missing {
            lacks.insert(test.capability, Some(Box::new(finding)));
        }
    }
    let avoided = Avoided {
        dry_runs_of_definitions: lacks.contains_key(&Capability::DefinitionDryRun),
        dry_runs_of_objects: lacks.contains_key(&Capability::ObjectDryRun),
        watches: false,
    };
    executor.avoid(avoided);
    // Together, since some wait for what may never come. First those that depend on no other.
    while !others.is_empty() {
        others.retain(|test| !lacks.contains_key(&test.capability) && !implied(test, lacks));
        let waits_for = |test: &CapabilityTest, other: &&&CapabilityTest| test.depends_on.contains(&other.capability);
        let (now, later): (Vec<_>, Vec<_>) =
            others.iter().copied().partition(|test| !others.iter().any(|other| waits_for(test, &other)));
        let shared = &*executor;
        let tried = join_all(now.iter().map(|test| try_capability(shared, test))).await;
        for (test, missing) in now.into_iter().zip(tried) {
            if let Some(finding) = missing? {
                lacks.insert(test.capability, counts(executor, &finding).then(|| Box::new(finding)));
            }
        }
        others = later;
    }
    executor.avoid(Avoided { watches: lacks.contains_key(&Capability::Watches), ..avoided });
    let test = &CAUSES_OF_DEFINITIONS;
    let are_unknown = needed.contains(&test.capability)
        && !lacks.contains_key(&test.capability)
        && lacks.contains_key(&Capability::Validation);
    if are_unknown
        && !implied(test, lacks)
        && let Some(finding) = try_capability(executor, test).await?
    {
        lacks.insert(test.capability, Some(Box::new(finding)));
    }
    Ok(())
}

/// Whether that the target lacks a capability is a fault of it.
fn counts(executor: &Executor, finding: &Finding) -> bool {
    match finding.lacks {
        // It cannot reach a machine that it was not told how to reach.
        Some(Capability::Webhooks) => executor.expects_webhooks(),
        // Nobody promises that there is a namespace with this name (REST-074), or that it is for everybody.
        Some(Capability::Namespaces) => ![403, 404].iter().any(|code| finding.failure().actual["status"] == *code),
        _ => true,
    }
}

/// These capabilities, and all on which they depend.
pub(super) fn with_basis(tests: &[CapabilityTest], needed: &BTreeSet<Capability>) -> BTreeSet<Capability> {
    let mut all = needed.clone();
    for test in tests.iter().rev() {
        if all.contains(&test.capability) {
            all.extend(test.depends_on);
        }
    }
    all
}

/// Whether the lack of another capability implies that of this one; it is recorded. Only without rejected objects it is unknown
/// whether rejections list causes: those of definitions show it.
fn implied(test: &CapabilityTest, lacks: &mut Lacks) -> bool {
    let is_implied = test.depends_on.iter().any(|basis| lacks.contains_key(basis));
    if is_implied && test.capability != Capability::Causes {
        lacks.insert(test.capability, None);
    }
    is_implied
}

/// What shows that objects of a definition are not served; and what shows that its changed schemas are not.
async fn try_serving(
    executor: &mut Executor,
    test: &'static CapabilityTest,
) -> Result<(Option<Finding>, Option<ExecutionError>), ExecutionError> {
    let mut prepared = executor.prepare().await;
    for attempt in 1..PREPARATIONS {
        match &prepared {
            // After an error of the network or of a proxy once more.
            Err(error @ (ExecutionError::Transport(_) | ExecutionError::DefinitionLost(_)))
                if (attempt == 1 || !error.is_of_waiting()) && executor.answers_again().await =>
            {
                prepared = executor.prepare().await;
            }
            _ => break,
        }
    }
    match prepared {
        Ok(unchanged) => Ok((try_capability(executor, test).await?, unchanged)),
        Err(error) => Ok((Some(unable_unless_fatal(test, error)?), None)),
    }
}

/// What shows that the target lacks a capability.
async fn try_capability(executor: &Executor, test: &'static CapabilityTest) -> Result<Option<Finding>, ExecutionError> {
    let scenario = (test.plan)();
    let (Attempt { outcome, records, .. }, attempts) = best_of(executor, test, &scenario).await;
    let failed = match outcome {
        Outcome::Pass => return Ok(None),
        Outcome::Discard(reason) => {
            let record = records.into_iter().next().unwrap_or_default();
            return Ok(Some(unable(test, &reason, record)));
        }
        Outcome::Error(error) => return unable_unless_fatal(test, error).map(Some),
        Outcome::Fail(failed) if !is_missing(test, &scenario, &failed) => return Ok(None),
        Outcome::Fail(failed) => failed,
    };
    for failed in failed.iter().filter(|_| test.capability != Capability::Namespaces) {
        if let Some(code @ (401 | 403)) = failed.failure.actual.get("status").and_then(Value::as_u64) {
            let message = failed.failure.actual.get("message").and_then(Value::as_str);
            return Err(ExecutionError::Forbidden(format!("{code} {}", message.unwrap_or(&failed.failure.summary))));
        }
    }
    let finding = lack(executor, test, &scenario, &failed, records).await;
    Ok(Some(Finding { attempts, reproduced: attempts, ..finding }))
}

/// Whether these failed checks show that the capability is missing.
fn is_missing(test: &CapabilityTest, scenario: &Scenario, failed: &[FailedCheck]) -> bool {
    let is_refused = failed.iter().any(|failed| failed.check.is_none());
    test.missing_if == MissingIf::AnyFails || failed.len() == scenario.checks.len() || is_refused
}

/// Tries a capability until an attempt succeeds, or enough attempts have failed to report it as missing. Returns the last attempt and
/// how many there were.
async fn best_of(executor: &Executor, test: &CapabilityTest, scenario: &Scenario) -> (Attempt<ExecutionError>, u32) {
    let trial = Trial::new(test.id, scenario).recorded();
    let mut last = attempt_on(executor, trial, &BTreeSet::new()).await;
    let (mut attempts, mut errors) = (1, 0);
    loop {
        match &last.outcome {
            // What was waited for as long as patience allows is not waited for again.
            Outcome::Pass | Outcome::Error(ExecutionError::NeverServed { .. }) => break,
            // One that a network or a gateway spoilt shows nothing.
            Outcome::Error(error) if !error.is_of_waiting() && errors < SPOILT_ATTEMPTS => {
                errors += 1;
                attempts -= 1;
            }
            _ if attempts >= ATTEMPTS => break,
            _ => {}
        }
        if matches!(last.outcome, Outcome::Error(_)) && !executor.answers_again().await {
            break;
        }
        let before = std::mem::replace(&mut last, attempt_on(executor, trial, &BTreeSet::new()).await);
        attempts += 1;
        if attempts >= SAME_ATTEMPTS && !last.is_doubtful && fail_alike(&before.outcome, &last.outcome) {
            break;
        }
    }
    (last, attempts)
}

/// Whether the same checks failed in the same way, and not because the server was unable to answer, nor because something else wrote
/// meanwhile.
fn fail_alike<E>(one: &Outcome<E>, other: &Outcome<E>) -> bool {
    let (Outcome::Fail(one), Outcome::Fail(other)) = (one, other) else { return false };
    let is_unable =
        |failed: &FailedCheck| failed.failure.actual["status"].as_u64().is_some_and(|code| code == 409 || code >= 500);
    let shown = |failed: &[FailedCheck]| -> Vec<(Option<usize>, Signature)> {
        failed.iter().map(|failed| (failed.check, failed.failure.signature.clone())).collect()
    };
    !one.iter().any(is_unable) && shown(one) == shown(other)
}

/// The finding for a missing capability: of several checks that fail it shows a few as examples.
async fn lack(
    executor: &Executor,
    test: &'static CapabilityTest,
    scenario: &Scenario,
    failed: &[FailedCheck],
    records: Vec<Record>,
) -> Finding {
    let first = failed.first().cloned().unwrap_or_else(|| without_check(test, test.lack));
    let mut finding = Finding { records, scenario: scenario.clone(), ..finding(test, first) };
    let mut requirements: Vec<String> = Vec::new();
    for reference in failed.iter().take(EXAMPLES).flat_map(|failed| &failed.failure.requirements) {
        if !requirements.contains(reference) {
            requirements.push(reference.clone());
        }
    }
    finding.failed.failure.requirements = requirements;
    if failed.len() > EXAMPLES {
        let shown: Vec<usize> = failed.iter().take(EXAMPLES).filter_map(|failed| failed.check).collect();
        let scenario = scenario.slice_of(&shown, Reads::Dropped);
        let again = attempt_on(executor, Trial::new(test.id, &scenario).recorded(), &BTreeSet::new()).await;
        if matches!(again.outcome, Outcome::Fail(_)) {
            finding.records = again.records;
            finding.scenario = scenario;
        }
    }
    finding
}

fn unable_unless_fatal(test: &CapabilityTest, error: ExecutionError) -> Result<Finding, ExecutionError> {
    match error {
        // A watch that never ends, or that a proxy ends, is no server that cannot be reached.
        ExecutionError::Transport(
            TransportError::Timeout { .. } | TransportError::Closed { .. } | TransportError::Gateway { .. },
        ) if test.capability == Capability::Watches => Ok(unable(test, &error.to_string(), Record::default())),
        // Another namespace may be for others.
        ExecutionError::Forbidden(_) if test.capability == Capability::Namespaces => {
            let mut finding = unable(test, &error.to_string(), Record::default());
            finding.failed.failure.actual = json!({ "status": 403 });
            Ok(finding)
        }
        ExecutionError::Transport(_) | ExecutionError::Forbidden(_) => Err(error),
        ExecutionError::NeverServed { ref exchanges, .. } => {
            let record = Record { definitions: Vec::new(), exchanges: exchanges.clone() };
            Ok(unable(test, &error.to_string(), record))
        }
        error => Ok(unable(test, &error.to_string(), Record::default())),
    }
}

/// The finding for a capability whose scenario could not be run.
fn unable(test: &CapabilityTest, reason: &str, record: Record) -> Finding {
    let mut finding = finding(test, without_check(test, reason));
    if let Some(last) = record.exchanges.last() {
        finding.failed.failure.expected = json!("2xx");
        finding.failed.failure.actual = json!({ "status": last.status, "body": last.response });
    }
    Finding { records: vec![record], ..finding }
}

fn without_check(test: &CapabilityTest, summary: &str) -> FailedCheck {
    let asserts = (test.plan)().checks.first().map(|check| check.asserts.clone()).unwrap_or_default();
    let failure = Failure {
        signature: Signature::new(test.id, Signature::CAPABILITY, "", UNABLE),
        requirements: asserts,
        summary: summary.to_owned(),
        expected: Value::Null,
        actual: Value::Null,
        between: None,
    };
    FailedCheck { check: None, step: None, place: String::new(), failure }
}

fn finding(test: &CapabilityTest, mut failed: FailedCheck) -> Finding {
    let failure = &mut failed.failure;
    if failure.summary != test.lack {
        failure.summary = match test.missing_if {
            MissingIf::AllFail => test.lack.to_owned(),
            MissingIf::AnyFails => format!("{}: {}", test.lack, failure.summary),
        };
    }
    Finding {
        failed,
        lacks: Some(test.capability),
        index: 0,
        scenario: (test.plan)(),
        tape: None,
        records: vec![Record::default()],
        attempts: 1,
        reproduced: 1,
        needs_history: false,
        shrinking: Shrinking::not_needed(0),
    }
}
