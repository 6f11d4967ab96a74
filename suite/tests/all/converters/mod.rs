//! `check-webhook` without a network: right converters are never accused, and each wrong one of a table is found.

mod faults;
mod hanging;
mod served;
mod subject;

use std::{collections::BTreeSet, num::NonZeroU64, sync::Arc};

use crdible::{
    converter::{Asker, ConverterTransport},
    reviews::{self, Subject},
    run::{CaseOutcome, Event, Interrupt, RunOptions, ScenarioSource, Stop, run},
};
use crdible_spec::Level;
use crdible_webhooks::HookAnswer;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use faults::Fault;

use crate::{json::parsed, sample::Sample};

/// What a run found.
#[derive(Debug, Default)]
struct Found {
    /// The signatures of failures.
    signatures: BTreeSet<String>,
    /// Judged cases of each property.
    judged: std::collections::BTreeMap<&'static str, u64>,
    /// Annotations of the converter's own.
    annotations: Vec<String>,
    /// The findings that do not count, since they were not confirmed.
    flaky: BTreeSet<String>,
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
    let asker = Arc::new(Asker::new(ConverterTransport::InProcess(Arc::new(answer))));
    check_with(&asker, subject, ids, seed, cases).await
}

async fn check_with(asker: &Arc<Asker>, subject: Subject, ids: &[&str], seed: u64, cases: u64) -> Found {
    let subject: &'static Subject = Box::leak(Box::new(subject));
    let selected = reviews::all()
        .filter(|property| ids.is_empty() || ids.contains(&property.id))
        .filter(|property| (property.applies)(&subject.contract));
    let sources: Vec<ScenarioSource> = selected.map(|property| ScenarioSource::Review(property, subject)).collect();
    let options = RunOptions { seed, ..RunOptions::new(sources, cases) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = run(Arc::clone(asker), options, sender, Interrupt::never()).await;
    assert_eq!(summary.stop, Stop::Finished);
    let mut found = Found { annotations: asker.own_annotations(), ..Found::default() };
    while let Ok(event) = events.try_recv() {
        match event {
            Event::Case(report) => {
                assert!(!matches!(report.outcome, CaseOutcome::Error(_)), "{report:?}");
                *found.judged.entry(report.property).or_default() += u64::from(report.cases);
            }
            Event::Found(finding) if finding.is_flaky() => {
                found.flaky.insert(finding.signature().to_string());
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
#[tokio::test(start_paused = true)]
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

#[tokio::test(start_paused = true)]
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
#[tokio::test(start_paused = true)]
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
#[tokio::test(start_paused = true)]
async fn a_lost_field_is_told_by_its_name() {
    let (subject, chain) = subject::different_shapes();
    let fault = faults::all().find(|fault| fault.name == "loses-a-field").expect("it is there");
    let found = check(subject, fault.converter(chain), &["conv-035-round-trips"], 1, 100).await;
    assert!(
        !found.signatures.is_empty() && found.signatures.iter().all(|one| one.contains(":.spec.size:")),
        "{found:?}"
    );
}

/// What matters to the failure of a converter: the field that it loses, and little else.
#[tokio::test(start_paused = true)]
async fn a_counterexample_is_varied() {
    let (subject, chain) = subject::different_shapes();
    let fault = faults::all().find(|fault| fault.name == "loses-a-field").expect("it is there");
    let found = check(subject, fault.converter(chain.clone()), &["conv-035-round-trips"], 1, 100).await;
    let asker = Asker::new(ConverterTransport::InProcess(Arc::new(fault.converter(chain))));
    let property = reviews::find("conv-035-round-trips").expect("a property");
    let counterexample = found.counterexamples.first().expect("a counterexample");
    let varied = crdible::converter::vary(&asker, property, counterexample).await.expect("it is in process");
    let varied = varied.expect("it has choices");
    assert!(varied.tried > 0 && varied.failed > 0 && varied.failed < varied.tried, "{varied:?}");
    let parts: Vec<String> = varied.documents[0].parts.iter().map(|part| part.pointer.join("/")).collect();
    assert!(parts.iter().any(|part| part.starts_with("0/spec")), "{parts:?}");
}

#[tokio::test(start_paused = true)]
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

/// A server accepts these answers, so none of them is a failure of a MUST (CONV-008, CONV-011).
#[rstest]
#[case::created(|_: &Value, answer: HookAnswer| HookAnswer { status: 201, ..answer })]
#[case::accepted(|_: &Value, answer: HookAnswer| HookAnswer { status: 202, ..answer })]
#[case::bare_beta(|review: &Value, answer: HookAnswer| {
    if review["apiVersion"] == "apiextensions.k8s.io/v1" {
        return answer;
    }
    let mut body = parsed(&answer.body);
    body["apiVersion"] = Value::Null;
    body["response"]["uid"] = json!("another");
    HookAnswer { body: body.to_string().into_bytes(), ..answer }
})]
#[tokio::test(start_paused = true)]
async fn answers_that_a_server_accepts_are_right(#[case] change: fn(&Value, HookAnswer) -> HookAnswer) {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let answering = move |body: &[u8]| change(&parsed(body), right(body));
    let must: Vec<&str> =
        reviews::all().filter(|property| property.level() == Level::Must).map(|property| property.id).collect();
    let found = check(subject, answering, &must, 1, 30).await;
    assert_eq!(found.signatures, BTreeSet::new());
}

/// A refusal is lawful for exactly the objects for which it is declared.
#[tokio::test(start_paused = true)]
async fn a_declared_refusal_is_no_failure_for_exactly_these_objects() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let refusing = move |body: &[u8]| {
        let review = parsed(body);
        let is_manual = |object: &Value| object["spec"]["mode"] == "manual";
        if review["request"]["objects"].as_array().is_some_and(|objects| objects.iter().any(is_manual)) {
            let message = "spec.mode: manual cannot be converted";
            return subject::answer(&review, &json!({ "status": "Failed", "message": message }), &[]);
        }
        right(body)
    };
    let declaring = |refusals: &[&str]| {
        let refusals = refusals.iter().map(|refusal| refusal.parse().expect("a refusal")).collect();
        let contract = (*subject.contract).clone().refusing(refusals).expect("the field exists");
        Subject { contract: Arc::new(contract), samples: Vec::new() }
    };
    let must: Vec<&str> =
        reviews::all().filter(|property| property.level() == Level::Must).map(|property| property.id).collect();
    let declared = ["v1:.spec.mode=manual", "v2:.spec.mode=manual", "v3:.spec.mode=manual"];
    let found = check(declaring(&declared), refusing.clone(), &must, 1, 60).await;
    assert_eq!(found.signatures, BTreeSet::new());
    for others in [&[][..], &["v1:.spec.mode=auto"]] {
        let found = check(declaring(others), refusing.clone(), &["conv-045-every-object"], 1, 60).await;
        assert!(found.signatures.contains("conv-045-every-object:there::refused"), "{:?}", found.signatures);
    }
}

/// Objects of users' own are converted, whatever the seed.
#[tokio::test(start_paused = true)]
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
