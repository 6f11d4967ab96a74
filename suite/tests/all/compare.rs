//! Compares embedded servers: a correct one with itself, and with one that has a single wrong function.

use std::{sync::Arc, time::Duration};

use crdible::{
    compare::{Messages, PairSession},
    connection::{Target, Transport},
    execute::{Executor, ExecutorOptions},
    explore, properties,
    run::{
        ConfirmedFinding, Event, Interrupt, JournalLines, Opening, ReplayHint, RunOptions, ScenarioSource,
        ShrinkOptions, Stop, new_run_id, plan, stop_reason,
    },
};
use crdible_reports::{
    Comparison, KnownFailures, Tally,
    comparison::ComparisonVerdict,
    journal::{self, Line},
};
use crdible_semantics::{Semantics, with};
use tokio::sync::mpsc;

use crate::sample::Sample;

/// Pruning that forgets the elements of arrays.
const FORGETS_ARRAYS: Semantics = with::prune_array(|_, _, _, _, _| {});

fn executor(transport: Arc<dyn Transport>) -> Executor {
    let options = ExecutorOptions::of_run(new_run_id());
    Executor::new(transport, options)
}

async fn open(transports: [Arc<dyn Transport>; 2], messages: Messages) -> PairSession {
    match PairSession::open_unless(transports.map(executor), messages, Interrupt::never())
        .await
        .expect("both are usable")
    {
        Opening::Open(session) => session,
        Opening::Interrupted(_) => unreachable!("nothing interrupts it"),
    }
}

/// A journal that has only a header.
fn tally(seed: u64, cases: u64) -> Tally {
    let target = journal::Target {
        kind: journal::TargetKind::Embedded,
        address: "embedded".to_owned(),
        version: None,
        release: "1.36".to_owned(),
    };
    Tally::new(journal::Header {
        format: journal::FORMAT.to_owned(),
        tool: journal::Tool { name: "crdible".to_owned(), version: "0".to_owned() },
        catalogue: journal::CatalogueStamp { digest: String::new(), requirements: 0 },
        generator: journal::GeneratorStamp { digest: String::new() },
        run: journal::Run {
            id: new_run_id(),
            started: String::new(),
            command: String::new(),
            seed,
            cases,
            time_seconds: None,
            workers: 1,
            qps: None,
            shard: None,
            fuzz: false,
        },
        second_target: Some(target.clone()),
        target,
        profile: String::new(),
    })
}

fn footer(stop: &Stop) -> Line {
    Line::Footer(journal::Footer {
        complete: *stop == Stop::Finished,
        stop_reason: stop_reason(stop),
        verdict: String::new(),
        cases: 0,
        failures: 0,
        errors: 0,
        requests: 0,
        ended: String::new(),
    })
}

/// Compares the correct embedded server with one that has these functions.
async fn compare(
    second: Semantics,
    sources: Vec<ScenarioSource>,
    seed: u64,
    cases: u64,
    messages: Messages,
) -> (Comparison, Vec<ConfirmedFinding>) {
    let transports = [Semantics::UPSTREAM, second].map(|functions| Target::embedded(functions).transport);
    let session = open(transports, messages).await;
    let run = RunOptions {
        seed,
        // Explorations wait until nothing changes any more, so run many at once.
        workers: 16,
        shrink: ShrinkOptions { batch: 1, time: Duration::from_secs(600), ..ShrinkOptions::default() },
        ..RunOptions::new(sources, cases)
    };
    let mut tally = tally(seed, cases);
    tally.push(Line::Plan(plan(&run, 1, true, |source| session.missing(source))));
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(run, sender, Interrupt::never()).await;
    let mut lines = JournalLines::of_comparison();
    let mut findings = Vec::new();
    while let Ok(event) = events.try_recv() {
        lines.line(&event, |_, _| ReplayHint::default()).into_iter().for_each(|line| tally.push(line));
        if let Event::Found(finding) = event {
            findings.push(*finding);
        }
    }
    tally.push(footer(&summary.stop));
    assert_eq!(session.close().await.concat(), [], "nothing is left behind");
    let today = "2026-01-01".parse().expect("a date");
    (tally.comparison(&KnownFailures::default(), today), findings)
}

/// The worked example of `CONTRIBUTING.md`.
fn pruning() -> ScenarioSource {
    properties::find("prune-001-unknown-keys").expect("a property").into()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correct_server_does_not_differ_from_itself() {
    let sample = Sample::stated();
    for seed in sample.part("seeds of comparisons", 3, 1..=3) {
        let all = properties::all().map(ScenarioSource::from).chain(explore::all().map(Into::into));
        let compared = sample.part("compared", 6, all);
        let count = compared.len();
        let (comparison, findings) =
            Box::pin(compare(Semantics::UPSTREAM, compared, seed, 50, Messages::Compared)).await;
        // What did not differ again says nothing: one of both was late.
        let confirmed = findings.iter().filter(|finding| !finding.is_flaky());
        let failures: Vec<_> = confirmed.map(ConfirmedFinding::failure).collect();
        let is_wrong =
            comparison.verdict == ComparisonVerdict::Different || !comparison.errors.is_empty() || !failures.is_empty();
        assert!(!is_wrong, "seed {seed}: {failures:#?} {comparison:#?}");
        assert_eq!(comparison.properties.len(), count);
        let few: Vec<_> = comparison.properties.iter().filter(|(_, counts)| counts.cases < 50).collect();
        assert!(few.is_empty(), "{few:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_wrong_function_is_found_and_is_small() {
    let (comparison, findings) = Box::pin(compare(FORGETS_ARRAYS, vec![pruning()], 1, 300, Messages::Free)).await;
    assert_eq!(comparison.verdict, ComparisonVerdict::Different, "{comparison:#?}");
    // What is not pruned causes no warning either: two places, so two signatures.
    let unexpected = |finding: &&ConfirmedFinding| {
        let signature = finding.signature();
        (signature.place.as_str(), signature.reason.as_str()) == ("content", "unexpected")
    };
    let finding = findings.iter().find(unexpected).unwrap_or_else(|| panic!("no undeclared field among {findings:#?}"));
    assert_eq!((finding.attempts, finding.reproduced), (3, 3));
    let requirements = &finding.failure().requirements;
    assert!(requirements.iter().any(|requirement| requirement.starts_with("PRUNE-")), "{finding:#?}");
    assert!(steps(finding) <= 2, "one create shows it: {:#?}", finding.scenario);
    let tape = finding.tape.as_ref().expect("it was generated");
    assert!(tape.size() <= 100, "{} choices", tape.size());
    assert!(finding.records.iter().all(|record| !record.exchanges.is_empty()), "both targets are recorded");
    assert_eq!(finding.records.len(), 2);
}

/// The number of steps of the smallest scenario.
fn steps(finding: &ConfirmedFinding) -> usize {
    finding.scenario.server().expect("of a server").steps.len()
}

/// No property asserts anything of `/status` yet.
#[tokio::test(flavor = "multi_thread")]
async fn explorations_find_what_no_property_covers() {
    const WRITES_ALL: Semantics = with::take_status(|_, _, _| {});
    let exploration = explore::all().filter(|exploration| exploration.id == "explore-subresources");
    let sources = exploration.map(Into::into).collect();
    let (comparison, findings) = Box::pin(compare(WRITES_ALL, sources, 1, 300, Messages::Free)).await;
    assert_eq!(comparison.verdict, ComparisonVerdict::Different, "{comparison:#?}");
    let is_of_subresource = |finding: &&ConfirmedFinding| finding.signature().check.contains("-subresource");
    let finding = findings.iter().find(is_of_subresource).unwrap_or_else(|| panic!("{findings:#?}"));
    assert!(steps(finding) <= 3, "a create and a write: {:#?}", finding.scenario);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_messages_are_found_if_they_are_compared() {
    const SHOUTS: Semantics = with::message_of_rule(|_, rule, _| rule.default_message().to_uppercase());
    let sources = || vec![properties::find("cel-035-messages").expect("a property").into()];
    let (free, _) = Box::pin(compare(SHOUTS, sources(), 1, 50, Messages::Free)).await;
    assert_eq!(free.verdict, ComparisonVerdict::NoDifferences, "{free:#?}");
    let (compared, findings) = Box::pin(compare(SHOUTS, sources(), 1, 50, Messages::Compared)).await;
    assert_eq!(compared.verdict, ComparisonVerdict::Different, "{compared:#?}");
    assert!(findings.iter().all(|found| found.signature().reason.starts_with("reworded-cause-")), "{findings:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_fault_in_both_is_not_a_difference() {
    // One server as both targets: the executors must not interfere.
    let transport = Target::embedded(FORGETS_ARRAYS).transport;
    let session = open([Arc::clone(&transport), transport], Messages::Compared).await;
    let run = RunOptions { seed: 1, workers: 2, ..RunOptions::new([pruning()], 100) };
    let (sender, mut events) = mpsc::unbounded_channel();
    session.run(run, sender, Interrupt::never()).await;
    session.close().await;
    let mut cases = 0;
    while let Ok(event) = events.try_recv() {
        cases += u32::from(matches!(event, Event::Case(_)));
        assert!(!matches!(event, Event::Found(_)), "{event:#?}");
    }
    assert!(cases > 0);
}
