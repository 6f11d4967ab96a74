//! How a target shows that a schema is served, found out at the start of a run.

use std::time::Duration;

use crdible_scenario::{Definition, Method, Version};
use serde_json::json;
use tokio::time::Instant;

use super::{
    ExecutionError, Executor,
    definitions::InstallError,
    names::Names,
    pool::Slot,
    readiness::{LONGEST_PAUSE, Readiness, SAMPLES, Wait},
    sentinel::{Probe, Seen},
    wire::{Outgoing, refused_definition},
};

/// This many changes of a schema show whether there are several replicas.
const CHANGES_TO_SEE_REPLICAS: u64 = 4;

/// How to find out whether a schema is served on this target. Nothing is taken for granted: a server may ignore dry runs, and
/// may lack everything by which one schema can be told from another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// The probe that works; none if no answer depends on the schema.
    pub(super) probe: Option<Probe>,
    /// Probes are dry runs. Otherwise each stores an object, which is removed again.
    pub(super) are_dry: bool,
    /// Several replicas answer at the address, and learn of a schema one after the other.
    pub(super) has_replicas: bool,
    /// A definition can be replaced. Otherwise each scenario gets new ones.
    pub(super) can_change: bool,
}

impl Default for Ways {
    fn default() -> Self {
        Self { probe: Some(Probe::CHAIN[0]), are_dry: true, has_replicas: false, can_change: true }
    }
}

impl Ways {
    /// Whether a definition cannot be replaced and no answer depends on its schema.
    pub(super) fn ignore_schemas(self) -> bool {
        !self.can_change && self.probe.is_none()
    }
}

impl Executor {
    /// Finds out how this target shows that a schema is served. Returns an error if objects of a definition cannot be created, or
    /// if definitions cannot be created at all; and what shows that a changed schema is accepted but never served, if it is so.
    pub async fn prepare(&mut self) -> Result<Option<ExecutionError>, ExecutionError> {
        let definition = Definition::of_schema(json!({ "type": "object" }));
        let mut slot = self.create(&definition, Readiness::Unknown).await.map_err(unprepared)?;
        match self.find_ways(&mut slot, &definition.versions).await {
            Ok(None) if self.ways.can_change || self.ways.ignore_schemas() => {
                slot.readiness = Readiness::Agreed;
                self.pool.put(slot).await;
                Ok(None)
            }
            Ok(unchanged) => {
                self.remove(&slot.names).await;
                Ok(unchanged)
            }
            Err(error) => {
                self.remove(&slot.names).await;
                Err(error)
            }
        }
    }

    async fn find_ways(
        &mut self,
        slot: &mut Slot,
        versions: &[Version],
    ) -> Result<Option<ExecutionError>, ExecutionError> {
        let version = &versions[0];
        self.ways = Ways { probe: None, ..Ways::default() };
        self.await_accepted(slot, version).await?;
        self.ways.has_replicas = self.await_agreement(slot, version).await?;
        for probe in Probe::CHAIN {
            self.ways.probe = Some(probe);
            let present = self.sample(&slot.names, version, &slot.revision_name()).await?;
            let never = self.sample(&slot.names, version, "r0-never").await?;
            if present == Seen::This && never != Seen::This {
                break;
            }
            self.ways.probe = None;
        }
        for _ in 0..CHANGES_TO_SEE_REPLICAS {
            match self.change(slot, versions, Readiness::Unknown).await {
                Ok(()) => {}
                Err(InstallError::Failed(error @ ExecutionError::Transport(_))) => return Err(error),
                Err(_) => {
                    self.ways.can_change = false;
                    return Ok(None);
                }
            }
            let started = Instant::now();
            match self.await_agreement(slot, version).await {
                Ok(disagree) => self.ways.has_replicas |= disagree,
                Err(error @ ExecutionError::NeverServed { .. }) => {
                    self.ways.can_change = false;
                    return Ok(Some(error));
                }
                Err(error) => return Err(error),
            }
            self.changes.took_alone(started.elapsed());
        }
        Ok(None)
    }

    /// Waits until an object is accepted, and finds out whether the target knows dry runs.
    async fn await_accepted(&mut self, slot: &Slot, version: &Version) -> Result<(), ExecutionError> {
        let mut wait = Wait::new(version, slot.names.scope, &self.waits);
        loop {
            for are_dry in [true, false] {
                self.ways.are_dry = are_dry;
                let probed = self.create_probe(&slot.names, &version.name, "").await?;
                if probed.answer.is_accepted() {
                    let was_stored = !are_dry || self.exists(&probed.object).await?;
                    if was_stored {
                        self.send(&Outgoing::new(Method::Delete, probed.object)).await?;
                    }
                    // A dry run may have failed only because it was too early.
                    let is_late = !are_dry && self.accepts_dry_runs(slot, version).await?;
                    self.ways.are_dry = !was_stored || is_late;
                    wait.came();
                    return Ok(());
                }
                // A request that is rejected as a dry run may be accepted otherwise.
                if probed.answer.status == 404 || probed.answer.status >= 500 || !are_dry {
                    wait.pause(&probed).await?;
                    break;
                }
            }
        }
    }

    /// Whether a dry run is accepted, and stores nothing.
    async fn accepts_dry_runs(&mut self, slot: &Slot, version: &Version) -> Result<bool, ExecutionError> {
        self.ways.are_dry = true;
        let probed = self.create_probe(&slot.names, &version.name, "").await?;
        if !probed.answer.is_accepted() {
            return Ok(false);
        }
        let was_stored = self.exists(&probed.object).await?;
        if was_stored {
            self.send(&Outgoing::new(Method::Delete, probed.object)).await?;
        }
        Ok(!was_stored)
    }

    /// What one probe shows; after a failure of the server it is sent again, since the whole run depends on it.
    async fn sample(&self, names: &Names, version: &Version, revision: &str) -> Result<Seen, ExecutionError> {
        let mut probed = self.ask(names, &version.name, revision).await?;
        for _ in 0..SAMPLES {
            if probed.answer.status < 500 {
                break;
            }
            tokio::time::sleep(LONGEST_PAUSE).await;
            probed = self.ask(names, &version.name, revision).await?;
        }
        Ok(self.shown(revision, &probed.answer))
    }

    async fn exists(&self, path: &str) -> Result<bool, ExecutionError> {
        Ok(self.send(&Outgoing::new(Method::Get, path)).await?.is_accepted())
    }
}

/// A target that rejects the simplest definition serves none.
fn unprepared(error: InstallError) -> ExecutionError {
    match error {
        InstallError::Failed(error) => error,
        InstallError::Refused(refusal) => ExecutionError::NeverServed {
            what: "a definition with an empty schema is rejected".to_owned(),
            waited: Duration::ZERO,
            last: refusal.summary(),
            exchanges: vec![refused_definition(&refusal)],
        },
    }
}
