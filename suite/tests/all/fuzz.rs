//! Cases that learn: what they keep, and that it is of use later.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    fuzz::{CorpusChange, Entry, FuzzOptions, Fuzzer, Reached},
    properties,
    run::{
        Case, CaseOutcome, ConfirmedFinding, Event, Interrupt, RunOptions, ScenarioSource, Session, Stop, Supply,
        Trial, examine, generator_digest, new_run_id,
    },
};
use crdible_generators::choice::{Choices, Tape};
use crdible_semantics::{Reason, Release, Semantics, Validation, with};
use tokio::sync::mpsc::{self, UnboundedReceiver};

async fn open(semantics: Semantics) -> Session {
    let options = ExecutorOptions { patience: Duration::from_secs(2), ..ExecutorOptions::of_run(new_run_id()) };
    let transport = Target::embedded(semantics).transport;
    Session::open(Executor::new(transport, options)).await.expect("the embedded server is usable")
}

fn property(id: &str) -> ScenarioSource {
    properties::find(id).unwrap_or_else(|| panic!("there is no property {id}")).into()
}

fn fuzzer(source: ScenarioSource, seed: u64) -> (Arc<Fuzzer>, UnboundedReceiver<CorpusChange>) {
    let (sender, changes) = mpsc::unbounded_channel();
    let options = FuzzOptions {
        sources: vec![source],
        generator: generator_digest(),
        release: Release::BASELINE,
        seed,
        until_quiet: None,
    };
    (Arc::new(Fuzzer::new(&options, sender)), changes)
}

/// The corpus after these changes.
fn corpus(mut changes: UnboundedReceiver<CorpusChange>) -> Vec<(String, Entry)> {
    let mut kept = BTreeMap::new();
    while let Ok(change) = changes.try_recv() {
        let entry = match change {
            CorpusChange::Kept(entry) => entry,
            CorpusChange::Replaced(old, entry) => {
                assert!(kept.remove(&old).is_some(), "{old} is replaced, but was not kept");
                entry
            }
        };
        kept.insert(entry.name(), entry);
    }
    kept.into_iter().collect()
}

/// How a search ended.
struct Searched {
    stop: Stop,
    /// Scenarios until the first failure, or all.
    scenarios: usize,
    found: Vec<ConfirmedFinding>,
}

/// Runs scenarios of a source one after the other: at most this number, and only until the first finding.
async fn search(session: &Session, source: ScenarioSource, supply: Option<Arc<dyn Supply>>, most: usize) -> Searched {
    let options = RunOptions { seed: 1, supply, ..RunOptions::new([source], u64::MAX / 4) };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let seen = Mutex::new((0, Vec::new()));
    let watching = async {
        while let Some(event) = events.recv().await {
            let mut seen = seen.lock().expect("no panic");
            match event {
                Event::Case(report) if !matches!(report.outcome, CaseOutcome::Discard(_)) && seen.0 < most => {
                    seen.0 += 1
                }
                Event::Found(finding) => seen.1.push(*finding),
                _ => {}
            }
            if seen.0 >= most || !seen.1.is_empty() {
                let _ = stop.send(true);
            }
        }
    };
    let (summary, ()) = tokio::join!(session.run(options, sender, interrupt), watching);
    let (scenarios, found) = seen.into_inner().expect("no panic");
    Searched { stop: summary.stop, scenarios, found }
}

/// Without what depends on when it is asked.
fn totals(reached: &Reached) -> [usize; 3] {
    [reached.cells, reached.pairs, reached.answers]
}

#[tokio::test]
async fn what_was_reached_is_reached_again_after_a_reload() {
    let source = property("value-011-length");
    let session = open(Semantics::UPSTREAM).await;
    let (first, changes) = fuzzer(source, 1);
    search(&session, source, Some(Arc::clone(&first) as _), 150).await;
    let entries = corpus(changes);
    let reached = first.reached();
    assert!(entries.len() > 10 && reached.kept >= entries.len() as u64, "{} {reached:?}", entries.len());
    assert!(reached.cells > 30 && reached.cells <= reached.all_cells && reached.pairs > 10 && reached.answers > 3);

    // Only the corpus, at another seed: the random cases are left out here.
    let (second, changes) = fuzzer(source, 2);
    assert_eq!(second.load(entries.clone()), 0);
    let digest = generator_digest();
    assert!(entries.iter().all(|(name, entry)| *name == entry.name() && entry.generator == digest));
    let mut index = 0;
    while second.reached().waiting > 0 {
        if let Ok(case) = second.plan(source, index) {
            let attempt = examine(&**session.subject(), Trial::new(source.id(), &case.scenario)).await;
            second.learn(source, &case, attempt.answers.as_ref());
        }
        index += 1;
        assert!(index < 2_000, "the corpus is run in the end");
    }
    let again = totals(&second.reached());
    assert!(again.iter().zip(totals(&reached)).all(|(again, first)| *again >= first), "{again:?} after {reached:?}");
    // What is in files is not written again.
    let written = corpus(changes);
    assert!(written.iter().all(|(name, _)| !entries.iter().any(|(kept, _)| kept == name)));
    session.close().await;
}

#[test]
fn an_entry_is_a_case_by_itself() {
    let source = property("prune-001-unknown-keys");
    let case = (0..).find_map(|index| Case::plan(source, 3, 50 + index).ok()).expect("a case");
    let tape = case.recording.expect("it is generated").tape;
    let entry =
        Entry { property: source.id().to_owned(), release: Release::BASELINE, generator: generator_digest(), tape };
    let read = Entry::parse(&entry.to_text()).expect("its own text");
    let choices = Choices::replay(&read.tape).at(read.release);
    let again = Case::from_choices(source, 0, choices).expect("the same case");
    assert_eq!(again.scenario, case.scenario);
}

/// A text exactly as long as a `minLength` of nine or ten is too short if it has a character of four bytes.
const WRONG_ON_THE_BOUND: Semantics = with::check_value(|semantics, value, schema, path, findings| {
    (Validation::CORRECT.check_value)(semantics, value, schema, path, findings);
    let text = value.as_str().filter(|text| text.chars().any(|character| character.len_utf8() == 4));
    let length = text.and_then(|text| i64::try_from(text.chars().count()).ok());
    if length.is_some() && length == schema.values.min_length && length >= Some(9) {
        findings.violation(path, Reason::Invalid, "VALUE-011", || "too short".to_owned());
    }
});

#[tokio::test]
async fn a_fault_that_needs_a_rare_pair_is_found_and_shrunk() {
    let source = property("value-011-length");
    let (first, changes) = fuzzer(source, 1);
    let session = open(Semantics::UPSTREAM).await;
    let clean = search(&session, source, Some(first as _), 300).await;
    assert!(clean.found.is_empty(), "a right server is never guilty: {:?}", clean.found);
    assert_eq!(clean.scenarios, 300);
    let (second, _changes) = fuzzer(source, 2);
    second.load(corpus(changes));
    let session = open(WRONG_ON_THE_BOUND).await;
    let Searched { found, scenarios, .. } = search(&session, source, Some(second as _), 300).await;
    let finding = found.first().unwrap_or_else(|| panic!("nothing was found in {scenarios} scenarios"));
    assert_eq!(finding.failure().requirements[0], "VALUE-011");
    assert!(!finding.is_flaky() && finding.shrinking.accepted > 0, "{:?}", finding.shrinking);
    // It can be planned again from its choices alone.
    assert!(finding.tape.as_ref().is_some_and(|tape| tape.size() > 0));
}

#[tokio::test]
async fn a_quiet_night_ends_early() {
    let source = property("ver-004-spec-order");
    let (sender, _changes) = mpsc::unbounded_channel();
    let until_quiet = Some(Duration::from_secs(2));
    let options = FuzzOptions {
        sources: vec![source],
        generator: generator_digest(),
        release: Release::BASELINE,
        seed: 1,
        until_quiet,
    };
    let fuzzer = Arc::new(Fuzzer::new(&options, sender));
    let session = open(Semantics::UPSTREAM).await;
    let Searched { stop, scenarios, .. } = search(&session, source, Some(Arc::clone(&fuzzer) as _), usize::MAX).await;
    assert_eq!(stop, Stop::Quiet);
    assert!(scenarios > 0 && fuzzer.reached().quiet >= Duration::from_secs(2), "{:?}", fuzzer.reached());
}

#[test]
fn entries_of_other_versions_do_no_harm() {
    let source = property("value-011-length");
    let (fuzzer, changes) = fuzzer(source, 1);
    let entry = |property: &str, generator: &str, values: &[u64]| Entry {
        property: property.to_owned(),
        release: Release::BASELINE,
        generator: generator.to_owned(),
        tape: Tape::from_streams([(String::new(), values.to_vec()), ("/nothing/#7".to_owned(), vec![u64::MAX; 30])]),
    };
    let entries = [
        entry("value-011-length", "another", &[9; 40]),
        entry("value-011-length", "another", &[u64::MAX; 40]),
        entry("value-999-of-a-later-version", "another", &[1]),
    ];
    assert_eq!(fuzzer.load(entries.map(|entry| (entry.name(), entry))), 0);
    assert_eq!(fuzzer.reached().waiting, 2, "what is of no property is left out");
    for index in 0..300 {
        if let Ok(case) = fuzzer.plan(source, index) {
            fuzzer.learn(source, &case, Some(&crdible::transcript::Transcript::default()));
        }
    }
    assert_eq!(fuzzer.reached().waiting, 0);
    assert!(fuzzer.reached().entries > 0 && !corpus(changes).is_empty());
}

#[test]
fn every_index_gets_a_case_and_the_same_seed_the_same() {
    let source = property("inv-001-prune-is-idempotent");
    let planned = |seed: u64| {
        let (fuzzer, _changes) = fuzzer(source, seed);
        let mut scenarios = Vec::new();
        for index in 0..40 {
            if let Ok(case) = fuzzer.plan(source, index) {
                fuzzer.learn(source, &case, Some(&crdible::transcript::Transcript::default()));
                scenarios.push(case.scenario);
            }
        }
        assert!(scenarios.len() > 32, "{} of 40 indices have a case", scenarios.len());
        scenarios
    };
    assert_eq!(planned(5), planned(5));
    assert_ne!(planned(5), planned(6));
}

#[test]
fn a_property_with_nothing_new_costs_more_but_gets_its_turn() {
    let source = property("ver-004-spec-order");
    let (fuzzer, _changes) = fuzzer(source, 1);
    assert_eq!(fuzzer.price(source), 1);
    for index in 0..4_000 {
        if let Ok(case) = fuzzer.plan(source, index) {
            fuzzer.learn(source, &case, Some(&crdible::transcript::Transcript::default()));
        }
    }
    assert!((2..=4).contains(&fuzzer.price(source)), "{}", fuzzer.price(source));
}
