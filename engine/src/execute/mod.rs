//! The executor: runs a scenario against a target and returns the transcript.
//!
//! It generates names for definitions and objects, keeps definitions in a pool, probes until a changed schema is served, sends the
//! steps, removes the names from the answers, and removes what the steps created.

mod body;
mod changes;
mod clean_up;
mod clock;
mod context;
mod definitions;
mod error;
mod hooks;
mod leases;
mod names;
mod pool;
mod published;
mod readiness;
mod removals;
mod sentinel;
mod steps;
mod stored;
mod waits;
mod ways;
mod wire;

pub use error::ExecutionError;
pub(crate) use sentinel::PROPERTY as SENTINEL;
pub use wire::Exchange;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crdible_scenario::{
    Document, Method, Request, Resource, Scenario, Tenancy,
    transcript::{Refusal, Transcript},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::{RwLock, Semaphore, SemaphorePermit};

use crate::{
    connection::{Slowdown, Transport, within},
    marks::{ALIVE_UNTIL, DEFINITIONS, alive_until},
    webhook::Host,
};
use changes::Changes;
use definitions::InstallError;
use leases::Afterwards;
use names::Namer;
use pool::Pool;
use waits::Waits;
use ways::Ways;

/// The options of an executor.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The ID of the run: a DNS label that is part of all names, and the value of the label on all definitions.
    pub run: String,
    /// The namespace of namespaced objects.
    pub namespace: String,
    /// How many definitions may exist at once.
    pub definitions: usize,
    /// How long anything asynchronous may take: a definition until it is established, a schema until it is served.
    pub patience: Duration,
    /// The conversion webhooks, for a target that is not in process.
    pub webhooks: Arc<Host>,
}

impl ExecutorOptions {
    /// The defaults for the run with this ID.
    pub fn of_run(run: impl Into<String>) -> Self {
        Self {
            run: run.into(),
            namespace: "default".to_owned(),
            definitions: 64,
            patience: Duration::from_secs(30),
            webhooks: Arc::default(),
        }
    }
}

/// Runs scenarios. Share it between tasks by `Arc`.
#[derive(Debug)]
pub struct Executor {
    transport: Arc<dyn Transport>,
    options: ExecutorOptions,
    namer: Namer,
    pool: Pool,
    ways: Ways,
    /// What the target is not asked for.
    avoided: Mutex<Avoided>,
    waits: Arc<Waits>,
    changes: Changes,
    webhooks: Arc<Host>,
    /// Numbers probes, for the names of their objects.
    probes: AtomicU64,
    /// Numbers executions, for the names of objects.
    executions: AtomicU64,
    /// Requests sent by steps, probes and clean-up.
    requests: AtomicU64,
    /// Those that got no answer.
    unanswered: AtomicU64,
    /// The names of all definitions that may be on the server, including those that a dropped execution leaves.
    made: Mutex<BTreeMap<String, DefinitionState>>,
    /// Held by requests that create definitions and have no answer yet. They outlive a dropped execution.
    creating: Arc<RwLock<()>>,
    /// Held by requests for the document of `OpenAPI` v2 (see [`published::AT_ONCE`]).
    whole_documents: Semaphore,
}

/// What a target is not asked for, because it lacks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Avoided {
    /// Dry runs of definitions, which it ignores. Real requests replace them where they can.
    pub(crate) dry_runs_of_definitions: bool,
    /// Dry runs of objects, likewise.
    pub(crate) dry_runs_of_objects: bool,
    /// Watches, which may never end.
    pub(crate) watches: bool,
}

impl Avoided {
    /// What one of two targets lacks.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            dry_runs_of_definitions: self.dry_runs_of_definitions || other.dry_runs_of_definitions,
            dry_runs_of_objects: self.dry_runs_of_objects || other.dry_runs_of_objects,
            watches: self.watches || other.watches,
        }
    }
}

/// The state of a definition that a run created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DefinitionState {
    /// On the server.
    Installed,
    /// Deleted, but perhaps not gone yet.
    Deleting,
}

/// Which definitions a scenario runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Definitions of the pool, with their history.
    Pooled,
    /// New definitions for this execution only: a failure on them needs no history.
    Fresh,
}

/// A target that does not answer for this long counts as lost.
const LONGEST_ABSENCE: Duration = Duration::from_secs(8);

/// Definitions that are looked for or removed at once.
const AT_ONCE: usize = 16;

/// One execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The answers.
    pub transcript: Transcript,
    /// Requests that the steps sent.
    pub requests: u64,
    /// Definitions and exchanges with their names, if they are recorded.
    pub record: Record,
}

/// An execution as a user would repeat it, without the sentinel that the executor adds to schemas.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The documents of the installed definitions, in the order of the scenario.
    pub definitions: Vec<Value>,
    /// The exchanges of the steps; a changed schema of a definition appears as a merge patch.
    pub exchanges: Vec<Exchange>,
}

impl Execution {
    /// An execution that ended before its first step.
    fn refused(refusal: Refusal) -> Self {
        let record = Record { definitions: Vec::new(), exchanges: vec![wire::refused_definition(&refusal)] };
        Self { transcript: Transcript { refusal: Some(refusal), ..Transcript::default() }, requests: 0, record }
    }
}

impl Executor {
    /// An executor for a target. Call [`Executor::prepare`] before the first scenario.
    pub fn new(transport: Arc<dyn Transport>, options: ExecutorOptions) -> Self {
        Self {
            namer: Namer::new(&options.run, &options.namespace),
            pool: Pool::new(options.definitions.max(1)),
            ways: Ways::default(),
            avoided: Mutex::default(),
            waits: Arc::new(Waits::new(options.patience)),
            changes: Changes::default(),
            webhooks: transport
                .webhooks()
                .map_or_else(|| Arc::clone(&options.webhooks), |registry| Arc::new(Host::in_process(registry))),
            probes: AtomicU64::new(0),
            executions: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
            made: Mutex::default(),
            creating: Arc::default(),
            whole_documents: Semaphore::new(published::AT_ONCE),
            transport,
            options,
        }
    }

    /// From now on leaves this out. Real requests take the place of dry runs if nothing else in the scenario depends on what they store
    /// ([`Scenario::can_be_stored`]).
    pub(crate) fn avoid(&self, avoided: Avoided) {
        *self.avoided.lock().unwrap_or_else(PoisonError::into_inner) = avoided;
    }

    /// What it leaves out.
    pub(crate) fn avoided(&self) -> Avoided {
        *self.avoided.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a request may be sent: the document of all definitions is not read by all workers at once.
    async fn turn(&self, request: &Request) -> Option<SemaphorePermit<'_>> {
        match request.resource {
            Resource::Published { document: Document::V2, .. } => self.whole_documents.acquire().await.ok(),
            _ => None,
        }
    }

    /// The number of requests sent so far.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The number of requests so far that got no answer.
    pub(crate) fn unanswered(&self) -> u64 {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// Whether the target has become so slow that it is no use to go on.
    pub fn slowdown(&self) -> Option<Slowdown> {
        self.transport.slowdown()
    }

    /// Whether the target must be able to reach the webhooks of the run.
    pub fn expects_webhooks(&self) -> bool {
        self.webhooks.is_expected()
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
        let pooled =
            scenario.definitions.iter().filter(|definition| definition.tenancy != Tenancy::Uninstalled).count();
        let permit = self.pool.enter(pooled).await.ok_or(ExecutionError::Closing)?;
        let mut leases = Vec::with_capacity(scenario.definitions.len());
        let outcome = match self.acquire(scenario, freshness, &mut leases).await {
            Ok(()) => {
                let execution = self.executions.fetch_add(1, Ordering::Relaxed);
                self.run_steps(scenario, &mut leases, execution, record).await
            }
            Err(InstallError::Refused(refusal)) => Ok(Execution::refused(*refusal)),
            Err(InstallError::Failed(error)) => Err(error),
        };
        // After an error, or a 5xx for a definition, their state is unknown.
        let is_known = match &outcome {
            Ok(execution) => execution.transcript.refusal.as_ref().is_none_or(|refusal| refusal.answer.status < 500),
            Err(error) => matches!(error, ExecutionError::InvalidScenario(_)),
        };
        if !is_known {
            let pooled = leases.iter_mut().filter(|lease| lease.afterwards == Afterwards::Return);
            pooled.for_each(|lease| lease.afterwards = Afterwards::Remove);
        }
        self.release(leases).await;
        drop(permit);
        outcome
    }

    /// Whether the target answers at all, within the few seconds that a restart or a broken connection takes.
    pub async fn answers_again(&self) -> bool {
        let limit = self.options.patience.min(LONGEST_ABSENCE);
        let answers = async {
            let mut pause = Duration::from_millis(20);
            while self.send(&wire::Outgoing::new(Method::Get, "/version")).await.is_err() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(1));
            }
        };
        within(limit, answers).await.is_some()
    }

    /// Whether definitions are gone that no scenario removes: somebody else has removed them, or the target has lost its data. They are
    /// not used again, but the clean-up looks for them: what one answer says may be wrong.
    pub(crate) async fn has_lost_definitions(&self) -> bool {
        let idle = self.pool.idle_names().await;
        // The one that was given back last, and the one that was idle for longest.
        let sample: Vec<&String> = idle.last().into_iter().chain(idle.first()).collect();
        if !join_all(sample.into_iter().map(|name| self.is_absent(name))).await.contains(&true) {
            return false;
        }
        for some in idle.chunks(AT_ONCE) {
            let absent = join_all(some.iter().map(|name| self.is_absent(name))).await;
            let absent = some.iter().zip(absent).filter_map(|(name, is_absent)| is_absent.then_some(name));
            self.pool.forget(&absent.collect::<Vec<_>>()).await;
        }
        true
    }

    /// Renews the heartbeat on one of the run's definitions, so that `doctor --clean` leaves them alone. Errors are
    /// ignored: every change of a definition renews it, too.
    pub async fn renew_heartbeat(&self) {
        let installed =
            |(name, state): (&String, &DefinitionState)| (*state == DefinitionState::Installed).then(|| name.clone());
        let Some(name) = self.made().iter().find_map(installed) else { return };
        let annotations = json!({ ALIVE_UNTIL: alive_until(jiff::Timestamp::now()) });
        let path = format!("{DEFINITIONS}/{name}");
        let patch = json!({ "metadata": { "annotations": annotations } });
        let _ = self.send(&wire::Outgoing::new(Method::MergePatch, path).with_body(&patch)).await;
    }

    fn made(&self) -> MutexGuard<'_, BTreeMap<String, DefinitionState>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
