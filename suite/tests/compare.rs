//! Two embedded servers side by side: the right one beside itself, and beside one with a single wrong function.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use crdible::{
    compare::{Comparison, PairSession, Side, Verdict},
    execute::ExecutorOptions,
    explore,
    properties::{self, Property},
    run::{Event, ExamineOptions, Finding, Interrupt, Known, RunOptions, new_run_id},
    target::Target,
};
use crdible_semantics::{FieldPath, Schema, Semantics, Upstream, implement_semantics};
use serde_json::Value;
use tokio::sync::mpsc;

/// Pruning that forgets the elements of arrays.
struct ForgetsArrays;

implement_semantics!(ForgetsArrays; Pruning {
    fn prune_array(&self, _: &mut [Value], _: &Schema, _: &FieldPath<'_>, _: &mut Vec<String>) {}
});

async fn compare(
    second: Arc<dyn Semantics>,
    properties: Vec<&'static Property>,
    seed: u64,
    cases: u64,
) -> (Comparison, Vec<Finding>) {
    let options = || ExecutorOptions {
        run: new_run_id(),
        namespace: "default".to_owned(),
        definitions: 16,
        patience: Duration::from_secs(5),
    };
    let transports = [Target::embedded(Arc::new(Upstream)).transport, Target::embedded(second).transport];
    let session = PairSession::open(transports, [options(), options()]).await.expect("both are usable");
    let run = RunOptions {
        properties,
        seed,
        cases,
        time: None,
        // Explorations wait for quiet: many at once.
        workers: 16,
        examine: ExamineOptions { batch: 1, ..ExamineOptions::default() },
        known: Known::default(),
        finished: BTreeSet::new(),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(run, sender, Interrupt::never()).await;
    let mut comparison = Comparison::new(seed, cases, [Side::default(), Side::default()]);
    let mut findings = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Some(difference) = comparison.note(&event) {
            comparison.add(difference);
        }
        if let Event::Found(finding) = event {
            findings.push(*finding);
        }
    }
    comparison.end(&summary);
    assert_eq!(session.close().await, [Vec::<String>::new(), Vec::new()], "nothing is left behind");
    (comparison, findings)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_server_is_like_itself() {
    for seed in 1..=3 {
        let all = properties::all().chain(explore::all());
        let (comparison, findings) = compare(Arc::new(Upstream), all.clone().collect(), seed, 50).await;
        let told: Vec<_> = findings.iter().map(|finding| (&finding.signature, &finding.failure)).collect();
        assert_eq!(comparison.verdict, Verdict::Alike, "seed {seed}: {told:#?} {:?}", comparison.errors);
        assert_eq!(comparison.properties.len(), all.count());
        let few: Vec<_> = comparison.properties.iter().filter(|(_, counts)| counts.cases < 50).collect();
        assert!(few.is_empty(), "{few:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_wrong_function_is_found_and_is_small() {
    let property = properties::find("prune-001-unknown-keys").expect("the worked example of CONTRIBUTING.md");
    let (comparison, findings) = compare(Arc::new(ForgetsArrays), vec![property], 1, 300).await;
    assert_eq!(comparison.verdict, Verdict::Different, "{comparison:#?}");
    // What is not pruned is not warned of either: two places, and so two signatures.
    let told: Vec<&str> = findings.iter().map(|finding| finding.signature.as_str()).collect();
    let finding = findings.iter().find(|finding| finding.signature.ends_with(":content:unexpected"));
    let finding = finding.unwrap_or_else(|| panic!("no undeclared field among {told:?}"));
    assert_eq!((finding.attempts, finding.reproduced), (3, 3));
    assert!(finding.failure.requirements.iter().any(|requirement| requirement.starts_with("PRUNE-")), "{finding:#?}");
    assert!(finding.scenario.steps.len() <= 2, "one create shows it: {:#?}", finding.scenario);
    let tape = finding.tape.as_ref().expect("it was generated");
    assert!(tape.size() <= 100, "{} choices", tape.size());
    assert!(finding.beside.as_ref().is_some_and(|record| !record.exchanges.is_empty()), "both sides are recorded");
}

/// No property asserts anything of `/status` yet.
#[tokio::test(flavor = "multi_thread")]
async fn explorations_find_what_no_property_looks_at() {
    struct WritesAll;
    implement_semantics!(WritesAll; Subresources {
        fn take_status(&self, _: &mut Value, _: &Value) {}
    });
    let exploration: Vec<_> = explore::all().filter(|exploration| exploration.id == "explore-subresources").collect();
    let (comparison, findings) = compare(Arc::new(WritesAll), exploration, 1, 300).await;
    assert_eq!(comparison.verdict, Verdict::Different, "{comparison:#?}");
    let is_of_part = |finding: &&Finding| finding.failure.name.contains("-part");
    let finding = findings.iter().find(is_of_part).unwrap_or_else(|| panic!("{findings:#?}"));
    assert!(finding.scenario.steps.len() <= 3, "a create and a write: {:#?}", finding.scenario);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_wrong_alike_is_alike() {
    let property = properties::find("prune-001-unknown-keys").expect("the worked example of CONTRIBUTING.md");
    let options = |run: &str| ExecutorOptions {
        run: run.to_owned(),
        namespace: "default".to_owned(),
        definitions: 4,
        patience: Duration::from_secs(5),
    };
    // One server as both targets: the executors must not meet.
    let transport = Target::embedded(Arc::new(ForgetsArrays)).transport;
    let session = PairSession::open([Arc::clone(&transport), transport], [options("rone"), options("rother")])
        .await
        .expect("it is usable");
    let run = RunOptions {
        properties: vec![property],
        seed: 1,
        cases: 100,
        time: None,
        workers: 2,
        examine: ExamineOptions::default(),
        known: Known::default(),
        finished: BTreeSet::new(),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    session.run(run, sender, Interrupt::never()).await;
    session.close().await;
    while let Ok(event) = events.try_recv() {
        assert!(!matches!(event, Event::Found(_)), "{event:#?}");
    }
}
