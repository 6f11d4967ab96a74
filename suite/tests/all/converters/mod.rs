//! `check-webhook` without a network: right converters are never accused, and each wrong one of a table is found.

mod faults;
mod subject;

use std::{collections::BTreeSet, num::NonZeroU64, sync::Arc};

use crdible::{
    converter::{Asker, ConverterTransport},
    reviews::{self, Subject},
    run::{CaseOutcome, Event, Interrupt, RunOptions, ScenarioSource, Stop, run},
};
use crdible_webhooks::HookAnswer;
use rstest::rstest;
use serde_json::json;
use tokio::sync::mpsc;

use faults::Fault;

use crate::sample::Sample;

/// What a run found.
#[derive(Debug, Default)]
struct Found {
    /// The signatures of failures.
    signatures: BTreeSet<String>,
    /// Judged cases of each property.
    judged: std::collections::BTreeMap<&'static str, u64>,
    /// Annotations of the converter's own.
    annotations: Vec<String>,
    /// The JSON of each counterexample.
    counterexamples: Vec<crdible::run::Counterexample>,
}

async fn check(
    subject: Subject,
    answer: impl Fn(&[u8]) -> HookAnswer + Send + Sync + 'static,
    ids: &[&str],
    seed: u64,
    cases: u64,
) -> Found {
    let subject: &'static Subject = Box::leak(Box::new(subject));
    let selected = reviews::all()
        .filter(|property| ids.is_empty() || ids.contains(&property.id))
        .filter(|property| (property.applies)(&subject.contract));
    let sources: Vec<ScenarioSource> = selected.map(|property| ScenarioSource::Review(property, subject)).collect();
    let asker = Arc::new(Asker::new(ConverterTransport::InProcess(Arc::new(answer))));
    let options = RunOptions { seed, ..RunOptions::new(sources, cases) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = run(Arc::clone(&asker), options, sender, Interrupt::never()).await;
    assert_eq!(summary.stop, Stop::Finished);
    let mut found = Found { annotations: asker.own_annotations(), ..Found::default() };
    while let Ok(event) = events.try_recv() {
        match event {
            Event::Case(report) => {
                assert!(!matches!(report.outcome, CaseOutcome::Error(_)), "{report:?}");
                *found.judged.entry(report.property).or_default() += u64::from(report.cases);
            }
            Event::Found(finding) => {
                found.signatures.insert(finding.signature().to_string());
                found
                    .counterexamples
                    .push(crdible::run::Counterexample::of(&finding, crdible_semantics::Release::BASELINE));
            }
            _ => {}
        }
    }
    found
}

#[rstest]
#[case::same_shapes(subject::same_shapes())]
#[case::different_shapes(subject::different_shapes())]
#[tokio::test]
async fn a_right_converter_is_right(#[case] (subject, chain): (Subject, crdible_webhooks::Chain)) {
    for seed in Sample::stated().part("seeds of right converters", 4, 0..4) {
        let right = subject::right(&subject, chain.clone());
        let found = check(subject.clone(), right, &[], seed, 150).await;
        assert_eq!(found.signatures, BTreeSet::new());
        let applying: BTreeSet<&str> = reviews::all()
            .filter(|property| (property.applies)(&subject.contract))
            .map(|property| property.id)
            .collect();
        assert_eq!(found.judged.keys().copied().collect::<BTreeSet<_>>(), applying);
        assert!(found.judged.values().all(|cases| *cases >= 75), "too many are discarded: {:?}", found.judged);
    }
}

#[tokio::test]
async fn data_in_annotations_is_told_and_no_failure() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let found = check(subject, right, &["conv-035-round-trips"], 1, 50).await;
    assert_eq!(
        (found.annotations, found.signatures),
        (["example.com/first-only", "example.com/port"].map(str::to_owned).to_vec(), BTreeSet::new())
    );
}

/// Each fault of the sample is found by the property that it is for, at several seeds (`CRDIBLE_FAULT_SEEDS`), and by
/// its smallest scenario again.
#[tokio::test]
async fn wrong_converters_are_found() {
    let stated = std::env::var("CRDIBLE_FAULT_SEEDS").ok().filter(|seeds| !seeds.is_empty());
    let seeds: NonZeroU64 = stated.map_or(NonZeroU64::MIN, |seeds| seeds.parse().expect("a number of seeds"));
    let mut missed = Vec::new();
    for fault in Sample::stated().part("converters", 8, faults::all()) {
        for seed in 0..seeds.get() {
            let (subject, chain) = subject::different_shapes();
            let found = check(subject, fault.converter(chain.clone()), &[fault.property], seed, 200).await;
            let is_meant = |signature: &String| signature.split(':').nth(1) == Some(fault.check);
            if !found.signatures.iter().any(is_meant) {
                missed.push(format!("{} at seed {seed}: {:?}", fault.name, found.signatures));
            }
            if seed == 0 {
                missed.extend(not_replayed(fault, chain, found).await);
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The counterexamples of a fault with a state of its own depend on what was asked before, so that only others must
/// be reproduced.
async fn not_replayed(fault: &'static Fault, chain: crdible_webhooks::Chain, found: Found) -> Option<String> {
    if fault.has_state {
        return None;
    }
    let asker = Asker::new(ConverterTransport::InProcess(Arc::new(fault.converter(chain))));
    for counterexample in found.counterexamples {
        let read = crdible::run::Counterexample::parse(&counterexample.to_text()).expect("its own text");
        let replayed = crdible::converter::replay(&asker, &read).await.expect("it is in process").0;
        if !matches!(replayed, crdible::run::Replayed::Reproduced(_)) {
            return Some(format!("{} is not reproduced: {replayed:?}", fault.name));
        }
    }
    None
}

/// A converter that is wrong in one place is not accused of more than one cause by all properties together.
#[tokio::test]
async fn a_lost_field_is_told_by_its_name() {
    let (subject, chain) = subject::different_shapes();
    let fault = faults::all().find(|fault| fault.name == "loses-a-field").expect("it is there");
    let found = check(subject, fault.converter(chain), &["conv-035-round-trips"], 1, 100).await;
    assert!(
        !found.signatures.is_empty() && found.signatures.iter().all(|one| one.contains(":.spec.size:")),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_declared_loss_is_no_failure_in_exactly_that_place() {
    let (subject, chain) = subject::different_shapes();
    let fault = faults::all().find(|fault| fault.name == "loses-a-field").expect("it is there");
    let ids = ["conv-035-round-trips", "conv-036-edits"];
    let lossy = |losses: &[&str]| {
        let losses = losses.iter().map(|loss| loss.parse().expect("a loss")).collect();
        let contract = (*subject.contract).clone().losing(losses).expect("the version exists");
        Subject { contract: Arc::new(contract), samples: Vec::new() }
    };
    let declared = lossy(&["v1:.spec.size", "v2:.spec.size", "v3:.spec.size"]);
    let found = check(declared, fault.converter(chain.clone()), &ids, 1, 100).await;
    assert_eq!(found.signatures, BTreeSet::new());
    let elsewhere = lossy(&["v1:.spec.note"]);
    let found = check(elsewhere, fault.converter(chain), &ids, 1, 100).await;
    assert!(!found.signatures.is_empty());
}

/// Objects of users' own are converted, whatever the seed.
#[tokio::test]
async fn samples_are_converted() {
    let (subject, chain) = subject::different_shapes();
    let sample = json!({
        "apiVersion": "example.com/v1", "kind": "Thing",
        "metadata": { "name": "sample", "namespace": "default", "uid": "1" },
        "spec": { "host": "only.in.the.sample", "mode": "auto" },
    });
    let right = subject::right(&subject, chain);
    let spoiled = move |body: &[u8]| {
        let text = String::from_utf8_lossy(body);
        if text.contains("only.in.the.sample") { right(b"{}") } else { right(body) }
    };
    let with_sample = Subject { samples: vec![sample], ..subject };
    let found = check(with_sample, spoiled, &["conv-045-every-object"], 1, 20).await;
    assert_eq!(found.signatures.iter().cloned().collect::<Vec<_>>(), ["conv-045-every-object:there::status-400"]);
}
