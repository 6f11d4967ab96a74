//! What a run created, so that none of it is left behind: remembering it, and removing it again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crdible_scenario::Method;
use serde_json::{Value, json};
use tokio::{sync::RwLock, time::Instant};

use super::{
    error::ExecutionError,
    sender::Sender,
    wire::{Incoming, Outgoing},
};
use crate::{
    created::{CreatedObject, CreatedResource},
    marks::{ALIVE_UNTIL, alive_until},
};

/// With at least this many deletions outstanding, each further deletion
/// checks an earlier one; the clean-up lists the rest.
const MANY_DELETED: usize = 256;

/// Objects that are looked for or removed at once.
pub(super) const AT_ONCE: usize = 16;

/// For so long a creation may still arrive after the connection ended, or a gateway gave up: the object is looked for
/// although the server does not have it.
const STILL_ON_ITS_WAY: Duration = Duration::from_secs(1);

/// What a run created.
#[derive(Debug)]
pub(super) struct Created {
    sender: Arc<Sender>,
    /// Everything that may be on the server, including what a dropped execution leaves.
    records: Mutex<BTreeMap<CreatedObject, Record>>,
    /// Held by requests that create something and have no answer yet. They outlive a dropped execution.
    creating: Arc<RwLock<()>>,
}

/// What is known of an object that a run created.
#[derive(Clone, Copy, Debug)]
struct Record {
    state: CreatedState,
    /// When the creation was sent, if it has no answer, or that of a gateway.
    unanswered: Option<Instant>,
}

impl Record {
    /// Of an object in this state, whose creation was answered.
    fn answered(state: CreatedState) -> Self {
        Self { state, unanswered: None }
    }

    /// Whether the creation may still arrive.
    fn is_on_its_way(&self) -> bool {
        self.unanswered.is_some_and(|sent| sent.elapsed() < STILL_ON_ITS_WAY)
    }
}

/// The state of an object that a run created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CreatedState {
    /// On the server.
    Present,
    /// Deleted, but perhaps not gone yet.
    Deleting,
}

impl Created {
    /// Nothing yet.
    pub(super) fn new(sender: Arc<Sender>) -> Self {
        Self { sender, records: Mutex::default(), creating: Arc::default() }
    }

    /// Sends a request that creates an object. An execution may be dropped at any await, and the server may still
    /// process the request later. So the object is recorded first, and the request outlives the execution: the clean-up
    /// can wait for its answer.
    pub(super) async fn create(&self, outgoing: Outgoing, object: CreatedObject) -> Result<Incoming, ExecutionError> {
        let record = Record { state: CreatedState::Present, unanswered: Some(Instant::now()) };
        self.records().insert(object.clone(), record);
        let answered = self.sender.send_to_the_end(outgoing, Arc::clone(&self.creating).read_owned()).await;
        if answered.as_ref().is_ok_and(|answer| answer.status < 500) {
            self.records().entry(object).and_modify(|record| record.unanswered = None);
        }
        answered
    }

    /// Waits until no creation is in flight.
    pub(super) async fn all_created(&self) {
        drop(self.creating.write().await);
    }

    /// This object is on the server, created by the run or by another client.
    pub(super) fn note(&self, object: CreatedObject) {
        self.records().entry(object).or_insert(Record::answered(CreatedState::Present));
    }

    /// An object is not on the server. One whose creation may still arrive is not forgotten.
    pub(super) fn forget(&self, object: &CreatedObject) {
        let mut records = self.records();
        if records.get(object).is_some_and(|record| !record.is_on_its_way()) {
            records.remove(object);
        }
    }

    /// Of a resource only the objects with these names may be on the server, and those whose creation may still arrive.
    /// Returns whether there were others.
    pub(super) fn retain(&self, resource: CreatedResource, names: &BTreeSet<String>) -> bool {
        let mut records = self.records();
        let before = records.len();
        records.retain(|object, record| {
            object.resource != resource || names.contains(&object.name) || record.is_on_its_way()
        });
        records.len() < before
    }

    /// Whether this object may be on the server.
    pub(super) fn has(&self, object: &CreatedObject) -> bool {
        self.records().contains_key(object)
    }

    /// All that may be on the server.
    pub(super) fn all(&self) -> Vec<CreatedObject> {
        self.records().keys().cloned().collect()
    }

    /// Those that were not deleted.
    pub(super) fn present(&self) -> Vec<CreatedObject> {
        self.in_state(CreatedState::Present)
    }

    fn in_state(&self, wanted: CreatedState) -> Vec<CreatedObject> {
        let records = self.records();
        records.iter().filter(|(_, record)| record.state == wanted).map(|(object, _)| object.clone()).collect()
    }

    /// Removes an object without waiting until it is gone. Errors are ignored: the clean-up of the run looks again.
    pub(super) async fn remove(&self, object: CreatedObject) {
        self.delete(&object).await;
        let deleting = self.in_state(CreatedState::Deleting);
        self.records()
            .entry(object)
            .and_modify(|record| record.state = CreatedState::Deleting)
            .or_insert(Record::answered(CreatedState::Deleting));
        // Checking one earlier removal each time keeps the list from growing in a long run.
        if deleting.len() >= MANY_DELETED {
            let turn = usize::try_from(self.sender.requests()).unwrap_or(0);
            self.is_gone(&deleting[turn % deleting.len()]).await;
        }
    }

    /// Deletes an object, whatever the answer is: it says nothing about whether the object is gone.
    pub(super) async fn delete(&self, object: &CreatedObject) {
        if let Ok(answer) = self.sender.send(&Outgoing::new(Method::Delete, object.path())).await {
            self.remove_finalizers(object, &answer.body).await;
        }
    }

    /// Removes the finalizers that a scenario added to an object, since no controller does. Errors are ignored.
    async fn remove_finalizers(&self, object: &CreatedObject, body: &Value) {
        let list = |pointer: &str| body.pointer(pointer).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let is_the_servers = |name: &&Value| object.resource.servers_finalizer.is_some_and(|own| **name == own);
        let (servers, added): (Vec<&Value>, Vec<&Value>) =
            list("/metadata/finalizers").iter().partition(is_the_servers);
        if added.is_empty() {
            return;
        }
        if object.resource.servers_finalizer.is_some() {
            // Every update of a definition is invalid while stored versions name a version that does not exist.
            let versions: Vec<&Value> = list("/spec/versions").iter().map(|version| &version["name"]).collect();
            self.patch(format!("{}/status", object.path()), &json!({ "status": { "storedVersions": versions } })).await;
        }
        self.patch(object.path(), &json!({ "metadata": { "finalizers": servers } })).await;
    }

    /// Whether an object that was deleted is gone; then it is forgotten.
    pub(super) async fn is_gone(&self, object: &CreatedObject) -> bool {
        let is_gone = self.is_absent(object).await;
        if is_gone {
            self.forget(object);
        }
        is_gone
    }

    /// Whether there is no such object; if the target does not answer, there is one.
    pub(super) async fn is_absent(&self, object: &CreatedObject) -> bool {
        let answer = self.sender.send(&Outgoing::new(Method::Get, object.path())).await;
        answer.is_ok_and(|answer| answer.status == 404)
    }

    /// Renews the heartbeat on one object, so that `doctor --clean` leaves the run alone. Errors are ignored: every
    /// change of a definition renews it, too.
    pub(super) async fn renew_heartbeat(&self) {
        if let Some(object) = self.present().first() {
            let annotations = json!({ ALIVE_UNTIL: alive_until(jiff::Timestamp::now()) });
            self.patch(object.path(), &json!({ "metadata": { "annotations": annotations } })).await;
        }
    }

    async fn patch(&self, path: String, patch: &Value) {
        let _ = self.sender.send(&Outgoing::new(Method::MergePatch, path).with_body(patch)).await;
    }

    fn records(&self) -> MutexGuard<'_, BTreeMap<CreatedObject, Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
