//! Definitions: made, changed, probed until they are served, removed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thiserror::Error;

use super::{
    Executor, Freshness, Keep, Tenant,
    names::{Names, version_document},
    pool::{Class, Slot, Taken},
    sentinel::{Probe, with_sentinel},
    wire::{Incoming, Outgoing, exchange},
};
use crate::{
    scenario::{Definition, Method, Scenario, Tenancy, Version},
    target::{TransportError, alive_until},
    transcript::Answer,
};

/// Why a scenario could not be run to its end. Never a verdict about the target.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExecutionError {
    /// The exchange failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server does not permit what a run must do.
    #[error("it does not permit to make definitions: {0}; a run needs what `deploy/guest.yaml` of the project grants")]
    Forbidden(String),
    /// The server refuses a definition that the scenario needs.
    #[error("the definition was refused: {0}")]
    DefinitionRefused(String),
    /// The deadline passed before the definition was served.
    #[error("{what} after {waited:?}; the last answer was: {last}")]
    NeverServed {
        /// What was waited for.
        what: String,
        /// How long.
        waited: Duration,
        /// The last answer in a few words.
        last: String,
    },
    /// The run is ending.
    #[error("the run is ending")]
    Closing,
    /// The scenario refers to something that it does not hold.
    #[error("the scenario is broken: {0}")]
    BrokenScenario(String),
}

pub(super) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Between two probes: from this, doubled each time, …
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// … up to this.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

impl Executor {
    /// Finds out which probe the target answers truly: a schema that should answer does, and one that should not does not.
    /// Returns an error if none does, or if definitions cannot be made at all.
    pub async fn prepare(&mut self) -> Result<(), ExecutionError> {
        let versions = vec![Version::only(json!({ "type": "object" }))];
        let mut last = None;
        for probe in Probe::CHAIN {
            self.probe = probe;
            let mut slot = match self.make(Definition::of_schema(versions[0].schema.clone()).scope, &versions).await {
                Ok(slot) => slot,
                Err(error @ ExecutionError::NeverServed { .. }) => {
                    last = Some(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let stale = self.shows(&slot.names, &versions, "r0-never").await?;
            slot.versions = versions.clone();
            if stale {
                self.remove(&slot.names).await;
                continue;
            }
            self.pool.put(slot).await;
            return Ok(());
        }
        Err(last.unwrap_or_else(|| ExecutionError::NeverServed {
            what: "no probe tells which schema answers".to_owned(),
            waited: Duration::ZERO,
            last: "every revision is said to be served: enums, defaults and pruning all fail".to_owned(),
        }))
    }

    /// Installs the definitions of a scenario. What was installed stands in `tenants` also when it fails.
    pub(super) async fn move_in(
        &self,
        scenario: &Scenario,
        freshness: Freshness,
        tenants: &mut Vec<Tenant>,
    ) -> Result<(), ExecutionError> {
        for definition in &scenario.definitions {
            let tenant = match definition.tenancy {
                Tenancy::Unborn => {
                    let slot = Slot {
                        names: self.namer.next(definition.scope),
                        versions: vec![],
                        revision: 0,
                        resource_version: None,
                    };
                    Tenant { slot, keep: Keep::Unborn }
                }
                Tenancy::Pooled if freshness == Freshness::Pooled => self.borrow(definition).await?,
                Tenancy::Pooled | Tenancy::Own => {
                    let slot = self.make(definition.scope, &definition.versions).await?;
                    Tenant { slot, keep: Keep::Remove }
                }
            };
            tenants.push(tenant);
        }
        Ok(())
    }

    /// Gives definitions back to the pool or removes them.
    pub(super) async fn move_out(&self, tenants: Vec<Tenant>) {
        for tenant in tenants {
            match tenant.keep {
                Keep::Pool => self.pool.put(tenant.slot).await,
                Keep::Remove => self.remove(&tenant.slot.names).await,
                Keep::Unborn => {}
            }
        }
    }

    async fn borrow(&self, definition: &Definition) -> Result<Tenant, ExecutionError> {
        let class = Class { scope: definition.scope, storage_version: definition.storage_version().to_owned() };
        let slot = match self.pool.take(&class, &definition.versions).await {
            Taken::Idle(mut slot) => {
                if slot.versions != definition.versions
                    && let Err(error) = self.change(&mut slot, &definition.versions).await
                {
                    // A refusal leaves the definition as it was; after anything else nobody knows what it is.
                    match &error {
                        ExecutionError::DefinitionRefused(_) => self.pool.put(slot).await,
                        _ => self.remove(&slot.names).await,
                    }
                    return Err(error);
                }
                slot
            }
            Taken::Nothing { evicted } => {
                if let Some(evicted) = evicted {
                    self.remove(&evicted.names).await;
                }
                self.make(definition.scope, &definition.versions).await?
            }
        };
        Ok(Tenant { slot, keep: Keep::Pool })
    }

    /// Makes a definition and waits until it is served.
    async fn make(&self, scope: crate::scenario::Scope, versions: &[Version]) -> Result<Slot, ExecutionError> {
        let names = self.namer.next(scope);
        let mut slot = Slot { names, versions: versions.to_vec(), revision: 1, resource_version: None };
        let document = self.document(&slot, versions);
        // Noted before it is sent: an execution may be dropped at any await.
        self.made().insert(slot.names.definition());
        let answer = self.send(&Outgoing::new(Method::Post, DEFINITIONS).with_body(&document)).await?;
        if !answer.is_accepted() {
            self.made().remove(&slot.names.definition());
            return Err(match answer.status {
                401 | 403 => ExecutionError::Forbidden(answer.told()),
                _ => ExecutionError::DefinitionRefused(answer.told()),
            });
        }
        slot.resource_version = resource_version(&answer);
        if let Err(error) = self.await_served(&slot).await {
            self.remove(&slot.names).await;
            return Err(error);
        }
        Ok(slot)
    }

    /// Replaces the versions of a definition and waits until they are served.
    pub(super) async fn change(&self, slot: &mut Slot, versions: &[Version]) -> Result<(), ExecutionError> {
        slot.revision += 1;
        let mut document = self.document(slot, versions);
        let path = format!("{DEFINITIONS}/{}", slot.names.definition());
        let started = Instant::now();
        loop {
            if slot.resource_version.is_none() {
                let answer = self.send(&Outgoing::new(Method::Get, path.as_str())).await?;
                slot.resource_version = resource_version(&answer);
            }
            document["metadata"]["resourceVersion"] = json!(slot.resource_version);
            let answer = self.send(&Outgoing::new(Method::Put, path.as_str()).with_body(&document)).await?;
            match answer.status {
                200..300 => {
                    slot.resource_version = resource_version(&answer);
                    slot.versions = versions.to_vec();
                    return self.await_served(slot).await;
                }
                // The server's own controllers write to the definition, too.
                409 if started.elapsed() < self.options.patience => slot.resource_version = None,
                _ => return Err(ExecutionError::DefinitionRefused(answer.told())),
            }
        }
    }

    /// Removes a definition. That it is gone is not waited for, and failing is borne: the clean-up of the run looks again.
    pub(super) async fn remove(&self, names: &Names) {
        self.delete(&names.definition()).await;
    }

    pub(super) async fn delete(&self, name: &str) {
        let _ = self.send(&Outgoing::new(Method::Delete, format!("{DEFINITIONS}/{name}"))).await;
    }

    /// Whether a definition is not there any more; if the target does not answer, it counts as there.
    pub(super) async fn is_gone(&self, name: &str) -> bool {
        let answer = self.send(&Outgoing::new(Method::Get, format!("{DEFINITIONS}/{name}"))).await;
        let gone = answer.is_ok_and(|answer| answer.status == 404);
        if gone {
            self.made().remove(name);
        }
        gone
    }

    fn document(&self, slot: &Slot, versions: &[Version]) -> Value {
        let revision = revision_name(slot);
        let versions: Vec<Value> = (versions.iter())
            .map(|version| {
                version_document(&Version { schema: with_sentinel(&version.schema, &revision), ..version.clone() })
            })
            .collect();
        let alive_until = alive_until(jiff::Timestamp::now());
        slot.names.document(&self.options.run, Some(&alive_until), &versions)
    }

    async fn await_served(&self, slot: &Slot) -> Result<(), ExecutionError> {
        let revision = revision_name(slot);
        let Some(version) = slot.versions.iter().find(|version| version.served) else {
            return Ok(());
        };
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let answer = self.ask(&slot.names, &version.name, &revision).await?;
            if self.is_from(&revision, &answer) {
                return Ok(());
            }
            if started.elapsed() > self.options.patience {
                let what = format!("version {} of a definition was not served with its schema", version.name);
                return Err(ExecutionError::NeverServed { what, waited: started.elapsed(), last: answer.told() });
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn shows(&self, names: &Names, versions: &[Version], revision: &str) -> Result<bool, ExecutionError> {
        let answer = self.ask(names, &versions[0].name, revision).await?;
        Ok(self.is_from(revision, &answer))
    }

    async fn ask(&self, names: &Names, version: &str, revision: &str) -> Result<Incoming, ExecutionError> {
        let mut body = self.probe.fields(revision);
        body["apiVersion"] = json!(names.api_version(version));
        body["kind"] = json!(names.kind);
        body["metadata"] = json!({ "name": "probe" });
        let path = format!("{}?dryRun=All", names.collection(version));
        Ok(self.send(&Outgoing::new(Method::Post, path).with_body(&body)).await?)
    }

    fn is_from(&self, revision: &str, answer: &Incoming) -> bool {
        let answer = Answer { status: answer.status, body: answer.body.clone(), ..Answer::default() };
        let fields: Vec<String> = answer.causes().into_iter().map(|cause| cause.field).collect();
        self.probe.is_from(revision, answer.status, &answer.body, &fields)
    }

    /// Sends one request and counts it.
    pub(super) async fn send(&self, outgoing: &Outgoing) -> Result<Incoming, TransportError> {
        self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        exchange(&self.transport, outgoing).await
    }
}

fn revision_name(slot: &Slot) -> String {
    format!("r{}", slot.revision)
}

fn resource_version(answer: &Incoming) -> Option<String> {
    answer.body.pointer("/metadata/resourceVersion").and_then(Value::as_str).map(str::to_owned)
}
