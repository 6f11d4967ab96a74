//! The embedded server emulates a release, and is judged by that release's truth.

use std::collections::BTreeSet;

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties::{self, Property},
    run::{CaseOutcome, Event, Interrupt, RunOptions, ScenarioSource, Session, ShrinkOptions, new_run_id},
};
use crdible_semantics::{Release, Semantics};
use tokio::sync::mpsc;

use crate::sample::Sample;

/// The properties that apply to a release.
fn of_release(release: Release) -> Vec<&'static Property> {
    properties::all().filter(|property| ScenarioSource::from(*property).applies_to(release)).collect()
}

/// Which of these properties fail on an embedded server of one release that is judged by another.
async fn failing(
    selected: Vec<&'static Property>,
    emulated: Release,
    judged: Release,
    cases: u64,
) -> BTreeSet<&'static str> {
    let options = ExecutorOptions::of_run(new_run_id());
    let transport = Target::embedded(Semantics::at(emulated)).transport;
    let session = Session::open(Executor::new(transport, options)).await.expect("the embedded server is usable");
    let count = selected.len();
    // Only which properties fail is looked at.
    let shrink = ShrinkOptions { executions: 0, ..ShrinkOptions::default() };
    let run = RunOptions { release: judged, seed: 1, workers: 2, shrink, ..RunOptions::new(selected, cases) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(run, sender, Interrupt::never()).await;
    assert_eq!(summary.cases.len(), count, "all are judged");
    assert!(summary.cases.values().all(|cases| *cases > 0), "{:?}", summary.cases);
    let mut failing = BTreeSet::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Case(report) = event
            && !matches!(report.outcome, CaseOutcome::Pass | CaseOutcome::Discard(_))
        {
            failing.insert(report.property);
        }
    }
    failing
}

/// Of the other releases, the sample takes one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_another_release_passes_by_its_own_truth() {
    for minor in Sample::stated().part("releases", 4, [33, 34, 35, 37]) {
        let release = Release::nearest(minor);
        let all = of_release(release);
        assert!(all.len() > 200, "{}", all.len());
        assert_eq!(failing(all, release, release, 12).await, BTreeSet::new(), "{release}");
    }
}

/// Independent of the table of changes: these differ between the real servers of a release and 1.36.
const DIFFERENT: &[(u16, &[&str])] = &[
    (
        34,
        &[
            "cel-024-releases",
            "cel-036-reasons",
            "cel-037-values",
            "crdval-057-unrecognized-formats",
            "oapi-003-models",
            "oapi-010-v2",
            "rest-044-deletion",
            "struct-019-root-metadata",
            "value-001-type-check",
            "value-003-integral-floats",
            "value-005-normalisation",
            "value-008-numeric-formats",
            "value-014-formats",
        ],
    ),
    (37, &["prune-018-embedded-validation", "value-041-metadata-limits"]),
];

/// Of an older and a newer release, the sample takes one; of the properties for which they do not differ, some.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_another_release_fails_where_they_differ() {
    let sample = Sample::stated();
    for (minor, expected) in sample.part("differing releases", 2, DIFFERENT) {
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        let (differing, others): (Vec<_>, Vec<_>) =
            of_release(Release::BASELINE).into_iter().partition(|property| expected.contains(property.id));
        assert_eq!(differing.len(), expected.len(), "1.{minor}");
        let tried = [differing, sample.part("agreeing properties", 6, others)].concat();
        assert_eq!(failing(tried, Release::nearest(*minor), Release::BASELINE, 60).await, expected, "1.{minor}");
    }
}
