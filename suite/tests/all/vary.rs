//! What matters to a failure, found out by varying its counterexample.

use std::time::Duration;

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties,
    run::{ConfirmedFinding, Counterexample, Event, Interrupt, NotVaried, RunOptions, Session, Variations, new_run_id},
    scenario::AnyScenario,
};
use crdible_reports::{
    journal::{VariedDocument, Weight},
    render::{Style, varied},
};
use crdible_semantics::{Reason, Release, Semantics, Validation, with};
use tokio::sync::mpsc;

/// A text is too long for any `maxLength` if it has a character of several bytes.
const WRONG_BEYOND_ASCII: Semantics = with::check_value(|semantics, value, schema, path, findings| {
    (Validation::CORRECT.check_value)(semantics, value, schema, path, findings);
    if value.as_str().is_some_and(|text| !text.is_ascii()) && schema.values.max_length.is_some() {
        findings.violation(path, Reason::TooLong, "VALUE-011", || "too long".to_owned());
    }
});

async fn open(semantics: Semantics) -> Session {
    let options = ExecutorOptions { patience: Duration::from_secs(2), ..ExecutorOptions::of_run(new_run_id()) };
    let transport = Target::embedded(semantics).transport;
    Session::open(Executor::new(transport, options)).await.expect("the embedded server is usable")
}

/// What the property finds.
async fn findings(session: &Session, property: &str, cases: u64) -> Vec<ConfirmedFinding> {
    let property = properties::find(property).expect("a property");
    let (sender, mut events) = mpsc::unbounded_channel();
    session.run(RunOptions { seed: 1, ..RunOptions::new([property], cases) }, sender, Interrupt::never()).await;
    let mut found = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Found(finding) = event {
            found.push(*finding);
        }
    }
    found
}

async fn vary(session: &Session, finding: &ConfirmedFinding) -> Result<Variations, NotVaried> {
    let property = properties::find(&finding.failure().signature.property).expect("a property");
    session.vary(property, &Counterexample::of(finding, Release::BASELINE)).await
}

/// The parts with this weight, as pointers within their documents.
fn parts(documents: &[VariedDocument], wanted: Weight) -> Vec<String> {
    let all = documents.iter().flat_map(|document| &document.parts);
    all.filter(|part| part.weight() == wanted).map(|part| part.pointer.join("/")).collect()
}

#[tokio::test]
async fn the_text_and_its_limit_matter_and_the_rest_may_be_anything() {
    let session = open(WRONG_BEYOND_ASCII).await;
    let found = findings(&session, "value-011-length", 120).await;
    let random = found.iter().find(|finding| finding.tape.is_some()).expect("a random case fails");
    let Variations { tried, failed, documents, of_another } = vary(&session, random).await.expect("it has choices");
    let text = varied(&documents, Style::default());
    assert!(!of_another);
    assert!(tried > failed && failed > 0, "{tried} {failed}{text}");
    let [depends, free, matters] =
        [Weight::Depends, Weight::Free, Weight::Matters].map(|weight| parts(&documents, weight));
    // The text may be another, but not every one.
    assert!(depends.iter().chain(&matters).any(|part| part == "spec"), "{text}");
    assert!(depends.iter().chain(&matters).any(|part| part.ends_with("maxLength")), "{text}");
    assert!(free.iter().any(|part| part.ends_with("type")), "{text}");
    assert!(text.contains("passes: ") && text.contains("~ may be anything"), "{text}");
}

#[tokio::test]
async fn of_a_hand_made_case_a_random_one_that_fails_alike_is_varied() {
    let session = open(WRONG_BEYOND_ASCII).await;
    let found = findings(&session, "value-011-length", 120).await;
    let random = found.into_iter().find(|finding| finding.tape.is_some()).expect("a random case fails");
    let hand_made = ConfirmedFinding { tape: None, ..random.clone() };
    let varied = vary(&session, &hand_made).await.expect("others fail alike");
    assert!(varied.of_another && varied.tried > 0, "{varied:?}");

    let mut of_another_version = random.clone();
    let AnyScenario::Server(scenario) = &mut of_another_version.scenario else { panic!("{random:?}") };
    scenario.steps.clear();
    assert!(vary(&session, &of_another_version).await.expect("others fail alike").of_another);

    let mut unlike = hand_made;
    unlike.failed.failure.signature.reason = "another".to_owned();
    assert!(vary(&session, &unlike).await.expect("others break the same requirement").of_another);
    unlike.failed.failure.requirements = vec!["VALUE-012".to_owned()];
    assert!(matches!(vary(&session, &unlike).await, Err(NotVaried::NothingAlike { .. })));
}
