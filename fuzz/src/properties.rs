//! Every scenario that a property generates passes against a correct server.

use std::{sync::Arc, time::Duration};

use crdible::{
    connection::Target,
    execute::{Executor, ExecutorOptions},
    properties::{self, Property},
    run::{Examiner, Outcome, Session, Trial},
};
use crdible_generators::choice::Choices;
use crdible_semantics::Upstream;
use tokio::runtime::Runtime;

thread_local! {
    static BENCH: Bench = Bench::new();
}

/// Runs one input: the first byte selects the property, the rest are its choices.
///
/// # Panics
/// If a check fails, or a scenario cannot be run.
pub fn run(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let all: Vec<&Property> = properties::all().collect();
    let property = all[usize::from(*first) % all.len()];
    let mut choices = Choices::bytes(rest);
    let scenario = (property.plan)(&mut choices);
    if choices.finish().discarded.is_some() {
        return;
    }
    BENCH.with(|setup| {
        let outcome =
            setup.runtime.block_on(setup.session.subject().attempt(Trial::new(property.id, &scenario))).outcome;
        match outcome {
            Outcome::Pass | Outcome::Discard(_) => {}
            other => panic!("{} fails against a correct server: {other:?}\n{scenario:#?}", property.id),
        }
    });
}

struct Bench {
    runtime: Runtime,
    session: Session,
}

impl Bench {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let options = ExecutorOptions { patience: Duration::from_secs(5), ..ExecutorOptions::of_run("fuzz") };
        let executor = Executor::new(Target::embedded(Arc::new(Upstream)).transport, options);
        let session = runtime.block_on(Session::open(executor)).expect("the embedded server serves definitions");
        Self { runtime, session }
    }
}
