//! Removing what a run created.

use std::{collections::BTreeSet, time::Duration};

use crdible_scenario::Method;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::Instant;

use super::{
    created::{AT_ONCE, Created},
    definitions::Definitions,
    removals::release,
    sender::Sender,
    waits::Waits,
    wire::{Incoming, Outgoing},
};
use crate::{
    connection::{Stopwatch, within},
    created::{CREATED, CreatedObject, CreatedResource, collections, held, loosened},
};

/// What clean-up waits for, by the name under which [`Waits`] knows it.
const GONE: &str = "a deleted definition is gone";

/// The `Accept` header of a list that needs only names.
const ONLY_METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/// After this time, and again after twice as long, the remaining definitions
/// are searched for instances that cannot be removed.
const RELEASE_AFTER: Duration = Duration::from_secs(1);

/// The first pause before what remains is deleted again; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest such pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Removes everything that a run created.
#[derive(Debug)]
pub(super) struct CleanUp<'a> {
    created: &'a Created,
    sender: &'a Sender,
    waits: &'a Waits,
}

impl<'a> CleanUp<'a> {
    /// Of the run with these definitions.
    pub(super) fn new(definitions: &'a Definitions) -> Self {
        Self { created: &definitions.created, sender: &definitions.sender, waits: &definitions.waits }
    }

    /// Removes it, including what executions left that were dropped, and waits until it is gone. Returns what still
    /// exists when patience ends, or all if the target does not answer.
    pub(super) async fn run(&self) -> Vec<CreatedObject> {
        if !self.answers_again().await {
            return self.created.all();
        }
        // Wait for creations in flight: what is deleted before the server creates it would stay.
        let _ = within(self.waits.patience(), self.created.all_created()).await;
        let mut listed = Vec::new();
        for resource in CREATED {
            if self.list_shows_all(resource).await {
                listed.push(resource);
            }
        }
        let mut progressed = Stopwatch::start();
        let mut pause = FIRST_PAUSE;
        let (begun, mut next_release) = (Instant::now(), RELEASE_AFTER);
        loop {
            let before = self.created.all();
            // A long list takes time: give up once no more of them disappear.
            let is_late = |progressed: &mut Stopwatch| progressed.lap() > self.waits.limit(GONE);
            for some in before.chunks(AT_ONCE) {
                // Deleted again each time: the server may have been unavailable.
                join_all(some.iter().map(|object| self.created.delete(object))).await;
                let unlisted: Vec<_> = some.iter().filter(|object| !listed.contains(&object.resource)).collect();
                if unlisted.is_empty() {
                    continue;
                }
                if join_all(unlisted.into_iter().map(|object| self.created.is_gone(object))).await.contains(&true) {
                    self.waits.came(GONE, progressed.elapsed());
                    progressed = Stopwatch::start();
                } else if is_late(&mut progressed) {
                    break;
                }
            }
            for resource in &listed {
                if self.forget_unlisted(*resource).await {
                    self.waits.came(GONE, progressed.elapsed());
                    progressed = Stopwatch::start();
                }
            }
            let left = self.created.all();
            if left.is_empty() || is_late(&mut progressed) || !self.answers_again().await {
                return left;
            }
            if begun.elapsed() >= next_release {
                next_release *= 2;
                for some in left.chunks(AT_ONCE) {
                    join_all(some.iter().map(|object| self.release_instances(object))).await;
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Whether the target answers at all.
    async fn answers_again(&self) -> bool {
        self.sender.answers_again(self.waits.patience()).await
    }

    /// Removes the finalizers of all instances of a definition, which keep it from being removed: no controller does
    /// (LIFE-016). Instances have some left if the answer to their creation or removal was lost, or their scenario was
    /// dropped. If the definition forbids it, it is loosened, for the next time. Errors are ignored.
    async fn release_instances(&self, object: &CreatedObject) {
        let Ok(definition) = self.sender.send(&Outgoing::new(Method::Get, object.path())).await else { return };
        let served = collections(&definition.body);
        let mut is_forbidden = served.is_empty();
        for collection in served {
            let Ok(list) = self.sender.send(&Outgoing::new(Method::Get, collection.as_str())).await else { continue };
            for (path, _) in held(&collection, &list.body) {
                let written = release(self.sender, &path).await;
                is_forbidden |= written.is_ok_and(|written| written.status == 422);
            }
            // One version shows them all.
            if list.is_accepted() {
                break;
            }
        }
        if is_forbidden && definition.is_accepted() && object.resource.servers_finalizer.is_some() {
            let patch = Outgoing::new(Method::MergePatch, object.path()).with_body(&loosened(&definition.body));
            let _ = self.sender.send(&patch).await;
        }
    }

    /// Whether one list can replace a request for each object of a resource: it must contain all objects that were not
    /// deleted yet, except a few that really do not exist. Those that it does not contain are then forgotten.
    async fn list_shows_all(&self, resource: CreatedResource) -> bool {
        let Some(listed) = self.listed(resource).await else { return false };
        let present = self.created.present().into_iter().filter(|object| object.resource == resource);
        let (shown, missing): (Vec<_>, Vec<_>) = present.partition(|object| listed.contains(&object.name));
        if shown.is_empty() || missing.len() > AT_ONCE {
            return false;
        }
        let are_gone = join_all(missing.iter().map(|object| self.created.is_gone(object))).await;
        let shows_all = !are_gone.contains(&false);
        if shows_all {
            self.created.retain(resource, &listed);
        }
        shows_all
    }

    /// Forgets the objects of a resource that its list no longer shows. Returns whether there are some.
    async fn forget_unlisted(&self, resource: CreatedResource) -> bool {
        let Some(listed) = self.listed(resource).await else { return false };
        self.created.retain(resource, &listed)
    }

    /// The names of all objects of a resource, if the target lists them: also of those that have lost the label of the
    /// run.
    async fn listed(&self, resource: CreatedResource) -> Option<BTreeSet<String>> {
        let list = Outgoing { accept: Some(ONLY_METADATA.to_owned()), ..Outgoing::new(Method::Get, resource.path) };
        let answer = self.sender.send(&list).await.ok().filter(Incoming::is_accepted)?;
        let name = |item: &Value| item.pointer("/metadata/name").and_then(Value::as_str).map(str::to_owned);
        match answer.body.get("items")? {
            Value::Array(items) => Some(items.iter().filter_map(name).collect()),
            // kube-apiserver writes an empty list of metadata like this.
            Value::Null => Some(BTreeSet::new()),
            _ => None,
        }
    }
}
