//! Runs scenarios, one after the other or several at once.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use crdible_scenario::{Scenario, Tenancy};

use super::{
    avoided::Avoided,
    clean_up::CleanUp,
    definitions::{Definitions, InstallError},
    error::ExecutionError,
    execution::{Execution, Freshness},
    hooks::Hooks,
    leases::{Leases, forget_lost},
    options::ExecutorOptions,
    pool::Pool,
    prepare::prepare,
    sender::Sender,
    steps::Steps,
};
use crate::{
    connection::{Slowdown, Transport},
    created::CreatedObject,
    webhook::Host,
};

/// Runs scenarios. Share it between tasks by `Arc`.
#[derive(Debug)]
pub struct Executor {
    sender: Arc<Sender>,
    definitions: Definitions,
    pool: Pool,
    /// Requests that the target does not get.
    avoided: Mutex<Avoided>,
    /// Numbers executions, for the names of objects.
    executions: AtomicU64,
}

impl Executor {
    /// An executor for a target. Call [`Executor::prepare`] before the first scenario.
    pub fn new(transport: Arc<dyn Transport>, options: ExecutorOptions) -> Self {
        let hooks = Hooks::new(
            transport
                .webhooks()
                .map_or_else(|| Arc::clone(&options.webhooks), |registry| Arc::new(Host::in_process(registry))),
        );
        let sender = Arc::new(Sender::new(transport));
        Self {
            definitions: Definitions::new(&options, Arc::clone(&sender), hooks),
            sender,
            pool: Pool::new(options.definitions.max(1)),
            avoided: Mutex::default(),
            executions: AtomicU64::new(0),
        }
    }

    /// Finds out how this target shows that a schema is served. Returns an error if objects of a definition cannot
    /// be created, or if definitions cannot be created at all; and returns what shows that a changed schema is
    /// accepted but never served, if that is the case.
    pub async fn prepare(&mut self) -> Result<Option<ExecutionError>, ExecutionError> {
        prepare(&mut self.definitions, &self.pool).await
    }

    /// Leaves these requests out from now on. Real requests take the place of dry runs if nothing else in the scenario
    /// depends on what they store ([`Scenario::can_be_stored`]).
    pub(crate) fn avoid(&self, avoided: Avoided) {
        *self.avoided.lock().unwrap_or_else(PoisonError::into_inner) = avoided;
    }

    /// What it leaves out.
    pub(crate) fn avoided(&self) -> Avoided {
        *self.avoided.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of requests sent so far.
    pub fn requests(&self) -> u64 {
        self.sender.requests()
    }

    /// The number of requests so far that got no answer.
    pub(crate) fn unanswered(&self) -> u64 {
        self.sender.unanswered()
    }

    /// A note about connections that ended without an answer, although the target had a request; if there were any.
    pub(crate) fn ends(&self) -> Option<String> {
        self.sender.ends()
    }

    /// How slow the target has become, if too slow to go on.
    pub fn slowdown(&self) -> Option<Slowdown> {
        self.sender.slowdown()
    }

    /// Whether the target must be able to reach the webhooks of the run.
    pub fn expects_webhooks(&self) -> bool {
        self.definitions.hooks.are_expected()
    }

    /// The ID of the run.
    pub fn run(&self) -> &str {
        self.definitions.run()
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
        let mut leases = Leases::new(&self.definitions, &self.pool);
        let outcome = match leases.acquire(scenario, freshness).await {
            Ok(()) => {
                let steps = Steps {
                    scenario,
                    definitions: &self.definitions,
                    avoided: self.avoided(),
                    execution: self.executions.fetch_add(1, Ordering::Relaxed),
                    recording: record,
                };
                steps.run(&mut leases.held).await
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
            leases.distrust();
        }
        leases.release().await;
        drop(permit);
        outcome
    }

    /// Whether the target answers at all, within the few seconds that a restart or a broken connection takes.
    pub async fn answers_again(&self) -> bool {
        self.sender.answers_again(self.definitions.waits.patience()).await
    }

    /// Whether the target answers another request at once, just after it did not answer one: then it is neither down
    /// nor overloaded.
    pub(crate) async fn answers_at_once(&self) -> bool {
        self.sender.answers_at_once().await
    }

    /// Whether definitions are gone that no scenario removed: another client has removed them, or the target has lost
    /// its data. They are not used again, but the clean-up still looks for them, since a single answer may be wrong.
    pub(crate) async fn has_lost_definitions(&self) -> bool {
        forget_lost(&self.definitions, &self.pool).await
    }

    /// Renews the heartbeat on one object that the run created, so that `doctor --clean` leaves the run alone. Errors
    /// are ignored: every change of a definition renews it, too.
    pub async fn renew_heartbeat(&self) {
        self.definitions.created.renew_heartbeat().await;
    }

    /// What the run created and may still be there.
    pub(crate) fn created(&self) -> Vec<CreatedObject> {
        self.definitions.created.all()
    }

    /// Removes everything that the run created, including what executions left that were dropped, and waits until it is
    /// gone. Returns what still exists when patience ends, or all if the target does not answer. No scenario can be run
    /// after it.
    pub async fn clean_up(&self) -> Vec<CreatedObject> {
        self.pool.close().await;
        CleanUp::new(&self.definitions).run().await
    }
}
