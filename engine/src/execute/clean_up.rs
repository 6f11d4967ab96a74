//! Removing the definitions of a run.

use std::{collections::BTreeSet, time::Duration};

use crdible_scenario::Method;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::Instant;

use super::{
    created::CreatedDefinitions,
    definitions::{AT_ONCE, Definitions},
    removals::without_finalizers,
    sender::Sender,
    stored::has_finalizers,
    waits::Waits,
    wire::{Incoming, Outgoing},
};
use crate::{
    connection::{Stopwatch, within},
    marks::{DEFINITIONS, object_path},
};

/// What clean-up waits for, by the name under which [`Waits`] knows it.
const GONE: &str = "a deleted definition is gone";

/// The `Accept` header of a list that needs no schemas.
const ONLY_METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/// After this time, and again after twice as long, the remaining definitions
/// are searched for objects that cannot be removed.
const RELEASE_AFTER: Duration = Duration::from_secs(1);

/// The first pause before the remaining definitions are deleted again; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest such pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Removes every definition that a run created.
#[derive(Debug)]
pub(super) struct CleanUp<'a> {
    definitions: &'a Definitions,
    created: &'a CreatedDefinitions,
    sender: &'a Sender,
    waits: &'a Waits,
}

impl<'a> CleanUp<'a> {
    /// Of these definitions.
    pub(super) fn new(definitions: &'a Definitions) -> Self {
        Self { definitions, created: &definitions.created, sender: &definitions.sender, waits: &definitions.waits }
    }

    /// Removes them, including those of executions that were dropped, and waits until they are gone. Returns the names
    /// of those that still exist when patience ends, or of all if the target does not answer.
    pub(super) async fn run(&self) -> Vec<String> {
        if !self.answers_again().await {
            return self.created.names();
        }
        // Wait for creations in flight: a definition deleted before the server creates it would stay.
        let _ = within(self.waits.patience(), self.created.all_created()).await;
        let lists = self.list_shows_all().await;
        let mut progressed = Stopwatch::start();
        let mut pause = FIRST_PAUSE;
        let (begun, mut next_release) = (Instant::now(), RELEASE_AFTER);
        loop {
            let before = self.created.names();
            // A long list takes time: give up once no more of them disappear.
            let is_late = |progressed: &mut Stopwatch| progressed.lap() > self.waits.limit(GONE);
            for some in before.chunks(AT_ONCE) {
                // Deleted again each time: the server may have been unavailable.
                join_all(some.iter().map(|name| self.definitions.delete(name))).await;
                if lists {
                    continue;
                }
                if join_all(some.iter().map(|name| self.definitions.is_gone(name))).await.contains(&true) {
                    self.waits.came(GONE, progressed.elapsed());
                    progressed = Stopwatch::start();
                } else if is_late(&mut progressed) {
                    break;
                }
            }
            if lists && self.forget_unlisted().await {
                self.waits.came(GONE, progressed.elapsed());
                progressed = Stopwatch::start();
            }
            let left = self.created.names();
            if left.is_empty() || is_late(&mut progressed) || !self.answers_again().await {
                return left;
            }
            if begun.elapsed() >= next_release {
                next_release *= 2;
                for some in left.chunks(AT_ONCE) {
                    join_all(some.iter().map(|name| self.release_objects(name))).await;
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

    /// Removes the finalizers of all objects of a definition, which keep it from being removed: no
    /// controller does (LIFE-016). Objects have some left if the answer to their creation or removal was
    /// lost, or their scenario was dropped. Errors are ignored.
    async fn release_objects(&self, name: &str) {
        let Ok(definition) = self.sender.send(&Outgoing::new(Method::Get, format!("{DEFINITIONS}/{name}"))).await
        else {
            return;
        };
        let spec = &definition.body["spec"];
        let (Some(group), Some(plural)) =
            (spec["group"].as_str(), spec.pointer("/names/plural").and_then(Value::as_str))
        else {
            return;
        };
        let versions = spec["versions"].as_array().into_iter().flatten().filter(|version| version["served"] == true);
        for version in versions.filter_map(|version| version["name"].as_str()) {
            let collection = format!("/apis/{group}/{version}/{plural}");
            let Ok(list) = self.sender.send(&Outgoing::new(Method::Get, collection.as_str())).await else { continue };
            for item in list.body["items"].as_array().into_iter().flatten().filter(|item| has_finalizers(item)) {
                if let Some(path) = object_path(&collection, &item["metadata"]) {
                    let _ = self.sender.send(&without_finalizers(&path)).await;
                }
            }
            // One version shows them all.
            if list.is_accepted() {
                return;
            }
        }
    }

    /// Whether one list can replace a request for each definition: it must contain all definitions that were not
    /// deleted yet, except a few that really do not exist. Those that it does not contain are then forgotten.
    async fn list_shows_all(&self) -> bool {
        let Some(listed) = self.listed().await else { return false };
        let (shown, missing): (Vec<String>, Vec<String>) =
            self.created.installed().into_iter().partition(|name| listed.contains(name));
        if shown.is_empty() || missing.len() > AT_ONCE {
            return false;
        }
        let are_gone = join_all(missing.iter().map(|name| self.definitions.is_gone(name))).await;
        let shows_all = !are_gone.contains(&false);
        if shows_all {
            self.created.retain(&listed);
        }
        shows_all
    }

    /// Forgets the definitions that the list no longer shows. Returns whether there are some.
    async fn forget_unlisted(&self) -> bool {
        let Some(listed) = self.listed().await else { return false };
        self.created.retain(&listed)
    }

    /// The names of all definitions, if the target lists them: also of those that have lost the label of the run.
    async fn listed(&self) -> Option<BTreeSet<String>> {
        let list = Outgoing { accept: Some(ONLY_METADATA.to_owned()), ..Outgoing::new(Method::Get, DEFINITIONS) };
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
