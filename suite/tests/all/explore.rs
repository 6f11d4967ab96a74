//! Whether explorations are useful: how a correct server answers them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions, Freshness},
    explore,
    run::new_run_id,
    scenario::{Action, Plan},
};
use crdible_generators::choice::Choices;
use crdible_semantics::Semantics;

use crate::{clock, sample::Sample};

/// This many sequences of each exploration.
const SEQUENCES: u64 = 40;

/// The answers to one exploration.
#[derive(Default)]
struct Answers {
    accepted: usize,
    /// Method, code and reason of each answer, with its count.
    kinds: BTreeMap<String, usize>,
    /// The types of the events of watches.
    events: BTreeSet<String>,
}

async fn answers_to(id: &str) -> Answers {
    let options = ExecutorOptions::of_run(new_run_id());
    let mut executor = Executor::new(Target::embedded(Semantics::UPSTREAM).transport, options);
    executor.prepare().await.expect("the embedded server is usable");
    let executor = Arc::new(executor);
    let exploration = explore::all().find(|exploration| exploration.id == id).expect("it is one");
    let mut sequences = tokio::task::JoinSet::new();
    for seed in 0..SEQUENCES {
        let (executor, scenario) =
            (Arc::clone(&executor), Plan::scenario(|plan| (exploration.plan)(plan, &mut Choices::random(seed))));
        sequences.spawn(async move {
            let execution = executor.execute(&scenario, Freshness::Pooled, false).await.expect("it runs to its end");
            (scenario, execution.transcript)
        });
    }
    let mut answers = Answers::default();
    while let Some(sequence) = sequences.join_next().await {
        let (scenario, transcript) = sequence.expect("no panic");
        for (step, answer) in scenario.steps.iter().zip(&transcript.answers) {
            let (Action::Send(request), Some(answer)) = (&step.action, answer) else { continue };
            answers.accepted += usize::from(answer.is_accepted());
            let kind = format!("{:?} {} {}", request.method, answer.status, answer.reason());
            *answers.kinds.entry(kind).or_default() += 1;
            for event in answer.body["events"].as_array().into_iter().flatten() {
                answers.events.insert(event["type"].as_str().unwrap_or_default().to_owned());
            }
        }
    }
    assert_eq!(executor.clean_up().await, Vec::<String>::new(), "nothing is left behind");
    answers
}

#[tokio::test(start_paused = true)]
async fn explorations_are_accepted_and_refused_in_many_ways() {
    for exploration in Sample::stated().part("explorations", 3, explore::all()) {
        let is_real = clock::is_real(exploration.needs);
        if is_real {
            tokio::time::resume();
        }
        let Answers { accepted, kinds, .. } = answers_to(exploration.id).await;
        if is_real {
            tokio::time::pause();
        }
        let all: usize = kinds.values().sum();
        let id = exploration.id;
        // Discovery documents exist or not, nothing else.
        let (fewest, most) = if id == "explore-discovery" { (5, 90) } else { (12, 85) };
        assert!((40..=most).contains(&(accepted * 100 / all)), "{id}: {accepted} of {all} accepted; {kinds:#?}");
        assert!(kinds.len() >= fewest, "{id}: {kinds:#?}");
    }
}

#[tokio::test(start_paused = true)]
async fn watches_show_every_type_of_event() {
    let Answers { events, .. } = answers_to("explore-watches").await;
    let expected = ["ADDED", "BOOKMARK", "DELETED", "ERROR", "MODIFIED"].map(str::to_owned);
    assert_eq!(events, BTreeSet::from(expected));
}
