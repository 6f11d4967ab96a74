//! What a target can do: one tiny scenario for each capability, executed before everything else.

use std::collections::BTreeSet;

use crdible_journal::{Failure, Signature};
use crdible_scenario::{
    Action, Capability, Reads, Scenario,
    capabilities::{CapabilityTest, ExcusedIf, MissingIf},
    expect::Mismatch,
    judge::FailedCheck,
};
use futures_util::{
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
};
use serde_json::{Value, json};

use super::{
    attempt::{Attempt, AttemptOutcome, Trial, attempt_on},
    finding::{ConfirmedFinding, Shrinking},
    support::{Missing, Purpose, Tried, TriedCapabilities},
};
use crate::{
    connection::{TransportError, patiently},
    execute::{Avoided, ExecutionError, Executor, Record, WatchedBy},
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

/// A finding shows at most this many examples of what is accepted although it is invalid; one where one decides.
const EXAMPLES: usize = 3;

/// Tries those of the capabilities that are needed, and those on which they depend, and notes in `supported` what each
/// shows, so that nothing is lost if this ends early. The executor learns which requests to avoid. A missing capability
/// is not an error; a target that cannot be reached is, and one that forbids the requests, if that matters.
pub(super) async fn find_missing(
    executor: &mut Executor,
    tests: &'static [CapabilityTest],
    needed: &BTreeSet<Capability>,
    supported: &mut TriedCapabilities,
    purpose: Purpose<'_>,
) -> Result<(), ExecutionError> {
    let needed = with_basis(tests, needed);
    let wanted = tests.iter().filter(|test| needed.contains(&test.capability));
    let (basic, others): (Vec<_>, Vec<_>) = wanted.partition(|test| test.is_basic);
    for test in basic {
        // It may be missing already because the target does not claim it.
        if supported.missing.contains_key(&test.capability) || implied(test, &mut supported.missing) {
            continue;
        }
        let tried = match test.capability {
            Capability::Serving => match try_serving(executor, test).await {
                Ok((tried, unchanged)) => {
                    let updates = tests.iter().find(|test| test.capability == Capability::DefinitionUpdates);
                    let updates = updates.filter(|test| !supported.missing.contains_key(&test.capability));
                    if let Some((test, error)) = updates.zip(unchanged) {
                        supported.note(test, missing_unless_fatal(test, error), purpose)?;
                    }
                    Ok(tried)
                }
                Err(error) => Err(error),
            },
            _ => try_capability(executor, test).await,
        };
        supported.note(test, tried, purpose)?;
    }
    // Concurrently, since some wait for what may never come: each as soon as all that it needs to know are known.
    let shared = &*executor;
    let mut unknown: BTreeSet<Capability> = others.iter().map(|test| test.capability).collect();
    let mut others: Vec<_> = others.into_iter().map(|test| (test, needs_to_know(test, tests))).collect();
    let mut trying = FuturesUnordered::new();
    loop {
        others.retain(|(test, needed)| {
            let (test, missing) = (*test, &mut supported.missing);
            if missing.contains_key(&test.capability) || implied(test, missing) {
                unknown.remove(&test.capability);
                return false;
            }
            let waits = !needed.is_disjoint(&unknown);
            if !waits {
                trying.push(async move { (test, try_in_any_way(shared, test).await) });
            }
            waits
        });
        shared.avoid(Avoided {
            dry_runs_of_definitions: supported.missing.contains_key(&Capability::DefinitionDryRun),
            dry_runs_of_objects: supported.missing.contains_key(&Capability::ObjectDryRun),
            ..shared.avoided()
        });
        let Some((test, tried)) = trying.next().await else {
            debug_assert!(others.is_empty(), "they wait for one another: {others:?}");
            break;
        };
        unknown.remove(&test.capability);
        supported.note(test, tried, purpose)?;
    }
    drop(trying);
    let missing = &supported.missing;
    if missing.contains_key(&Capability::Watches) {
        executor.avoid(Avoided { watches: WatchedBy::Nothing, ..executor.avoided() });
    }
    let untried = |row: &CapabilityTest, missing: &Missing| {
        needed.contains(&row.capability)
            && !missing.contains_key(&row.capability)
            && row.depends_on.iter().any(|basis| missing.contains_key(basis))
    };
    for row in tests {
        if let Some(test) = row.otherwise.filter(|_| untried(row, &supported.missing))
            && !implied(test, &mut supported.missing)
        {
            let tried = try_capability(executor, test).await;
            supported.note(test, tried, purpose)?;
        }
    }
    Ok(())
}

/// What must be known before a test can be tried: what it depends on, and whether dry runs are, if it has some. Some
/// servers answer nothing else during a watch, so one waits for all tests that wait for something.
fn needs_to_know(test: &CapabilityTest, tests: &[CapabilityTest]) -> BTreeSet<Capability> {
    let dry_runs = BTreeSet::from([Capability::DefinitionDryRun, Capability::ObjectDryRun]);
    let scenario = test.scenario();
    let mut needed: BTreeSet<Capability> = scenario.uses().intersection(&dry_runs).copied().collect();
    needed.extend(test.depends_on);
    if watches(&scenario) {
        let waits = |other: &&CapabilityTest| {
            let scenario = other.scenario();
            !watches(&scenario) && scenario.steps.iter().any(|step| step.until.is_some())
        };
        needed.extend(tests.iter().filter(waits).map(|other| other.capability));
    }
    needed.remove(&test.capability);
    needed
}

fn watches(scenario: &Scenario) -> bool {
    scenario.steps.iter().any(|step| matches!(&step.action, Action::Send(request) if request.is_watch()))
}

/// Whether a target that lacks the capability of this test is excused.
fn is_excused(executor: &Executor, test: &CapabilityTest, finding: &ConfirmedFinding) -> bool {
    match test.excuse.map(|excuse| excuse.excused_if) {
        Some(ExcusedIf::Unreached) => !executor.expects_webhooks(),
        Some(ExcusedIf::Refused) => [403, 404].iter().any(|code| finding.failure().actual["status"] == *code),
        None => false,
    }
}

/// Whether a target that refuses the requests of this test is excused, so that a refusal is no error.
fn may_be_refused(test: &CapabilityTest) -> bool {
    test.excuse.is_some_and(|excuse| excuse.excused_if == ExcusedIf::Refused)
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
        Err(error) => Ok((missing_unless_fatal(test, error)?, None)),
    }
}

/// Whether the target has a capability. Where it refuses a plain watch, it may serve watches over WebSocket.
async fn try_in_any_way(executor: &Executor, test: &'static CapabilityTest) -> Result<Tried, ExecutionError> {
    let plainly = try_capability(executor, test).await?;
    let is_refused = |finding: &ConfirmedFinding| finding.signature().reason.starts_with("refused-");
    if test.capability != Capability::Watches || !matches!(&plainly, Tried::Missing(finding) if is_refused(finding)) {
        return Ok(plainly);
    }
    let avoided = executor.avoided();
    executor.avoid(Avoided { watches: WatchedBy::WebSocket, ..avoided });
    match try_capability(executor, test).await {
        Ok(upgraded @ (Tried::Whole | Tried::Partial(_))) => Ok(upgraded),
        Ok(Tried::Missing(_) | Tried::Excused) | Err(_) => {
            executor.avoid(Avoided { watches: avoided.watches, ..executor.avoided() });
            Ok(plainly)
        }
    }
}

/// Whether the target has a capability, and what shows that it does not.
async fn try_capability(executor: &Executor, test: &'static CapabilityTest) -> Result<Tried, ExecutionError> {
    match try_once(executor, test).await? {
        Tried::Missing(finding) if is_excused(executor, test, &finding) => Ok(Tried::Excused),
        tried => Ok(tried),
    }
}

async fn try_once(executor: &Executor, test: &'static CapabilityTest) -> Result<Tried, ExecutionError> {
    let scenario = test.scenario();
    let (attempt, attempts) = best_of(executor, test, &scenario).await;
    let Attempt { outcome, records, .. } = attempt.with_silence();
    let failed = match outcome {
        AttemptOutcome::Pass => return Ok(Tried::Whole),
        AttemptOutcome::Discard(reason) => {
            let record = records.into_iter().next().unwrap_or_default();
            return Ok(Tried::Missing(Box::new(unable(test, &reason, record))));
        }
        AttemptOutcome::Error(error) => return missing_unless_fatal(test, error),
        AttemptOutcome::Fail(failed) => failed,
    };
    let shows_nothing = |failed: &FailedCheck| Mismatch::shows_nothing(&failed.failure.signature.reason);
    let (silent, failed): (Vec<_>, Vec<_>) = failed.into_iter().partition(shows_nothing);
    if !is_missing(test, scenario.checks.len() - silent.len(), &failed) {
        let first = failed.into_iter().next();
        return Ok(first.map_or(Tried::Whole, |failed| Tried::Partial(Box::new(failed.failure))));
    }
    let codes = failed.iter().filter_map(|failed| failed.failure.actual.get("status").and_then(Value::as_u64));
    if let Some(code) = codes.into_iter().find(|code| matches!(code, 401 | 403)).filter(|_| !may_be_refused(test)) {
        let exchange = records.iter().flat_map(|record| &record.exchanges).rfind(|one| u64::from(one.status) == code);
        return Err(exchange.map_or_else(|| forbidden(test, code), ExecutionError::forbidden));
    }
    let finding = with_examples(executor, test, &scenario, &failed, records).await;
    Ok(Tried::Missing(Box::new(ConfirmedFinding { attempts, reproduced: attempts, ..finding })))
}

/// The error for a test that was refused by a request that no record shows.
fn forbidden(test: &CapabilityTest, code: u64) -> ExecutionError {
    ExecutionError::Forbidden { request: format!("the test of {}", test.words), answer: code.to_string() }
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
    let none = BTreeSet::new();
    let mut last = attempt_on(executor, trial, &none).await;
    let (mut attempts, mut errors) = (1, 0);
    if last.silenced.is_some() && matches!(&last.outcome, AttemptOutcome::Error(error) if error.is_of_waiting()) {
        // Each is a wait, so the others wait together. It decides, so none ends sooner because of earlier ones.
        let again = patiently(join_all((1..ATTEMPTS).map(|_| attempt_on(executor, trial, &none)))).await;
        let (passed, others): (Vec<_>, Vec<_>) =
            again.into_iter().partition(|attempt| matches!(attempt.outcome, AttemptOutcome::Pass));
        attempts = ATTEMPTS;
        last = passed.into_iter().chain(others).next().unwrap_or(last);
    }
    loop {
        match &last.outcome {
            // After a wait for the full patience, another try would only wait as long again.
            AttemptOutcome::Pass | AttemptOutcome::Error(ExecutionError::NeverServed { .. }) => break,
            // An error of the network or of a gateway shows nothing, and neither does a request without an answer while
            // the target was slow with others, too.
            AttemptOutcome::Error(error)
                if (!error.is_of_waiting() || is_of_a_slow_target(&last)) && errors < SPOILT_ATTEMPTS =>
            {
                errors += 1;
                attempts -= 1;
            }
            _ if attempts >= ATTEMPTS => break,
            _ => {}
        }
        if matches!(last.outcome, AttemptOutcome::Error(_)) && !executor.answers_again().await {
            break;
        }
        let before = std::mem::replace(&mut last, attempt_on(executor, trial, &none).await);
        attempts += 1;
        if attempts >= SAME_ATTEMPTS && !last.is_doubtful && fail_alike(&before.outcome, &last.outcome) {
            break;
        }
    }
    (last, attempts)
}

/// Whether a request got no answer, and the next one not at once.
fn is_of_a_slow_target(attempt: &Attempt<ExecutionError>) -> bool {
    matches!(attempt.outcome, AttemptOutcome::Error(ExecutionError::NoAnswer(_))) && attempt.silenced.is_none()
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
    let examples = if test.missing_if == MissingIf::AnyFails { 1 } else { EXAMPLES };
    let shown: Vec<usize> = failed.iter().take(examples).filter_map(|failed| failed.check).collect();
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

fn missing_unless_fatal(test: &CapabilityTest, error: ExecutionError) -> Result<Tried, ExecutionError> {
    unable_unless_fatal(test, or_forbidden(error)).map(|finding| Tried::Missing(Box::new(finding)))
}

/// What was waited for is not late but forbidden, if the last answer says so.
fn or_forbidden(error: ExecutionError) -> ExecutionError {
    let ExecutionError::NeverServed { exchanges, .. } = &error else { return error };
    match exchanges.last() {
        Some(last) if matches!(last.status, 401 | 403) => ExecutionError::forbidden(last),
        _ => error,
    }
}

fn unable_unless_fatal(test: &CapabilityTest, error: ExecutionError) -> Result<ConfirmedFinding, ExecutionError> {
    match error {
        // A watch that gets no answer, or that a proxy ends, does not mean that the server cannot be reached.
        ExecutionError::NoAnswer(_)
        | ExecutionError::Transport(TransportError::Closed { .. } | TransportError::Gateway { .. })
            if test.capability == Capability::Watches =>
        {
            Ok(unable(test, &error.to_string(), Record::default()))
        }
        // The user may have no access to another namespace.
        ExecutionError::Forbidden { .. } if may_be_refused(test) => {
            let mut finding = unable(test, &error.to_string(), Record::default());
            finding.failed.failure.actual = json!({ "status": 403 });
            Ok(finding)
        }
        error if error.is_of_the_target() => Err(error),
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
    let asserts = test.scenario().checks.first().map(|check| check.asserts.clone()).unwrap_or_default();
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
        promise: "",
        missing_capability: Some(test.capability),
        index: 0,
        scenario: test.scenario().into(),
        tape: None,
        records: vec![Record::default()],
        attempts: 1,
        reproduced: 1,
        races: 0,
        needs_history: false,
        shrinking: Shrinking::not_needed(0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crdible_scenario::capabilities::{API_SERVER, CapabilityTest};

    use super::needs_to_know;

    /// In a circle each would wait for another, and none would be tried.
    #[test]
    fn no_capabilities_wait_for_one_another() {
        let mut waiting: Vec<&CapabilityTest> = API_SERVER.iter().filter(|test| !test.is_basic).collect();
        assert!(waiting.iter().any(|test| needs_to_know(test, API_SERVER).len() > test.depends_on.len()));
        while !waiting.is_empty() {
            let unknown: BTreeSet<_> = waiting.iter().map(|test| test.capability).collect();
            waiting.retain(|test| !needs_to_know(test, API_SERVER).is_disjoint(&unknown));
            assert!(waiting.len() < unknown.len(), "{unknown:?}");
        }
    }
}
