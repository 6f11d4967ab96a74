//! Removes what a killed run left behind, and nothing else.

use std::fmt::Write;
use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::Client;
use super::leftovers::{Labelled, by_run, check_run_id, labelled};
use crate::connection::{Target, TargetError};
use crate::created::{CreatedObject, collections, counts, held, lacks_patches, loosened, released};

/// How often an object that changes concurrently is read again.
const ROUNDS: usize = 3;

/// After this time the finalizers of instances are removed (LIFE-016), since no controller does.
const RELEASE_AFTER: Duration = Duration::from_secs(1);

/// How long to honour a server's `Retry-After`, per request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whose leftovers are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CleanScope {
    /// Those of one run, which must have ended.
    Run(String),
    /// Those of every run whose last heartbeat expired longer ago than this.
    OlderThan(Duration),
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// What was removed, sorted.
    pub removed: Vec<CreatedObject>,
    /// Runs that were skipped, with the time until which each counts as alive.
    pub spared: Vec<(String, Timestamp)>,
}

impl Cleaned {
    /// A few lines for the user.
    pub fn render(&self) -> String {
        let many = |(count, noun): (usize, &str)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let removed: Vec<String> = counts(&self.removed).map(many).collect();
        let mut text = match &removed[..] {
            [] => "nothing to remove\n".to_owned(),
            removed => format!("removed {}\n", removed.join(" and ")),
        };
        for object in &self.removed {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {object}");
        }
        for (run, until) in &self.spared {
            let _ = writeln!(
                text,
                "left run {run} alone: it may still be running, since its last heartbeat is valid until {until:.0}"
            );
        }
        text
    }
}

/// Removes what the runs that `scope` names created, and the objects of their definitions, and waits until all are
/// gone, at most `deadline`.
///
/// Only objects with the label [`RUN_LABEL`](crate::marks::RUN_LABEL) are touched; each is deleted by name, and by
/// uid and resourceVersion if the server gives them, so one that a live run has just refreshed is kept.
///
/// # Errors
/// [`TargetError::RunAlive`] if the named run is alive, [`TargetError::StillThere`] if the deadline passes,
/// [`TargetError::Usage`] for an invalid identifier, else what the server answered.
pub async fn clean(target: &Target, scope: &CleanScope, deadline: Duration) -> Result<Cleaned, TargetError> {
    let api = Client::new(target, PATIENCE);
    let mut cleaned = Cleaned::default();
    let mut doomed: Vec<Labelled> = Vec::new();
    for _ in 0..ROUNDS {
        let now = Timestamp::now();
        let (selected, spared) = select(&api, scope, now).await?;
        cleaned.spared = spared;
        let mut changed = false;
        for labelled in selected {
            if doomed.iter().any(|known| known.is_same(&labelled)) {
                continue;
            }
            if labelled.is_deleting || delete(&api, &labelled, true).await? {
                doomed.push(labelled);
            } else {
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    wait_until_gone(&api, &doomed, deadline).await?;
    Ok(Cleaned { removed: sorted(doomed), ..cleaned })
}

/// Removes everything with `run`'s label, whether alive or not, and also these objects, which `run`
/// created: a server may lose labels. It is for a probe that cleans up after itself.
pub(super) async fn remove_created(
    api: &Client,
    run: &str,
    created: &[CreatedObject],
    deadline: Duration,
) -> Result<Cleaned, TargetError> {
    let now = Timestamp::now();
    let mut own = labelled(api, Some(run), now).await?;
    for object in created {
        if own.iter().any(|known| known.object == *object) {
            continue;
        }
        if let Some(body) = present(api, object).await? {
            own.extend(Labelled::of_run(run, object.resource, &body, now).filter(|found| found.object == *object));
        }
    }
    for labelled in own.iter().filter(|labelled| !labelled.is_deleting) {
        delete(api, labelled, false).await?;
    }
    wait_until_gone(api, &own, deadline).await?;
    Ok(Cleaned { removed: sorted(own), spared: Vec::new() })
}

fn sorted(labelled: Vec<Labelled>) -> Vec<CreatedObject> {
    let mut objects: Vec<_> = labelled.into_iter().map(|labelled| labelled.object).collect();
    objects.sort();
    objects
}

type Selection = (Vec<Labelled>, Vec<(String, Timestamp)>);

async fn select(api: &Client, scope: &CleanScope, now: Timestamp) -> Result<Selection, TargetError> {
    match scope {
        CleanScope::Run(run) => {
            check_run_id(run)?;
            let own = labelled(api, Some(run), now).await?;
            match by_run(&own).first() {
                Some(leftovers) if leftovers.is_alive(now) => {
                    Err(TargetError::RunAlive { run: run.clone(), until: format!("{:.0}", leftovers.alive_until) })
                }
                _ => Ok((own, Vec::new())),
            }
        }
        CleanScope::OlderThan(age) => {
            let all = labelled(api, None, now).await?;
            let oldest = now.checked_sub(*age).unwrap_or(Timestamp::MIN);
            let (mut old, mut spared) = (Vec::new(), Vec::new());
            for leftovers in by_run(&all) {
                if leftovers.is_alive(now) {
                    spared.push((leftovers.run, leftovers.alive_until));
                } else if leftovers.alive_until <= oldest {
                    old.push(leftovers.run);
                }
            }
            let selected = all.into_iter().filter(|labelled| old.contains(&labelled.run)).collect();
            Ok((selected, spared))
        }
    }
}

/// Deletes one object; `false` means that it was replaced or changed since it was read.
async fn delete(api: &Client, labelled: &Labelled, unchanged: bool) -> Result<bool, TargetError> {
    let mut options = json!({ "kind": "DeleteOptions", "apiVersion": "v1" });
    if let Some(uid) = &labelled.uid {
        options["preconditions"]["uid"] = json!(uid);
    }
    if let (true, Some(version)) = (unchanged, &labelled.resource_version) {
        options["preconditions"]["resourceVersion"] = json!(version);
    }
    let answer = api.delete(&labelled.object.path(), Some(&options)).await?;
    match answer.status {
        StatusCode::CONFLICT => Ok(false),
        StatusCode::NOT_FOUND => Ok(true),
        status if status.is_success() => Ok(true),
        _ => Err(answer.refusal()),
    }
}

async fn wait_until_gone(api: &Client, doomed: &[Labelled], limit: Duration) -> Result<(), TargetError> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(20);
    let mut next_release = RELEASE_AFTER;
    let mut left: Vec<&Labelled> = doomed.iter().collect();
    loop {
        let mut still = Vec::new();
        for labelled in left {
            // A server that answers slowly must not stretch the limit by the time for each of many objects.
            if begun.elapsed() >= limit || is_there(api, labelled).await? {
                still.push(labelled);
            }
        }
        left = still;
        if left.is_empty() {
            return Ok(());
        }
        if begun.elapsed() >= limit {
            let names: Vec<_> = left.iter().map(|labelled| labelled.object.name.as_str()).collect();
            return Err(TargetError::StillThere { names: names.join(", "), waited: begun.elapsed().as_secs() });
        }
        if begun.elapsed() >= next_release {
            next_release *= 2;
            for labelled in &left {
                release(api, labelled).await?;
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(500));
    }
}

async fn is_there(api: &Client, labelled: &Labelled) -> Result<bool, TargetError> {
    let found = present(api, &labelled.object).await?;
    // The same name with another uid is another object.
    Ok(found.is_some_and(|body| body["metadata"]["uid"].as_str().unwrap_or_default() == labelled.uid_or_empty()))
}

/// The body of an object, unless there is none.
async fn present(api: &Client, object: &CreatedObject) -> Result<Option<Value>, TargetError> {
    let answer = api.get(&object.path()).await?;
    if matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE) {
        return Ok(None);
    }
    Ok(Some(answer.accepted()?).filter(|body| body["metadata"]["name"] == *object.name))
}

/// Removes the finalizers that block the deletion of an object: those of the instances of a definition, which only a
/// run can have created, and those that a run added to the object itself (LIFE-026). A definition that forbids the
/// former is loosened, for the next time.
async fn release(api: &Client, labelled: &Labelled) -> Result<(), TargetError> {
    let path = labelled.object.path();
    let now = api.get(&path).await?.json().unwrap_or_default();
    if labelled.object.resource.servers_finalizer.is_some() && release_instances(api, &now).await? {
        let mut patch = loosened(&now);
        if let Some(uid) = &labelled.uid {
            patch["metadata"] = json!({ "uid": uid });
        }
        api.merge_patch(&path, &patch).await?;
    }
    let is_the_servers = |name: &str| labelled.object.resource.servers_finalizer == Some(name);
    if !labelled.finalizers.iter().all(|name| is_the_servers(name)) {
        let names = now["metadata"]["finalizers"].as_array().into_iter().flatten();
        let kept: Value = names.filter(|name| name.as_str().is_some_and(is_the_servers)).cloned().collect();
        api.merge_patch(&path, &freed(&json!(labelled.uid), &kept)).await?;
    }
    Ok(())
}

/// Removes the finalizers of all instances of a definition. Returns whether the definition forbids it: an update is
/// invalid, or no version is served.
async fn release_instances(api: &Client, definition: &Value) -> Result<bool, TargetError> {
    let served = collections(definition);
    let mut is_forbidden = served.is_empty() && definition["spec"].is_object();
    for collection in served {
        let Ok(list) = api.get(&format!("{collection}?limit=500")).await?.accepted() else {
            continue;
        };
        for (path, item) in held(&collection, &list) {
            let mut written = api.merge_patch(&path, &freed(&item["metadata"]["uid"], &Value::Null)).await?;
            if lacks_patches(written.status.as_u16())
                && let Ok(object) = api.get(&path).await?.accepted()
            {
                written = api.put(&path, &released(object)).await?;
            }
            is_forbidden |= written.status == StatusCode::UNPROCESSABLE_ENTITY;
        }
    }
    Ok(is_forbidden)
}

/// The patch that leaves only these finalizers to the object with this uid, if it has one.
fn freed(uid: &Value, finalizers: &Value) -> Value {
    let mut patch = json!({ "metadata": { "finalizers": finalizers } });
    if uid.is_string() {
        patch["metadata"]["uid"] = uid.clone();
    }
    patch
}
