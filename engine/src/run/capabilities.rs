//! What a target can do: one tiny scenario for each capability, executed before everything else.

use std::collections::{BTreeMap, BTreeSet};

use crdible_journal::{Failure, Signature};
use crdible_scenario::{
    Capability, Reads, Scenario,
    capabilities::{BASIC, CapabilityTest, MissingIf},
    expect::Mismatch,
    judge::FailedCheck,
};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    attempt::{Attempt, AttemptOutcome, Trial, attempt_on},
    finding::{ConfirmedFinding, Shrinking},
};
use crate::{
    connection::TransportError,
    execute::{Avoided, ExecutionError, Executor, Record},
};

/// The reason in the signature of a capability whose scenario could not be run.
pub const UNABLE: &str = "unable";

/// A capability is missing if this many attempts show it.
const ATTEMPTS: u32 = 3;
/// It is also missing if the same checks fail in the same way in this many attempts in a row.
const SAME_ATTEMPTS: u32 = 2;
/// The most further attempts that may end in an error.
const SPOILT_ATTEMPTS: u32 = 4;

/// The most attempts to find out how a target shows that a schema is served.
const PREPARATIONS: u32 = 4;

/// A finding shows at most this many examples of what is accepted although it is invalid.
const EXAMPLES: usize = 3;

/// The missing capabilities, each with the finding that shows it, or without one if another missing capability implies
/// it.
pub(super) type Missing = BTreeMap<Capability, Option<Box<ConfirmedFinding>>>;

/// The capabilities that a target has in part, each with the first failure.
pub(super) type Partial = BTreeMap<Capability, Failure>;

/// What a target was seen to be capable of.
#[derive(Clone, Debug, PartialEq)]
pub enum Support {
    /// It has the capability.
    Whole,
    /// It has it in part; the properties find out what is wrong. The first failure.
    Partial(Failure),
    /// It does not have it, and what shows that.
    Missing(Failure),
    /// It was not tried, because this one is missing, on which it depends.
    Implied(Capability),
    /// It was not seen, which is no fault, and why.
    Excused(&'static str),
}

/// What trying a capability showed.
enum Tried {
    Whole,
    Partial(Box<Failure>),
    Missing(Box<ConfirmedFinding>),
}

/// Tries those of the capabilities that are needed, and those on which they depend. The executor learns which requests
/// to avoid. A missing capability is not an error; a target that cannot be reached or forbids the requests is. Returns
/// those that it has in part.
pub(super) async fn find_missing(
    executor: &mut Executor,
    tests: &'static [CapabilityTest],
    needed: &BTreeSet<Capability>,
    missing: &mut Missing,
) -> Result<Partial, ExecutionError> {
    let mut partial = Partial::new();
    let mut note = |missing: &mut Missing, test: &CapabilityTest, tried: Tried, counts: bool| match tried {
        Tried::Whole => {}
        Tried::Partial(failure) => drop(partial.insert(test.capability, *failure)),
        Tried::Missing(finding) => drop(missing.insert(test.capability, counts.then_some(finding))),
    };
    let needed = with_basis(tests, needed);
    let wanted = tests.iter().filter(|test| needed.contains(&test.capability));
    let (basic, mut others): (Vec<_>, Vec<_>) = wanted.partition(|test| BASIC.contains(&test.capability));
    for test in basic {
        // It may be missing already because the target does not claim it.
        if missing.contains_key(&test.capability) || implied(test, missing) {
            continue;
        }
        let tried = match test.capability {
            Capability::Serving => {
                let (tried, unchanged) = try_serving(executor, test).await?;
                let updates = tests.iter().find(|test| test.capability == Capability::DefinitionUpdates);
                if let Some((test, error)) = updates.zip(unchanged) {
                    let finding = unable_unless_fatal(test, error)?;
                    missing.entry(test.capability).or_insert_with(|| Some(Box::new(finding)));
                }
                tried
            }
            _ => try_capability(executor, test).await?,
        };
        note(missing, test, tried, true);
    }
    let avoided = Avoided {
        dry_runs_of_definitions: missing.contains_key(&Capability::DefinitionDryRun),
        dry_runs_of_objects: missing.contains_key(&Capability::ObjectDryRun),
        watches: false,
    };
    executor.avoid(avoided);
    // Concurrently, since some wait for what may never come. First those that depend on no other.
    while !others.is_empty() {
        others.retain(|test| !missing.contains_key(&test.capability) && !implied(test, missing));
        let waits_for = |test: &CapabilityTest, other: &&&CapabilityTest| test.depends_on.contains(&other.capability);
        let (now, later): (Vec<_>, Vec<_>) =
            others.iter().copied().partition(|test| !others.iter().any(|other| waits_for(test, &other)));
        let shared = &*executor;
        let tried = join_all(now.iter().map(|test| try_capability(shared, test))).await;
        for (test, tried) in now.into_iter().zip(tried) {
            let tried = tried?;
            let counts = !matches!(&tried, Tried::Missing(finding) if !counts(executor, finding));
            note(missing, test, tried, counts);
        }
        others = later;
    }
    executor.avoid(Avoided { watches: missing.contains_key(&Capability::Watches), ..avoided });
    let untried = |row: &CapabilityTest, missing: &Missing| {
        needed.contains(&row.capability)
            && !missing.contains_key(&row.capability)
            && row.depends_on.iter().any(|basis| missing.contains_key(basis))
    };
    for row in tests {
        if let Some(test) = row.otherwise.filter(|_| untried(row, missing))
            && !implied(test, missing)
        {
            let tried = try_capability(executor, test).await?;
            note(missing, test, tried, true);
        }
    }
    Ok(partial)
}

/// Whether a missing capability counts against the target.
fn counts(executor: &Executor, finding: &ConfirmedFinding) -> bool {
    match finding.missing_capability {
        // It cannot reach this machine if it has no address for it.
        Some(Capability::Webhooks) => executor.expects_webhooks(),
        // A server need not have a namespace with this name (REST-074), nor let every user write there.
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

/// Whether another missing capability implies that this one is missing, too; then it is recorded, unless another test
/// may show it: without rejected objects it is unknown whether rejections list causes, and those of definitions show it.
fn implied(test: &CapabilityTest, missing: &mut Missing) -> bool {
    let is_implied = test.depends_on.iter().any(|basis| missing.contains_key(basis));
    if is_implied && test.capability.row().otherwise.is_none() {
        missing.insert(test.capability, None);
    }
    is_implied
}

/// What shows that objects of a definition are not served; and what shows that its changed schemas are not.
async fn try_serving(
    executor: &mut Executor,
    test: &'static CapabilityTest,
) -> Result<(Tried, Option<ExecutionError>), ExecutionError> {
    let mut prepared = executor.prepare().await;
    for attempt in 1..PREPARATIONS {
        match &prepared {
            // One retry after an error of the network or of a proxy.
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
        Err(error) => Ok((Tried::Missing(Box::new(unable_unless_fatal(test, error)?)), None)),
    }
}

/// Whether the target has a capability, and what shows that it does not.
async fn try_capability(executor: &Executor, test: &'static CapabilityTest) -> Result<Tried, ExecutionError> {
    let scenario = (test.plan)();
    let (Attempt { outcome, records, .. }, attempts) = best_of(executor, test, &scenario).await;
    let failed = match outcome {
        AttemptOutcome::Pass => return Ok(Tried::Whole),
        AttemptOutcome::Discard(reason) => {
            let record = records.into_iter().next().unwrap_or_default();
            return Ok(Tried::Missing(Box::new(unable(test, &reason, record))));
        }
        AttemptOutcome::Error(error) => {
            return unable_unless_fatal(test, error).map(|finding| Tried::Missing(Box::new(finding)));
        }
        AttemptOutcome::Fail(failed) => failed,
    };
    let shows_nothing = |failed: &FailedCheck| failed.failure.signature.reason == Mismatch::SHOWS_NOTHING;
    let (silent, failed): (Vec<_>, Vec<_>) = failed.into_iter().partition(shows_nothing);
    if !is_missing(test, scenario.checks.len() - silent.len(), &failed) {
        let first = failed.into_iter().next();
        return Ok(first.map_or(Tried::Whole, |failed| Tried::Partial(Box::new(failed.failure))));
    }
    for failed in failed.iter().filter(|_| test.capability != Capability::Namespaces) {
        if let Some(code @ (401 | 403)) = failed.failure.actual.get("status").and_then(Value::as_u64) {
            let message = failed.failure.actual.get("message").and_then(Value::as_str);
            return Err(ExecutionError::Forbidden(format!("{code} {}", message.unwrap_or(&failed.failure.summary))));
        }
    }
    let finding = with_examples(executor, test, &scenario, &failed, records).await;
    Ok(Tried::Missing(Box::new(ConfirmedFinding { attempts, reproduced: attempts, ..finding })))
}

/// Whether these failed checks show that the capability is missing, of this number of checks that could be made.
fn is_missing(test: &CapabilityTest, made: usize, failed: &[FailedCheck]) -> bool {
    let is_refused = failed.iter().any(|failed| failed.check.is_none());
    let all_fail = || failed.len() == made || is_refused;
    !failed.is_empty() && (test.missing_if == MissingIf::AnyFails || all_fail())
}

/// Tries a capability until an attempt succeeds, or enough attempts have failed to report it as missing.
/// Returns the last attempt and how many there were.
async fn best_of(executor: &Executor, test: &CapabilityTest, scenario: &Scenario) -> (Attempt<ExecutionError>, u32) {
    let trial = Trial::new(test.id, scenario).recorded();
    let mut last = attempt_on(executor, trial, &BTreeSet::new()).await;
    let (mut attempts, mut errors) = (1, 0);
    loop {
        match &last.outcome {
            // After a wait for the full patience, another try would only wait as long again.
            AttemptOutcome::Pass | AttemptOutcome::Error(ExecutionError::NeverServed { .. }) => break,
            // An error of the network or of a gateway shows nothing.
            AttemptOutcome::Error(error) if !error.is_of_waiting() && errors < SPOILT_ATTEMPTS => {
                errors += 1;
                attempts -= 1;
            }
            _ if attempts >= ATTEMPTS => break,
            _ => {}
        }
        if matches!(last.outcome, AttemptOutcome::Error(_)) && !executor.answers_again().await {
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

/// Whether the same checks failed in the same way. Errors of the server and conflicts with other writers do not count.
fn fail_alike<E>(one: &AttemptOutcome<E>, other: &AttemptOutcome<E>) -> bool {
    let (AttemptOutcome::Fail(one), AttemptOutcome::Fail(other)) = (one, other) else { return false };
    let is_unable =
        |failed: &FailedCheck| failed.failure.actual["status"].as_u64().is_some_and(|code| code == 409 || code >= 500);
    let shown = |failed: &[FailedCheck]| -> Vec<(Option<usize>, Signature)> {
        failed.iter().map(|failed| (failed.check, failed.failure.signature.clone())).collect()
    };
    !one.iter().any(is_unable) && shown(one) == shown(other)
}

/// The finding for a missing capability: of several checks that fail it shows a few as examples.
async fn with_examples(
    executor: &Executor,
    test: &'static CapabilityTest,
    scenario: &Scenario,
    failed: &[FailedCheck],
    records: Vec<Record>,
) -> ConfirmedFinding {
    let first = failed.first().cloned().unwrap_or_else(|| without_check(test, test.lack));
    let mut finding = ConfirmedFinding { records, scenario: scenario.clone().into(), ..finding(test, first) };
    let mut requirements: Vec<String> = Vec::new();
    for reference in failed.iter().take(EXAMPLES).flat_map(|failed| &failed.failure.requirements) {
        if !requirements.contains(reference) {
            requirements.push(reference.clone());
        }
    }
    finding.failed.failure.requirements = requirements;
    let shown: Vec<usize> = failed.iter().take(EXAMPLES).filter_map(|failed| failed.check).collect();
    // What holds or shows nothing is no example.
    if !shown.is_empty() && shown.len() < scenario.checks.len() {
        let scenario = scenario.slice_of(&shown, Reads::Dropped);
        let again = attempt_on(executor, Trial::new(test.id, &scenario).recorded(), &BTreeSet::new()).await;
        if matches!(again.outcome, AttemptOutcome::Fail(_)) {
            finding.records = again.records;
            finding.scenario = scenario.into();
        }
    }
    finding
}

fn unable_unless_fatal(test: &CapabilityTest, error: ExecutionError) -> Result<ConfirmedFinding, ExecutionError> {
    match error {
        // A watch that never ends, or that a proxy ends, does not mean that the server cannot be reached.
        ExecutionError::Transport(
            TransportError::Timeout { .. } | TransportError::Closed { .. } | TransportError::Gateway { .. },
        ) if test.capability == Capability::Watches => Ok(unable(test, &error.to_string(), Record::default())),
        // The user may have no access to another namespace.
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
fn unable(test: &CapabilityTest, reason: &str, record: Record) -> ConfirmedFinding {
    let mut finding = finding(test, without_check(test, reason));
    if let Some(last) = record.exchanges.last() {
        finding.failed.failure.expected = json!("2xx");
        finding.failed.failure.actual = json!({ "status": last.status, "body": last.response });
    }
    ConfirmedFinding { records: vec![record], ..finding }
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

fn finding(test: &CapabilityTest, mut failed: FailedCheck) -> ConfirmedFinding {
    let failure = &mut failed.failure;
    if failure.summary != test.lack {
        failure.summary = match test.missing_if {
            MissingIf::AllFail => test.lack.to_owned(),
            MissingIf::AnyFails => format!("{}: {}", test.lack, failure.summary),
        };
    }
    ConfirmedFinding {
        failed,
        missing_capability: Some(test.capability),
        index: 0,
        scenario: (test.plan)().into(),
        tape: None,
        records: vec![Record::default()],
        attempts: 1,
        reproduced: 1,
        races: 0,
        needs_history: false,
        shrinking: Shrinking::not_needed(0),
    }
}
