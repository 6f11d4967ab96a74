//! Definitions: made, changed, removed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use thiserror::Error;

use super::{
    Executor, Freshness, Keep, Tenant, Whereabouts,
    names::Names,
    pool::{Class, Slot, Taken},
    sentinel::with_sentinel,
    serving::Care,
    wire::{Incoming, Outgoing, exchange},
};
use crate::{
    scenario::{Definition, Domain, Method, Request, Resource, Scenario, Scope, Tenancy, Version},
    target::{DEFINITIONS, TransportError, alive_until},
};

/// The finalizer with which a server removes the objects of a definition (LIFE-015).
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Why a scenario could not be run to its end. Never a verdict about the target.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExecutionError {
    /// The exchange failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server does not permit what a run must do.
    #[error("it does not permit what a run does: {0}; a run needs what `deploy/guest.yaml` of the project grants")]
    Forbidden(String),
    /// The server refuses a definition that the scenario needs. Scenarios hold legal definitions only.
    #[error("the definition was refused: {}", .0.told)]
    DefinitionRefused(Box<Refusal>),
    /// The server answers something about a definition that tells nothing: a gateway's error, a missing definition.
    #[error("what became of a definition is unknown: {0}")]
    DefinitionLost(String),
    /// The deadline passed before the definition was served.
    #[error("{what} after {waited:?}; the last answer was: {last}")]
    NeverServed {
        /// What was waited for.
        what: String,
        /// How long.
        waited: Duration,
        /// Whether anything but 404 came back.
        is_routed: bool,
        /// The last answer in a few words.
        last: String,
    },
    /// What went wrong with one of two targets that are compared.
    #[error("{target}: {error}")]
    Of {
        /// Which one, for people.
        target: &'static str,
        /// What went wrong.
        error: Box<Self>,
    },
    /// The run is ending.
    #[error("the run is ending")]
    Closing,
    /// The scenario refers to something that it does not hold.
    #[error("the scenario is broken: {0}")]
    BrokenScenario(String),
}

/// The answer to a legal definition that was not accepted.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The definition as a person would send it.
    pub document: Value,
    /// The code.
    pub status: u16,
    /// The body.
    pub body: Value,
    /// Both in a few words.
    pub told: String,
}

impl ExecutionError {
    /// Whether the definitions of the scenario are still what the executor takes them for.
    pub(super) fn leaves_definitions_as_they_were(&self) -> bool {
        match self {
            Self::DefinitionRefused(refusal) => refusal.status < 500,
            Self::BrokenScenario(_) => true,
            _ => false,
        }
    }
}

impl Executor {
    /// Installs the definitions of a scenario. What was installed stands in `tenants` also when it fails.
    pub(super) async fn move_in(
        &self,
        scenario: &Scenario,
        freshness: Freshness,
        tenants: &mut Vec<Tenant>,
    ) -> Result<(), ExecutionError> {
        for (number, definition) in scenario.definitions.iter().enumerate() {
            let tenant = match definition.tenancy {
                Tenancy::Unborn => {
                    let other = definition.beside.and_then(|other| tenants.get(other));
                    let names = match other {
                        Some(other) => other.slot.names.beside(number, definition.scope),
                        None => self.namer.next(definition.scope, definition.domain),
                    };
                    let slot = Slot::new(names);
                    Tenant { slot, care: Care::None, keep: Keep::Unborn }
                }
                Tenancy::Pooled if freshness == Freshness::Pooled => {
                    let care = self.care(scenario, number, Care::Usual);
                    Tenant { slot: self.borrow(definition, care).await?, care, keep: Keep::Pool }
                }
                Tenancy::Pooled | Tenancy::Own => {
                    // What runs on fresh definitions confirms a failure, and must not take a late schema for one.
                    let usual = if freshness == Freshness::Fresh { Care::Thorough } else { Care::Usual };
                    let care = self.care(scenario, number, usual);
                    let slot = self.make(definition.scope, &definition.versions, care).await?;
                    Tenant { slot, care, keep: Keep::Remove }
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
                // A server may have made it all the same.
                Keep::Unborn if self.made().contains_key(&tenant.slot.names.definition()) => {
                    self.remove(&tenant.slot.names).await;
                }
                Keep::Unborn => {}
            }
        }
    }

    /// Remembers a definition that a scenario made or found by itself, so that it is removed in the end.
    pub(super) fn note_definition(&self, request: &Request, answer: &Incoming) {
        let is_shown = match request.resource {
            Resource::Definitions => request.method == Method::Post && !request.dry_run,
            Resource::Definition { .. } => !request.dry_run && request.method != Method::Delete,
            _ => false,
        };
        if !is_shown || !answer.is_accepted() {
            return;
        }
        if let Some(name) = answer.body.pointer("/metadata/name").and_then(Value::as_str) {
            self.made().entry(name.to_owned()).or_insert(Whereabouts::Installed);
        }
    }

    /// How carefully to wait for the schemas of a definition.
    fn care(&self, scenario: &Scenario, definition: usize, usual: Care) -> Care {
        match usual {
            // Whoever reads discovery alone waits for that himself.
            _ if !scenario.touches_objects_of(definition) => Care::None,
            Care::Usual if self.are_several => Care::Thorough,
            usual => usual,
        }
    }

    async fn borrow(&self, definition: &Definition, care: Care) -> Result<Slot, ExecutionError> {
        let class = Class { scope: definition.scope, storage_version: definition.storage_version().to_owned() };
        match self.pool.take(&class, &definition.versions).await {
            Taken::Idle(mut slot) => {
                let changed = if slot.versions == definition.versions {
                    if slot.awaited < care { self.await_served(&mut slot, care).await } else { Ok(()) }
                } else {
                    self.change(&mut slot, &definition.versions, care).await
                };
                match changed {
                    Ok(()) => Ok(slot),
                    Err(error) => {
                        if error.leaves_definitions_as_they_were() {
                            self.pool.put(slot).await;
                        } else {
                            self.remove(&slot.names).await;
                        }
                        Err(error)
                    }
                }
            }
            Taken::Nothing { evicted } => {
                if let Some(evicted) = evicted {
                    self.remove(&evicted.names).await;
                }
                self.make(definition.scope, &definition.versions, care).await
            }
        }
    }

    /// Makes a definition and waits until it is served.
    pub(super) async fn make(&self, scope: Scope, versions: &[Version], care: Care) -> Result<Slot, ExecutionError> {
        let mut slot =
            Slot { versions: versions.to_vec(), revision: 1, ..Slot::new(self.namer.next(scope, Domain::default())) };
        let document = self.document(&slot, versions);
        let post = Outgoing::new(Method::Post, DEFINITIONS).with_body(&document);
        let answer = self.send_making(post, &slot.names).await?;
        if !answer.is_accepted() {
            // After a 5xx it may be there all the same, and the clean-up looks.
            if answer.status < 500 {
                self.made().remove(&slot.names.definition());
            }
            return Err(self.refusal(&slot, versions, answer));
        }
        slot.resource_version = resource_version(&answer);
        if let Err(error) = self.await_served(&mut slot, care).await {
            self.remove(&slot.names).await;
            return Err(error);
        }
        Ok(slot)
    }

    /// Replaces the versions of a definition and waits until they are served.
    pub(super) async fn change(&self, slot: &mut Slot, versions: &[Version], care: Care) -> Result<(), ExecutionError> {
        slot.revision += 1;
        let mut document = self.document(slot, versions);
        let path = format!("{DEFINITIONS}/{}", slot.names.definition());
        let started = Instant::now();
        loop {
            if slot.resource_version.is_none() {
                let answer = self.send(&Outgoing::new(Method::Get, path.as_str())).await?;
                if !answer.is_accepted() {
                    return Err(ExecutionError::DefinitionLost(answer.told()));
                }
                slot.resource_version = resource_version(&answer);
            }
            document["metadata"]["resourceVersion"] = json!(slot.resource_version);
            let answer = self.send(&Outgoing::new(Method::Put, path.as_str()).with_body(&document)).await?;
            match answer.status {
                200..300 => {
                    slot.resource_version = resource_version(&answer);
                    slot.versions = versions.to_vec();
                    slot.awaited = Care::None;
                    return self.await_served(slot, care).await;
                }
                // The server's own controllers write to the definition, too.
                409 if started.elapsed() < self.options.patience => slot.resource_version = None,
                _ => return Err(self.refusal(slot, versions, answer)),
            }
        }
    }

    /// What an answer other than 2xx to a definition means.
    fn refusal(&self, slot: &Slot, versions: &[Version], answer: Incoming) -> ExecutionError {
        let told = answer.told();
        let is_status = answer.body.get("kind").and_then(Value::as_str) == Some("Status");
        match answer.status {
            401 | 403 => return ExecutionError::Forbidden(told),
            // A gateway's error, or a definition that somebody removed, made or keeps writing to.
            404 | 408 | 409 | 429 | 501.. => return ExecutionError::DefinitionLost(told),
            500 if !is_status => return ExecutionError::DefinitionLost(told),
            _ => {}
        }
        let documents: Vec<Value> = versions.iter().map(Version::document).collect();
        ExecutionError::DefinitionRefused(Box::new(Refusal {
            document: slot.names.document(self.run(), None, &documents),
            status: answer.status,
            body: answer.body,
            told,
        }))
    }

    /// Removes a definition. That it is gone is not waited for, and failing is borne: the clean-up of the run looks again.
    pub(super) async fn remove(&self, names: &Names) {
        let name = names.definition();
        let _ = self.delete(&name).await;
        let earlier = {
            let mut made = self.made();
            let leaving: Vec<&String> = made
                .iter()
                .filter_map(|(name, whereabouts)| (*whereabouts == Whereabouts::Leaving).then_some(name))
                .collect();
            let turn = usize::try_from(self.requests()).unwrap_or(0);
            let earlier = (!leaving.is_empty()).then(|| leaving[turn % leaving.len()].clone());
            made.insert(name, Whereabouts::Leaving);
            earlier
        };
        // Looking at one of those that were removed earlier, each time, keeps the list short in a long run.
        if let Some(earlier) = earlier {
            self.is_gone(&earlier).await;
        }
    }

    /// Removes a definition; `true` if it is gone already.
    pub(super) async fn delete(&self, name: &str) -> bool {
        let answer = self.send(&Outgoing::new(Method::Delete, format!("{DEFINITIONS}/{name}"))).await;
        if let Ok(answer) = &answer {
            self.let_go(name, &answer.body).await;
        }
        self.forget_if_missing(name, answer)
    }

    /// Takes away the finalizers that a scenario gave a definition: nobody else would. Failing is borne.
    async fn let_go(&self, name: &str, definition: &Value) {
        let list = |pointer: &str| definition.pointer(pointer).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let (servers, own): (Vec<&Value>, Vec<&Value>) =
            list("/metadata/finalizers").iter().partition(|finalizer| *finalizer == CLEANUP);
        if own.is_empty() {
            return;
        }
        // Stored versions that are none make every update invalid.
        let versions: Vec<&Value> = list("/spec/versions").iter().map(|version| &version["name"]).collect();
        let patches = [
            (format!("{DEFINITIONS}/{name}/status"), json!({ "status": { "storedVersions": versions } })),
            (format!("{DEFINITIONS}/{name}"), json!({ "metadata": { "finalizers": servers } })),
        ];
        for (path, patch) in patches {
            let _ = self.send(&Outgoing::new(Method::MergePatch, path).with_body(&patch)).await;
        }
    }

    /// Whether a definition is not there any more; if the target does not answer, it counts as there.
    async fn is_gone(&self, name: &str) -> bool {
        let answer = self.send(&Outgoing::new(Method::Get, format!("{DEFINITIONS}/{name}"))).await;
        self.forget_if_missing(name, answer)
    }

    fn forget_if_missing(&self, name: &str, answer: Result<Incoming, TransportError>) -> bool {
        let missing = answer.is_ok_and(|answer| answer.status == 404);
        if missing {
            self.made().remove(name);
        }
        missing
    }

    fn document(&self, slot: &Slot, versions: &[Version]) -> Value {
        let revision = slot.revision_name();
        let versions: Vec<Value> = (versions.iter())
            .map(|version| Version { schema: with_sentinel(&version.schema, &revision), ..version.clone() }.document())
            .collect();
        let alive_until = alive_until(jiff::Timestamp::now());
        slot.names.document(&self.options.run, Some(&alive_until), &versions)
    }

    /// Sends what makes a definition. An execution may be dropped at any await, and the server may do later what it was asked to do: so the
    /// name is noted before, and the request is not dropped with the execution, so that the clean-up can wait for its answer.
    pub(super) async fn send_making(&self, outgoing: Outgoing, names: &Names) -> Result<Incoming, ExecutionError> {
        self.made().insert(names.definition(), Whereabouts::Installed);
        self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let making = Arc::clone(&self.making).read_owned().await;
        let transport = Arc::clone(&self.transport);
        let sent = tokio::spawn(async move {
            let answer = exchange(&transport, &outgoing).await;
            drop(making);
            answer
        });
        match sent.await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok(answer) => Ok(answer?),
            Err(Ok(panic)) => std::panic::resume_unwind(panic),
            Err(Err(_)) => Err(ExecutionError::Closing),
        }
    }

    /// Sends one request and counts it.
    pub(super) async fn send(&self, outgoing: &Outgoing) -> Result<Incoming, TransportError> {
        self.requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        exchange(&self.transport, outgoing).await
    }
}

fn resource_version(answer: &Incoming) -> Option<String> {
    answer.body.pointer("/metadata/resourceVersion").and_then(Value::as_str).map(str::to_owned)
}
