//! A server in process, and a session with it that serves many inputs.

use std::{rc::Rc, time::Duration};

use crdible::{
    connection::Target,
    execute::{ExecutionError, Executor, ExecutorOptions, Freshness},
    properties::Property,
    run::{AttemptOutcome, Examiner, Session, Trial},
    scenario::Scenario,
};
use crdible_semantics::Semantics;
use tokio::{runtime::Runtime, task::JoinHandle};

/// Scenarios until the server is replaced: what a server remembers must not grow for as long as a fuzzer runs.
const SCENARIOS: usize = 1_000;

/// A server, and a session with it on this thread.
pub(crate) struct Bench {
    runtime: Rc<Runtime>,
    semantics: Semantics,
    patience: Duration,
    state: State,
    scenarios: usize,
}

enum State {
    Opening(JoinHandle<Result<Session, ExecutionError>>),
    Open(Session),
    Closed,
}

/// The runtime of the benches of a thread.
pub(crate) fn runtime() -> Rc<Runtime> {
    Rc::new(tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"))
}

impl Bench {
    /// A server with these semantics. What it does not do within the time of patience is an error. The session opens
    /// while another bench of the runtime is in use: it waits more than it works.
    pub(crate) fn new(runtime: &Rc<Runtime>, semantics: Semantics, patience: Duration) -> Self {
        let state = State::Opening(open(runtime, &semantics, patience));
        Self { runtime: Rc::clone(runtime), semantics, patience, state, scenarios: 0 }
    }

    /// Runs a scenario of a property, and judges the answers.
    ///
    /// # Panics
    /// If the server serves no definitions, or a definition is left on it when it is replaced.
    pub(crate) fn attempt(
        &mut self,
        property: &Property,
        scenario: &Scenario,
        freshness: Freshness,
    ) -> AttemptOutcome<ExecutionError> {
        let Self { runtime, semantics, patience, state, scenarios } = self;
        *scenarios += 1;
        if *scenarios > SCENARIOS
            && let State::Open(session) = std::mem::replace(state, State::Closed)
        {
            *scenarios = 1;
            assert_eq!(runtime.block_on(session.close()), [], "these objects are left on the server");
            *state = State::Opening(open(runtime, semantics, *patience));
        }
        if let State::Opening(opening) = state {
            let opened = runtime.block_on(opening).expect("no panic");
            *state = State::Open(opened.expect("the embedded server serves definitions"));
        }
        let State::Open(session) = state else { unreachable!("a session is open, or its opening has panicked") };
        runtime.block_on(session.subject().attempt(Trial::new(property.id, scenario).on(freshness))).outcome
    }
}

fn open(runtime: &Runtime, semantics: &Semantics, patience: Duration) -> JoinHandle<Result<Session, ExecutionError>> {
    let options = ExecutorOptions { patience, ..ExecutorOptions::of_run("fuzz") };
    let executor = Executor::new(Target::embedded(semantics.clone()).transport, options);
    runtime.spawn(Session::open(executor))
}
