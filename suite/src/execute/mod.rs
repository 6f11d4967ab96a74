//! The executor: runs a scenario against a target and returns the transcript.
//!
//! It gives names to definitions and objects, keeps definitions in a pool, waits until a changed schema is served by probing
//! for it, sends the steps, takes the names out of the answers, and removes what the steps made.

mod body;
mod course;
mod definitions;
mod names;
mod pool;
mod sentinel;
mod serving;
mod steps;
mod wire;

pub use definitions::{ExecutionError, Refusal};
pub(crate) use sentinel::PROPERTY as SENTINEL;
pub use wire::Exchange;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::sync::RwLock;

use crate::{
    scenario::{Method, Scenario, Tenancy},
    target::{ALIVE_UNTIL, DEFINITIONS, Transport, alive_until},
    transcript::Transcript,
};
use names::Namer;
use pool::{Pool, Slot};
use sentinel::Probe;
use serving::Care;

/// How an executor behaves.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The ID of the run: a DNS label, part of all names, the value of the label on all definitions.
    pub run: String,
    /// Where namespaced objects go.
    pub namespace: String,
    /// How many definitions may exist at once.
    pub definitions: usize,
    /// How long anything asynchronous may take: a definition until it is established, a schema until it is served.
    pub patience: Duration,
}

/// Runs scenarios. Share it between tasks by `Arc`.
#[derive(Debug)]
pub struct Executor {
    transport: Arc<dyn Transport>,
    options: ExecutorOptions,
    namer: Namer,
    pool: Pool,
    probe: Probe,
    /// Numbers executions, for the names of objects.
    executions: AtomicU64,
    /// Requests sent by steps, probes and clean-up.
    requests: AtomicU64,
    /// The names of all definitions that may be on the server: what a dropped execution leaves is found here.
    made: Mutex<BTreeMap<String, Whereabouts>>,
    /// Shared by requests that make definitions and were not answered yet. They outlive an execution that is dropped.
    making: Arc<RwLock<()>>,
    /// Several servers answer at the address, and learn of a schema one after the other.
    are_several: bool,
}

/// Where a definition is that a run made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whereabouts {
    /// On the server.
    Installed,
    /// Removed, and perhaps not yet gone.
    Leaving,
}

/// Which definitions a scenario runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Definitions of the pool, with all their history.
    Pooled,
    /// New definitions for this execution only: a failure that persists needs no history.
    Fresh,
}

/// So long a target may be away before it counts as lost.
const LONGEST_ABSENCE: Duration = Duration::from_secs(5);

/// One execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The answers.
    pub transcript: Transcript,
    /// Requests that the steps sent.
    pub requests: u64,
    /// Definitions and exchanges with their names, if they were asked for.
    pub record: Record,
}

/// An execution as a person would repeat it. The sentinel that the executor puts into schemas is not shown.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The documents of the definitions that were installed, in the order of the scenario.
    pub definitions: Vec<Value>,
    /// The exchanges of the steps; another schema for a definition stands there as a merge patch.
    pub exchanges: Vec<Exchange>,
}

impl Executor {
    /// An executor for a target. Call [`Executor::prepare`] before the first scenario.
    pub fn new(transport: Arc<dyn Transport>, options: ExecutorOptions) -> Self {
        Self {
            namer: Namer::new(&options.run, &options.namespace),
            pool: Pool::new(options.definitions.max(1)),
            probe: Probe::CHAIN[0],
            executions: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            made: Mutex::default(),
            making: Arc::default(),
            are_several: false,
            transport,
            options,
        }
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The ID of the run.
    pub fn run(&self) -> &str {
        &self.options.run
    }

    /// Runs a scenario. With `record`, the exchanges of its steps come with the transcript.
    pub async fn execute(
        &self,
        scenario: &Scenario,
        freshness: Freshness,
        record: bool,
    ) -> Result<Execution, ExecutionError> {
        let pooled = scenario.definitions.iter().filter(|definition| definition.tenancy != Tenancy::Unborn).count();
        let permit = self.pool.enter(pooled).await.ok_or(ExecutionError::Closing)?;
        let mut tenants = Vec::with_capacity(scenario.definitions.len());
        let outcome = match self.move_in(scenario, freshness, &mut tenants).await {
            Ok(()) => {
                let execution = self.executions.fetch_add(1, Ordering::Relaxed);
                self.run_steps(scenario, &mut tenants, execution, record).await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = &outcome
            && !error.leaves_definitions_as_they_were()
        {
            tenants.iter_mut().filter(|tenant| tenant.keep == Keep::Pool).for_each(|tenant| tenant.keep = Keep::Remove);
        }
        self.move_out(tenants).await;
        drop(permit);
        outcome
    }

    /// Removes every definition that the run made and waits until it is gone; also those of executions that were dropped
    /// half-way. Returns the names of those that are still there when patience ends. No scenario can be run after it.
    pub async fn clean_up(&self) -> Vec<String> {
        self.pool.close().await;
        // What is removed before it is made would stay.
        let _ = tokio::time::timeout(self.options.patience, self.making.write()).await;
        let mut left: Vec<String> = self.made().keys().cloned().collect();
        let mut progressed = Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            let mut still = Vec::new();
            for name in left {
                // Asked again each time: the server may have been away.
                if self.delete(&name).await {
                    progressed = Instant::now();
                } else {
                    still.push(name);
                }
            }
            left = still;
            // A long list takes its time; it is given up when nothing goes any more.
            if left.is_empty() || progressed.elapsed() > self.options.patience {
                return left;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// Whether the target answers at all, within a few seconds: what a restart or a broken connection costs.
    pub async fn answers_again(&self) -> bool {
        let started = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            if self.send(&wire::Outgoing::new(Method::Get, "/version")).await.is_ok() {
                return true;
            }
            if started.elapsed() > self.options.patience.min(LONGEST_ABSENCE) {
                return false;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// Says on one of the run's definitions that the run is alive, so that nobody cleans it away. Failing is borne: every
    /// change of a definition says it, too.
    pub async fn say_alive(&self) {
        let installed = |(name, whereabouts): (&String, &Whereabouts)| {
            (*whereabouts == Whereabouts::Installed).then(|| name.clone())
        };
        let Some(name) = self.made().iter().find_map(installed) else { return };
        let annotations = json!({ ALIVE_UNTIL: alive_until(jiff::Timestamp::now()) });
        let path = format!("{DEFINITIONS}/{name}");
        let patch = json!({ "metadata": { "annotations": annotations } });
        let _ = self.send(&wire::Outgoing::new(Method::MergePatch, path).with_body(&patch)).await;
    }

    fn made(&self) -> MutexGuard<'_, BTreeMap<String, Whereabouts>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A definition of the scenario for the time of one execution.
#[derive(Debug)]
pub(crate) struct Tenant {
    pub(crate) slot: Slot,
    pub(crate) care: Care,
    pub(crate) keep: Keep,
}

/// What becomes of a definition after the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Back to the pool.
    Pool,
    /// Removed.
    Remove,
    /// Never was.
    Unborn,
}
