//! Finds out at the start of a run how a target shows that a schema is served.

use std::time::Duration;

use crdible_scenario::{Definition, Method, Version};
use serde_json::json;
use tokio::time::Instant;

use super::{
    definitions::{Definitions, InstallError},
    error::ExecutionError,
    names::Names,
    pool::Pool,
    prober::{LONGEST_PAUSE, SAMPLES, Wait},
    readiness_probes::ReadinessProbes,
    sentinel::{Probe, Seen},
    slot::{Readiness, Slot},
    wire::{Outgoing, refused_definition},
};

/// This many changes of a schema show whether there are several replicas.
const CHANGES_TO_SEE_REPLICAS: u64 = 4;

/// Finds out how this target shows that a schema is served. Returns an error if objects of a definition cannot
/// be created, or if definitions cannot be created at all; and returns what shows that a changed schema is
/// accepted but never served, if that is the case.
pub(super) async fn prepare(
    definitions: &mut Definitions,
    pool: &Pool,
) -> Result<Option<ExecutionError>, ExecutionError> {
    let definition = Definition::of_schema(json!({ "type": "object" }));
    let mut slot = definitions.create(&definition, Readiness::Unknown).await.map_err(unprepared)?;
    match find_readiness_probes(definitions, &mut slot, &definition.versions).await {
        Ok(None) if definitions.readiness_probes().can_change || definitions.readiness_probes().ignore_schemas() => {
            slot.readiness = Readiness::Agreed;
            pool.put(slot).await;
            Ok(None)
        }
        Ok(unchanged) => {
            definitions.remove(&slot.names).await;
            Ok(unchanged)
        }
        Err(error) => {
            definitions.remove(&slot.names).await;
            Err(error)
        }
    }
}

async fn find_readiness_probes(
    definitions: &mut Definitions,
    slot: &mut Slot,
    versions: &[Version],
) -> Result<Option<ExecutionError>, ExecutionError> {
    let version = &versions[0];
    definitions.prober.readiness_probes = ReadinessProbes { probe: None, ..ReadinessProbes::default() };
    await_accepted(definitions, slot, version).await?;
    definitions.prober.readiness_probes.has_replicas = definitions.prober.await_agreement(slot, version).await?;
    if !find_probe(definitions, slot, version).await? && definitions.prober.readiness_probes.are_dry {
        // Its dry runs may skip what depends on the schema.
        definitions.prober.readiness_probes.are_dry = false;
        let is_found = find_probe(definitions, slot, version).await?;
        definitions.prober.readiness_probes.are_dry = !is_found;
    }
    for _ in 0..CHANGES_TO_SEE_REPLICAS {
        match definitions.change(slot, versions, Readiness::Unknown).await {
            Ok(()) => {}
            Err(InstallError::Failed(error @ ExecutionError::Transport(_))) => return Err(error),
            Err(_) => {
                definitions.prober.readiness_probes.can_change = false;
                return Ok(None);
            }
        }
        let started = Instant::now();
        match definitions.prober.await_agreement(slot, version).await {
            Ok(disagree) => definitions.prober.readiness_probes.has_replicas |= disagree,
            Err(error @ ExecutionError::NeverServed { .. }) => {
                definitions.prober.readiness_probes.can_change = false;
                return Ok(Some(error));
            }
            Err(error) => return Err(error),
        }
        definitions.prober.changes.took_alone(started.elapsed());
    }
    Ok(None)
}

/// Finds the first probe that shows which schema answers. Returns whether there is one.
async fn find_probe(definitions: &mut Definitions, slot: &Slot, version: &Version) -> Result<bool, ExecutionError> {
    for probe in Probe::CHAIN {
        definitions.prober.readiness_probes.probe = Some(probe);
        let present = sample(definitions, &slot.names, version, &slot.revision_name()).await?;
        let never = sample(definitions, &slot.names, version, "r0-never").await?;
        if present == Seen::This && never != Seen::This {
            return Ok(true);
        }
    }
    definitions.prober.readiness_probes.probe = None;
    Ok(false)
}

/// Waits until an object is accepted, and finds out whether the target knows dry runs.
async fn await_accepted(definitions: &mut Definitions, slot: &Slot, version: &Version) -> Result<(), ExecutionError> {
    let mut wait = Wait::new(version, slot.names.scope, &definitions.waits);
    loop {
        for are_dry in [true, false] {
            definitions.prober.readiness_probes.are_dry = are_dry;
            let probed = definitions.prober.create_probe(&slot.names, &version.name, "").await?;
            if probed.answer.is_accepted() {
                let was_stored = take_back(definitions, &probed.object, are_dry).await?;
                // The dry run may have failed only because it was sent too early.
                let is_late = !are_dry && accepts_dry_runs(definitions, slot, version).await?;
                definitions.prober.readiness_probes.are_dry = !was_stored || is_late;
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
async fn accepts_dry_runs(
    definitions: &mut Definitions,
    slot: &Slot,
    version: &Version,
) -> Result<bool, ExecutionError> {
    definitions.prober.readiness_probes.are_dry = true;
    let probed = definitions.prober.create_probe(&slot.names, &version.name, "").await?;
    if !probed.answer.is_accepted() {
        return Ok(false);
    }
    Ok(!take_back(definitions, &probed.object, true).await?)
}

/// What one probe shows; after a failure of the server it is sent again, since the whole run depends on it.
async fn sample(
    definitions: &Definitions,
    names: &Names,
    version: &Version,
    revision: &str,
) -> Result<Seen, ExecutionError> {
    let mut probed = definitions.prober.ask(names, &version.name, revision).await?;
    for _ in 0..SAMPLES {
        if probed.answer.status < 500 {
            break;
        }
        tokio::time::sleep(LONGEST_PAUSE).await;
        probed = definitions.prober.ask(names, &version.name, revision).await?;
    }
    Ok(definitions.prober.shown(revision, &probed.answer))
}

/// Removes what an accepted probe stored. Returns whether it did: a dry run must not.
async fn take_back(definitions: &Definitions, path: &str, was_dry: bool) -> Result<bool, ExecutionError> {
    let sender = &definitions.sender;
    let was_stored = !was_dry || sender.send(&Outgoing::new(Method::Get, path)).await?.is_accepted();
    if was_stored {
        sender.send(&Outgoing::new(Method::Delete, path)).await?;
    }
    Ok(was_stored)
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
