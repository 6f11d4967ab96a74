//! Turns a connected target into an executor and a session.

use std::{sync::Arc, time::Duration};

use super::{
    claims::Unclaimed,
    identity::new_run_id,
    interrupt::Interrupt,
    session::{Opening, OpeningError, Selection, Session, Unopened},
    shrink::ShrinkOptions,
    support::ReportSupport,
};
use crate::{
    connection::{BackoffOptions, Rate, Target},
    created::CreatedObject,
    execute::{ExecutionError, Executor, ExecutorOptions},
    webhook::{Host, WebhookOptions},
};

/// How a run, a comparison, a replay or a test uses a target.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The ID of the run, which marks everything that it creates. No two runs share one.
    pub run: String,
    /// The namespace of namespaced objects.
    pub namespace: String,
    /// How long the target may take for anything asynchronous.
    pub patience: Duration,
    /// Scenarios in flight at once.
    pub workers: usize,
    /// At most this many requests per second, to each target.
    pub rate: Option<f64>,
    /// Candidates that are tried at once while a failure is shrunk.
    pub batch: usize,
    /// The webhooks that are served to the target, unless it is in process.
    pub webhooks: Arc<Host>,
    /// What the target does not claim.
    pub unclaimed: Unclaimed,
}

/// How many definitions a worker has in use or in reserve.
const DEFINITIONS_OF_A_WORKER: usize = 2;
/// Scenarios in flight for each core in process: watches take a second without doing anything.
const WORKERS_FOR_EACH_CORE: usize = 8;
/// Scenarios in flight over HTTP, where waiting for answers is the cost.
const WORKERS_OVER_HTTP: usize = 24;
/// Shrinking candidates at once over HTTP.
const BATCH_OVER_HTTP: usize = 8;

impl Setup {
    /// The defaults: a new ID; some workers for each core in process, and others over HTTP.
    pub fn of(target: &Target) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (workers, batch) = if target.is_embedded() {
            (WORKERS_FOR_EACH_CORE * cores, 1)
        } else {
            (WORKERS_OVER_HTTP, BATCH_OVER_HTTP)
        };
        Self {
            run: new_run_id(),
            namespace: "default".to_owned(),
            patience: Duration::from_secs(30),
            workers,
            rate: None,
            batch,
            webhooks: Arc::new(Host::listening(WebhookOptions {
                is_expected: target.is_on_this_machine(),
                ..WebhookOptions::default()
            })),
            unclaimed: Unclaimed::default(),
        }
    }

    /// How failures are shrunk.
    pub fn shrink(&self) -> ShrinkOptions {
        ShrinkOptions { batch: self.batch, ..ShrinkOptions::default() }
    }

    /// An executor for a target, which waits when the target asks for it and keeps to the rate.
    pub fn executor(&self, target: &Target) -> Executor {
        let options = BackoffOptions { rate: self.rate.and_then(Rate::per_second), ..BackoffOptions::default() };
        let transport = target.with_backoff(options);
        let options = ExecutorOptions {
            namespace: self.namespace.clone(),
            definitions: self.workers * DEFINITIONS_OF_A_WORKER,
            patience: self.patience,
            webhooks: Arc::clone(&self.webhooks),
            ..ExecutorOptions::of_run(&self.run)
        };
        Executor::new(Arc::new(transport), options)
    }

    /// Opens a session with a target, unless it is interrupted.
    pub async fn open(
        &self,
        target: &Target,
        selection: Selection<'_>,
        interrupt: Interrupt,
    ) -> Result<Opening<Session, Unopened>, OpeningError<ExecutionError, Vec<CreatedObject>>> {
        self.open_reporting(target, selection, &|_| {}, interrupt).await
    }

    /// The same, and reports at once what each capability showed; see [`Session::open_unless`].
    pub async fn open_reporting(
        &self,
        target: &Target,
        selection: Selection<'_>,
        report: ReportSupport<'_>,
        interrupt: Interrupt,
    ) -> Result<Opening<Session, Unopened>, OpeningError<ExecutionError, Vec<CreatedObject>>> {
        Session::open_unless(self.executor(target), selection, &self.unclaimed, report, interrupt).await
    }
}
