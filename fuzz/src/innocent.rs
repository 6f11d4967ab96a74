//! A server with the right functions is never found guilty, whatever a property generates.

use std::{sync::Arc, time::Duration};

use crdible::{
    execute::{Executor, ExecutorOptions, Freshness},
    properties::{self, Property},
    run::{Outcome, attempt},
    target::Target,
};
use crdible_generators::choice::Choices;
use crdible_semantics::Upstream;
use tokio::runtime::Runtime;

thread_local! {
    static BENCH: Bench = Bench::new();
}

/// One input: the first byte chooses the property, the others are its choices.
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
    BENCH.with(|bench| {
        let outcome = bench.runtime.block_on(attempt(&bench.executor, &scenario, Freshness::Pooled, false)).outcome;
        match outcome {
            Outcome::Pass | Outcome::Discard(_) => {}
            other => panic!("{} finds the right server guilty: {other:?}\n{scenario:#?}", property.id),
        }
    });
}

struct Bench {
    runtime: Runtime,
    executor: Executor,
}

impl Bench {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let options = ExecutorOptions {
            run: "fuzz".to_owned(),
            namespace: "default".to_owned(),
            definitions: 16,
            patience: Duration::from_secs(5),
        };
        let mut executor = Executor::new(Target::embedded(Arc::new(Upstream)).transport, options);
        runtime.block_on(executor.prepare()).expect("the embedded server serves definitions");
        Self { runtime, executor }
    }
}
