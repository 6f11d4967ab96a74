//! What holds of the scenarios of all properties on a correct server.

use std::{io, num::NonZero, panic::resume_unwind, sync::Arc};

use crdible::{
    execute::ExecutionError,
    properties::{self, Property},
    run::{AttemptOutcome, Case, Examiner, Session, Trial},
    scenario::{Reads, Scenario},
};
use futures_util::{StreamExt as _, stream};
use tokio::runtime::Runtime;

use super::{embedded, open_patiently};
use crate::{clock, sample::Sample};

/// Does something with each of some properties on a correct server, a share of them on each processor, and with several
/// at once on the clock of the machine, since scenarios often wait.
fn with_each<T: Send, F: Future<Output = T>>(
    properties: impl IntoIterator<Item = &'static Property>,
    work: impl Fn(Arc<Session>, &'static Property) -> F + Sync,
) -> Vec<T> {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (real, paused): (Vec<_>, Vec<_>) = properties.into_iter().partition(|property| clock::is_real(property.needs));
    let on = |share: &[&'static Property], runtime: io::Result<Runtime>| {
        runtime.expect("a runtime").block_on(async {
            let session = Arc::new(open_patiently(embedded()).await);
            let started = share.iter().map(|property| work(Arc::clone(&session), property));
            stream::iter(started).buffer_unordered(12).collect::<Vec<T>>().await
        })
    };
    std::thread::scope(|scope| {
        let mut threads = vec![scope.spawn(|| on(&real, clock::running()))];
        let shares = paused.chunks(paused.len().div_ceil(processors).max(1));
        threads.extend(shares.map(|share| scope.spawn(|| on(share, clock::paused()))));
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    })
}

/// What a scenario comes to on a correct server. What does not fail again is blamed on the server by no run: other
/// tests keep the machine busy.
async fn outcome(
    session: &Session,
    property: &'static Property,
    scenario: &Scenario,
) -> AttemptOutcome<ExecutionError> {
    let attempt = || session.subject().attempt(Trial::new(property.id, scenario));
    for _ in 0..2 {
        let outcome = attempt().await.outcome;
        if !matches!(outcome, AttemptOutcome::Fail(_)) {
            return outcome;
        }
    }
    attempt().await.outcome
}

/// A counterexample is a part of a scenario: its checks must hold on a correct server, too.
#[test]
fn a_slice_contains_everything_that_its_check_depends_on() {
    /// The sample takes some of this number of cases of each property.
    const CASES: u64 = 8;
    let cases = Sample::stated().part("slices", 8, 0..CASES);
    let count = cases.len();
    let check_slices = |session: Arc<Session>, property: &'static Property| {
        let cases = cases.clone();
        async move {
            let mut smaller = 0;
            let planned = cases.into_iter().filter_map(|index| Case::plan(property, 5, index).ok());
            for scenario in planned.filter_map(|case| case.scenario.into_server()) {
                for check in 0..scenario.checks.len().min(12) {
                    for reads in [Reads::Dropped, Reads::Kept] {
                        let slice = scenario.slice(check, reads);
                        slice.check_references().unwrap_or_else(|problem| panic!("{}: {problem}", property.id));
                        assert_eq!(slice.checks.len(), 1);
                        smaller += usize::from(slice.steps.len() < scenario.steps.len());
                        let outcome = outcome(&session, property, &slice).await;
                        assert!(matches!(outcome, AttemptOutcome::Pass), "{}: {outcome:?} of {slice:#?}", property.id);
                    }
                }
            }
            smaller
        }
    };
    let smaller: usize = with_each(properties::all(), check_slices).into_iter().sum();
    assert!(smaller > 250 * count, "only {smaller} slices of {count} cases are smaller than their scenario");
}

/// An inconclusive scenario wastes time, whether the generator discarded it or an assumption about a correct server did
/// not hold.
#[test]
fn fewer_than_one_case_in_twenty_of_each_property_is_discarded() {
    /// Random scenarios of each property, without its hand-made ones: enough to detect a property that discards one in
    /// ten.
    const SCENARIOS: u64 = 100;
    let reason = async |session: &Session, property: &'static Property, index: u64| match Case::plan(property, 2, index)
    {
        Err(reason) => Some(reason.to_owned()),
        Ok(case) => match outcome(session, property, case.scenario.server().expect("of a server")).await {
            AttemptOutcome::Pass => None,
            AttemptOutcome::Discard(reason) => Some(reason),
            outcome => panic!("{} {index}: {outcome:?}", property.id),
        },
    };
    let count_discarded = |session: Arc<Session>, property: &'static Property| async move {
        let first = property.edges.len() as u64;
        // On the real clock, watches take seconds, during which nothing happens.
        let reasons = stream::iter(first..first + SCENARIOS).map(|index| reason(&session, property, index));
        let reasons: Vec<Option<String>> = reasons.buffer_unordered(12).collect().await;
        (property.id, reasons.into_iter().flatten().collect::<Vec<_>>())
    };
    let properties = Sample::stated().part("discards", 20, properties::all());
    let mut discarded = with_each(properties, count_discarded);
    discarded.retain(|(_, reasons)| reasons.len() as u64 * 20 >= SCENARIOS);
    assert!(discarded.is_empty(), "discarded of {SCENARIOS}: {discarded:?}");
}
