//! Waiting until a schema is served: by probes, and by every replica that answers.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    ExecutionError, Executor,
    definitions::InstallError,
    names::Names,
    pool::Slot,
    sentinel::Probe,
    wire::{Incoming, Outgoing},
};
use crate::{
    scenario::{Definition, Method, Version},
    transcript::Answer,
};

/// The pause between two probes: it starts with this and doubles each time, …
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// … up to this.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// This many concurrent probes usually reach every replica behind one address.
const CONCURRENT_PROBES: usize = 12;
/// This many changes of a schema show whether there are several replicas.
const CHANGES_TO_SEE_REPLICAS: u64 = 4;

/// How far it is known that a schema is served, and how far to wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Readiness {
    /// Nothing is known: no objects are sent.
    Unknown,
    /// Each served version has answered with it once.
    Answered,
    /// Many concurrent requests were all answered with it: also those to replicas that learn of it late.
    Agreed,
}

impl Executor {
    /// Finds the probe that works on this target: it must recognise a schema that is served, and must not recognise one
    /// that is not. Returns an error if no probe works, or if definitions cannot be created at all.
    pub async fn prepare(&mut self) -> Result<(), ExecutionError> {
        let definition = Definition::of_schema(json!({ "type": "object" }));
        let mut last = None;
        for probe in Probe::CHAIN {
            self.probe = probe;
            let mut slot = self.create(&definition, Readiness::Unknown).await.map_err(unprepared)?;
            let has_replicas = match self.await_agreement(&slot, &definition.versions[0]).await {
                Ok(has_replicas) => has_replicas,
                Err(error) => {
                    self.remove(&slot.names).await;
                    match error {
                        // No other probe reaches objects that are not routed at all.
                        ExecutionError::NeverServed { is_routed: true, .. } => last = Some(error),
                        _ => return Err(error),
                    }
                    continue;
                }
            };
            if self.shows(&slot.names, &definition.versions, "r0-never").await? {
                self.remove(&slot.names).await;
                continue;
            }
            self.has_replicas = has_replicas || self.disagree_after_changes(&mut slot, &definition.versions).await?;
            slot.readiness = Readiness::Agreed;
            self.pool.put(slot).await;
            return Ok(());
        }
        Err(last.unwrap_or_else(|| ExecutionError::NeverServed {
            what: "no probe shows which schema answers".to_owned(),
            waited: Duration::ZERO,
            is_routed: true,
            last: "every revision seems to be served: enums, defaults and pruning are all missing".to_owned(),
        }))
    }

    /// Whether several replicas answer at this address and learn of a changed schema one after the other.
    async fn disagree_after_changes(&self, slot: &mut Slot, versions: &[Version]) -> Result<bool, ExecutionError> {
        let mut disagree = false;
        for _ in 0..CHANGES_TO_SEE_REPLICAS {
            self.change(slot, versions, Readiness::Unknown).await.map_err(unprepared)?;
            disagree |= self.await_agreement(slot, &versions[0]).await?;
        }
        Ok(disagree)
    }

    /// Waits until all served versions of a definition answer with its present schemas.
    pub(super) async fn await_served(&self, slot: &mut Slot, readiness: Readiness) -> Result<(), ExecutionError> {
        for version in slot.versions.iter().filter(|version| version.served) {
            match readiness {
                Readiness::Unknown => return Ok(()),
                Readiness::Answered => self.await_answer(slot, version).await?,
                Readiness::Agreed => {
                    self.await_agreement(slot, version).await?;
                }
            }
        }
        slot.readiness = readiness;
        Ok(())
    }

    /// Waits until one request is answered with the present schema.
    async fn await_answer(&self, slot: &Slot, version: &Version) -> Result<(), ExecutionError> {
        let mut wait = Wait::new(version, self.options.patience);
        loop {
            let answer = self.ask(&slot.names, &version.name, &slot.revision_name()).await?;
            if self.is_from(&slot.revision_name(), &answer) {
                return Ok(());
            }
            wait.pause(&answer).await?;
        }
    }

    /// Waits until many concurrent requests, over as many connections, are all answered with the present schema. Returns whether some
    /// were answered with an earlier one although others had seen the present one before: then there are several replicas.
    async fn await_agreement(&self, slot: &Slot, version: &Version) -> Result<bool, ExecutionError> {
        let mut wait = Wait::new(version, self.options.patience);
        let revision = slot.revision_name();
        let (mut was_seen, mut disagree) = (false, false);
        loop {
            let (mut stale, mut is_seen) = (None, false);
            let probes = (0..CONCURRENT_PROBES).map(|_| self.ask(&slot.names, &version.name, &revision));
            for answer in futures_util::future::join_all(probes).await {
                let answer = answer?;
                if self.is_from(&revision, &answer) { is_seen = true } else { stale = Some(answer) }
            }
            let Some(stale) = stale else { return Ok(disagree) };
            disagree |= was_seen;
            was_seen |= is_seen;
            wait.pause(&stale).await?;
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
}

/// A target that rejects the simplest definition serves none.
fn unprepared(error: InstallError) -> ExecutionError {
    match error {
        InstallError::Failed(error) => error,
        InstallError::Refused(refusal) => ExecutionError::NeverServed {
            what: "a definition with an empty schema is rejected".to_owned(),
            waited: Duration::ZERO,
            is_routed: true,
            last: refusal.summary(),
        },
    }
}

/// Waits with growing pauses, until patience ends.
struct Wait<'a> {
    version: &'a Version,
    patience: Duration,
    started: Instant,
    pause: Duration,
}

impl<'a> Wait<'a> {
    fn new(version: &'a Version, patience: Duration) -> Self {
        Self { version, patience, started: Instant::now(), pause: FIRST_PAUSE }
    }

    async fn pause(&mut self, last: &Incoming) -> Result<(), ExecutionError> {
        let waited = self.started.elapsed();
        if waited > self.patience {
            return Err(ExecutionError::NeverServed {
                what: format!("version {} of a definition was not served with its schema", self.version.name),
                waited,
                is_routed: last.status != 404,
                last: last.summary(),
            });
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}
