//! Creating, changing and removing definitions.

use std::{sync::Arc, time::Duration};

use crdible_scenario::{
    Definition, Domain, Method, Request, Resource, Scope, Version,
    transcript::{Answer, Refusal},
};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    created::Created,
    error::ExecutionError,
    hooks::Hooks,
    names::{Namer, Names},
    options::ExecutorOptions,
    prober::Prober,
    readiness_probes::ReadinessProbes,
    sender::Sender,
    sentinel::with_sentinel,
    slot::{Readiness, Slot, revision_name},
    waits::Waits,
    wire::{Incoming, Outgoing, record},
};
use crate::{
    connection::TransportError,
    created::CreatedObject,
    marks::{DEFINITIONS, alive_until},
};

/// The pause after the first 409 for a changed definition; it doubles each time.
const CONFLICT_PAUSE: Duration = Duration::from_millis(2);
/// The longest such pause.
const LONGEST_CONFLICT_PAUSE: Duration = Duration::from_millis(200);
/// How long to retry a change of a definition that others keep writing to.
const LONGEST_CONFLICT: Duration = Duration::from_secs(10);

/// Why a definition is not installed.
#[derive(Debug)]
pub(super) enum InstallError {
    /// The server rejects it.
    Refused(Box<Refusal>),
    /// Its state is unknown.
    Failed(ExecutionError),
}

impl InstallError {
    /// Whether the definition on the server is still as it was before.
    pub(super) fn keeps_definition(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.answer.status < 500,
            Self::Failed(error) => matches!(error, ExecutionError::InvalidScenario(_)),
        }
    }
}

impl From<ExecutionError> for InstallError {
    fn from(error: ExecutionError) -> Self {
        Self::Failed(error)
    }
}

/// The definitions of a run.
#[derive(Debug)]
pub(super) struct Definitions {
    /// The ID of the run.
    run: String,
    namer: Namer,
    pub(super) sender: Arc<Sender>,
    pub(super) hooks: Hooks,
    pub(super) prober: Prober,
    pub(super) waits: Arc<Waits>,
    pub(super) created: Created,
}

impl Definitions {
    /// The definitions of a run that has created none yet.
    pub(super) fn new(options: &ExecutorOptions, sender: Arc<Sender>, hooks: Hooks) -> Self {
        let waits = Arc::new(Waits::new(options.patience));
        Self {
            run: options.run.clone(),
            namer: Namer::new(&options.run, &options.namespace),
            hooks,
            prober: Prober::new(Arc::clone(&sender), Arc::clone(&waits)),
            created: Created::new(Arc::clone(&sender)),
            sender,
            waits,
        }
    }

    /// The ID of the run.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// How the target shows that a schema is served.
    pub(super) fn readiness_probes(&self) -> ReadinessProbes {
        self.prober.readiness_probes
    }

    /// Names that this run has not used yet.
    pub(super) fn next_names(&self, scope: Scope, domain: Domain) -> Names {
        self.namer.next(scope, domain)
    }

    /// Remembers a definition that a scenario created or read, so that it is removed at the end.
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
            self.created.note(CreatedObject::definition(name));
        }
    }

    /// Creates a definition and waits until it is served.
    pub(super) async fn create(&self, definition: &Definition, readiness: Readiness) -> Result<Slot, InstallError> {
        let Definition { scope, versions, .. } = definition;
        let names = self.namer.next(*scope, Domain::default());
        let converting = self.hooks.converting(definition)?;
        let mut slot = Slot { versions: versions.clone(), revision: 1, ..Slot::new(names, converting) };
        let document = self.document(&slot, versions, slot.revision);
        let post = Outgoing::new(Method::Post, DEFINITIONS).with_body(&document);
        let answer = self.created.create(post.clone(), slot.names.definition()).await?;
        if !answer.is_accepted() {
            // After a 5xx it may exist, and the clean-up looks.
            if answer.status < 500 {
                self.created.forget(&slot.names.definition());
            }
            return Err(self.refused(&slot, versions, &post, answer));
        }
        slot.resource_version = resource_version(&answer);
        slot.created_with = Some(answer.status);
        if let Err(error) = self.prober.await_served(&mut slot, readiness).await {
            self.remove(&slot.names).await;
            return Err(error.into());
        }
        Ok(slot)
    }

    /// Replaces the versions of a definition and waits until they are served.
    pub(super) async fn change(
        &self,
        slot: &mut Slot,
        versions: &[Version],
        readiness: Readiness,
    ) -> Result<(), InstallError> {
        let revision = slot.revision + 1;
        let mut document = self.document(slot, versions, revision);
        let path = slot.names.definition().path();
        let started = Instant::now();
        let mut pause = CONFLICT_PAUSE;
        loop {
            if slot.resource_version.is_none() {
                let answer = self.sender.send(&Outgoing::new(Method::Get, path.as_str())).await.map_err(failed)?;
                if !answer.is_accepted() {
                    return Err(ExecutionError::DefinitionLost(answer.summary()).into());
                }
                slot.resource_version = resource_version(&answer);
            }
            document["metadata"]["resourceVersion"] = json!(slot.resource_version);
            let put = Outgoing::new(Method::Put, path.as_str()).with_body(&document);
            let answer = self.sender.send(&put).await.map_err(failed)?;
            match answer.status {
                200..300 => {
                    slot.resource_version = resource_version(&answer);
                    slot.revision = revision;
                    slot.versions = versions.to_vec();
                    slot.readiness = Readiness::Unknown;
                    return Ok(self.prober.await_served(slot, readiness).await?);
                }
                // The server's own controllers write to the definition, too.
                409 if started.elapsed() < self.waits.patience().min(LONGEST_CONFLICT) => {
                    slot.resource_version = None;
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_CONFLICT_PAUSE);
                }
                _ => return Err(self.refused(slot, versions, &put, answer)),
            }
        }
    }

    /// What an answer other than 2xx to a definition means.
    fn refused(&self, slot: &Slot, versions: &[Version], outgoing: &Outgoing, answer: Incoming) -> InstallError {
        let is_status = answer.body.get("kind").and_then(Value::as_str) == Some("Status");
        match answer.status {
            401 | 403 => return ExecutionError::forbidden(&record(outgoing, &answer)).into(),
            // A gateway error, or a definition that another client removed, created or keeps writing to.
            404 | 408 | 409 | 429 | 501.. => return ExecutionError::DefinitionLost(answer.summary()).into(),
            500 if !is_status => return ExecutionError::DefinitionLost(answer.summary()).into(),
            _ => {}
        }
        InstallError::Refused(Box::new(Refusal {
            step: None,
            document: slot.names.document(&self.run, None, slot.converting.document(), versions),
            answer: Answer { status: answer.status, body: answer.body, ..Answer::default() },
        }))
    }

    /// Removes a definition without waiting until it is gone.
    pub(super) async fn remove(&self, names: &Names) {
        self.created.remove(names.definition()).await;
    }

    /// The document of a definition with these versions, as the revision of this number.
    fn document(&self, slot: &Slot, versions: &[Version], revision: u64) -> Value {
        let revision = revision_name(revision);
        let versions: Vec<Version> = (versions.iter())
            .map(|version| Version { schema: with_sentinel(&version.schema, &revision), ..version.clone() })
            .collect();
        let alive_until = alive_until(jiff::Timestamp::now());
        slot.names.document(&self.run, Some(&alive_until), slot.converting.document(), &versions)
    }
}

fn failed(error: TransportError) -> InstallError {
    InstallError::Failed(error.into())
}

fn resource_version(answer: &Incoming) -> Option<String> {
    answer.body.pointer("/metadata/resourceVersion").and_then(Value::as_str).map(str::to_owned)
}
