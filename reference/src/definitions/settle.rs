//! The definitions in force, and what follows from a write of one: accepted names, conditions, the removal of instances.
//!
//! The server settles before it answers, so clients see no delay; unless it is told to take its time ([`Pending`]).

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, SystemTime};

use crdible_semantics::Semantics;
use crdible_semantics::definition::approval::{APPROVAL, Approval};
use crdible_semantics::definition::{Spec, Status};
use serde_json::Value;

use super::CLEANUP;
use super::live::{Definition, INSTALLING, Live, has_broken_authorities, is_installing};
use super::pending::{Pending, Step, Task};
use super::tracked::note_controllers;
use crate::controllers::{Controllers, TakenNames};
use crate::deep;
use crate::engine::{Deletion, Engine, by_finalizers};
use crate::metadata::fields;
use crate::storage::{Collection, Document, ListQuery, Stored};

/// All definitions.
pub(crate) struct Registry {
    pub(crate) engine: Arc<Engine>,
    pub(crate) semantics: Arc<dyn Semantics>,
    pub(crate) controllers: Arc<dyn Controllers>,
    /// The definitions as stored.
    pub(crate) collection: Arc<dyn Collection>,
    /// What is served.
    serving: RwLock<Live>,
    /// What discovery and `OpenAPI` tell of it, if that comes later than serving it.
    published: RwLock<Live>,
    /// What is to be done later, if anything is done later at all.
    pending: Option<Pending>,
    /// Held while names and conditions are decided, which needs all definitions of a group to stand still.
    settling: Mutex<()>,
}

/// When a definition is established whose names are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Establish {
    Now,
    Later,
}

impl Registry {
    /// `delay`: how long each step behind a write takes; none at all if it is zero.
    pub(crate) fn new(
        engine: Arc<Engine>,
        semantics: Arc<dyn Semantics>,
        controllers: Arc<dyn Controllers>,
        collection: Arc<dyn Collection>,
        delay: Duration,
    ) -> Self {
        let pending = (!delay.is_zero()).then(|| Pending::new(delay));
        let (serving, published, settling) = Default::default();
        Self { engine, semantics, controllers, collection, serving, published, pending, settling }
    }

    /// Takes up the definitions that the store already holds.
    pub(crate) fn load(&self) {
        let all = |_: &Stored| true;
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: &all };
        for (name, _) in self.collection.list(&query).map(|page| page.items).unwrap_or_default() {
            self.settle(&name);
        }
        self.settle_all();
    }

    /// The definitions that discovery and `OpenAPI` tell of.
    pub(crate) fn live(&self) -> RwLockReadGuard<'_, Live> {
        let told = if self.pending.is_some() { &self.published } else { &self.serving };
        told.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The definition that serves a resource.
    pub(crate) fn find(&self, group: &str, plural: &str) -> Option<Arc<Definition>> {
        self.serving().find(group, plural).cloned()
    }

    fn serving(&self) -> RwLockReadGuard<'_, Live> {
        self.serving.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws all consequences of a write of a definition, or of the removal of one of its instances; with a delay, from then on.
    pub(crate) fn settle(&self, name: &str) {
        match &self.pending {
            Some(pending) => pending.put(self.engine.clock.now(), Step::Names, name),
            None => {
                let _alone = self.settling.lock().unwrap_or_else(PoisonError::into_inner);
                self.settle_names(name, Establish::Now);
            }
        }
    }

    /// Does what is due.
    pub(crate) fn catch_up(&self) {
        if let Some(pending) = &self.pending {
            let now = self.engine.clock.now();
            if pending.is_due(now) {
                self.work_off(|| pending.take(Some(now)));
            }
        }
    }

    /// Does all that is to be done, due or not.
    pub(crate) fn settle_all(&self) {
        if let Some(pending) = &self.pending {
            self.work_off(|| pending.take(None));
        }
    }

    /// Does what is due, when it is due.
    pub(crate) async fn settle_in_time(&self) -> Infallible {
        let Some(pending) = &self.pending else {
            return std::future::pending().await;
        };
        let mut first = pending.first();
        loop {
            let due = *first.borrow_and_update();
            let time_comes = async {
                match due {
                    Some(due) => {
                        let left = due.duration_since(self.engine.clock.now()).unwrap_or_default();
                        tokio::time::sleep(left).await;
                    }
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Its sender is in this registry.
                _ = first.changed() => {}
                () = time_comes => self.catch_up(),
            }
        }
    }

    /// Does the steps that are given until there are no more.
    fn work_off(&self, next: impl Fn() -> Option<(SystemTime, Task)>) {
        let work = || {
            let _alone = self.settling.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some((due, task)) = next() {
                for name in self.take_step(&task) {
                    if let (Some(pending), Some(step)) = (&self.pending, task.step.next()) {
                        pending.put(due, step, &name);
                    }
                }
            }
        };
        if self.engine.depth.is_somewhere() {
            deep::on_deep_stack(work);
        } else {
            work();
        }
    }

    /// Takes one step; the definitions with these names are ready for the next one.
    fn take_step(&self, task: &Task) -> Vec<String> {
        let name = &task.name;
        match task.step {
            Step::Names => self.settle_names(name, Establish::Later),
            Step::Establishment => {
                let stored = self.collection.get(name);
                if stored.is_some_and(|stored| is_installing(&Status::of(&stored.object.value()))) {
                    self.settle_names(name, Establish::Now);
                }
                vec![name.clone()]
            }
            Step::Publication => {
                self.publish(name);
                Vec::new()
            }
        }
    }

    /// Makes what is served known.
    fn publish(&self, name: &str) {
        let Some((plural, group)) = name.split_once('.') else {
            return;
        };
        let found = self.find(group, plural);
        let mut published = self.published.write().unwrap_or_else(PoisonError::into_inner);
        match found {
            Some(definition) => published.put(definition),
            None => published.remove(group, plural),
        }
    }

    /// Settles a definition, and those that may be concerned by it; these are their names.
    fn settle_names(&self, name: &str, establish: Establish) -> Vec<String> {
        let Some((plural, group)) = name.split_once('.') else {
            return Vec::new();
        };
        let mut settled = vec![name.to_owned()];
        let mut changed = self.settle_one(name, group, plural, establish);
        // Names may have become free for those that wait for them (LIFE-011).
        while changed {
            let waiting: Vec<Arc<Definition>> =
                self.serving().group(group).filter(|definition| !definition.names_accepted).cloned().collect();
            changed = false;
            for definition in waiting {
                if self.settle_one(&definition.name, group, &definition.plural, establish) {
                    changed = true;
                    settled.push(definition.name.clone());
                }
            }
        }
        settled
    }

    /// Settles one definition; tells whether names or conditions changed.
    fn settle_one(&self, name: &str, group: &str, plural: &str, establish: Establish) -> bool {
        loop {
            let Some(stored) = self.collection.get(name) else {
                self.change(|live| live.remove(group, plural));
                return true;
            };
            let instances = self.engine.store.collection(name);
            let mut object = stored.object.value().into_owned();
            if fields::is_terminating(&object) && self.clean_up(&mut object, &*instances) {
                if self.collection.remove(name, stored.revision).is_err() {
                    continue;
                }
                self.engine.store.forget(name);
                self.change(|live| live.remove(group, plural));
                return true;
            }
            self.accept_names(&mut object, group, plural, establish);
            let changed = object != *stored.object.value();
            let stored = if changed {
                note_controllers(&*self.semantics, self.engine.now(), &stored.object.value(), &mut object);
                match self.collection.replace(name, stored.revision, Document::tree(object)) {
                    Ok(stored) => stored,
                    Err(_) => continue,
                }
            } else {
                stored
            };
            let before = self.find(group, plural);
            let revision = self.engine.store.revision();
            let definition = Definition::compile(&stored, &*self.semantics, instances, before.as_deref(), revision);
            self.change(|live| live.put(Arc::new(definition)));
            return changed;
        }
    }

    fn change(&self, change: impl FnOnce(&mut Live)) {
        change(&mut self.serving.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Decides names and the two conditions about them (LIFE-002, LIFE-006, LIFE-008, LIFE-010).
    fn accept_names(&self, object: &mut Value, group: &str, plural: &str, establish: Establish) {
        let (spec, mut status) = (Spec::of(object), Status::of(object));
        let mut taken = TakenNames::default();
        for other in self.serving().group(group).filter(|other| other.plural != plural) {
            taken.add(&other.accepted);
        }
        let decision = self.controllers.accept_names(&spec.names, &status.accepted_names, &taken);
        let now = self.engine.now();
        status.accepted_names = decision.accepted;
        match &decision.conflict {
            Some((reason, message)) => {
                status.set_condition("NamesAccepted", false, reason, message, &now);
            }
            None => status.set_condition("NamesAccepted", true, "NoConflicts", "no conflicts found", &now),
        }
        if !status.is_true("Established") {
            let (established, reason, message) = if decision.conflict.is_some() {
                (false, "NotAccepted", "not all names are accepted")
            } else if establish == Establish::Later {
                (false, INSTALLING, "the initial names have been accepted")
            } else if has_broken_authorities(&spec, &*self.semantics) {
                (false, "InvalidCABundle", "The conversion webhook CABundle is invalid")
            } else {
                (true, "InitialNamesAccepted", "the initial names have been accepted")
            };
            status.set_condition("Established", established, reason, message, &now);
        }
        if self.semantics.is_protected_group(group) {
            let (approved, reason, message) = approval(object);
            status.set_condition("KubernetesAPIApprovalPolicyConformant", approved, reason, &message, &now);
        }
        write_status(object, &status);
    }

    /// Removes the instances of a definition that is being deleted (LIFE-015, LIFE-016, LIFE-023, LIFE-026); tells whether
    /// the definition itself goes now.
    fn clean_up(&self, object: &mut Value, instances: &dyn Collection) -> bool {
        let finalizers: Vec<String> = fields::finalizers(object).map(str::to_owned).collect();
        if !finalizers.iter().any(|finalizer| finalizer == CLEANUP) {
            return finalizers.is_empty();
        }
        let mut status = Status::of(object);
        let now = self.engine.now();
        let established = status.is_true("Established");
        if established && !delete_all(instances, "", &now) {
            let message = "CustomResource deletion is in progress";
            status.set_condition("Terminating", true, "InstanceDeletionInProgress", message, &now);
            write_status(object, &status);
            return false;
        }
        let (reason, message) = if established {
            ("InstanceDeletionCompleted", "removed all instances")
        } else {
            ("NeverEstablished", "resource was never established")
        };
        status.set_condition("Terminating", false, reason, message, &now);
        write_status(object, &status);
        let others: Vec<String> = finalizers.into_iter().filter(|finalizer| finalizer != CLEANUP).collect();
        let goes = others.is_empty();
        fields::set_finalizers(object, others);
        goes
    }
}

/// What is said about the approval of a definition in a protected group (LIFE-013).
fn approval(definition: &Value) -> (bool, &'static str, String) {
    let annotation = definition["metadata"]["annotations"][APPROVAL].as_str().unwrap_or_default();
    match Approval::of(definition) {
        Approval::Approved => (true, "ApprovedAnnotation", format!("approved in {annotation}")),
        Approval::Bypassed => (false, "UnapprovedAnnotation", format!("not approved: {annotation:?}")),
        Approval::Broken => {
            let advice = "with either a URL or a reason starting with \"unapproved\"";
            (
                false,
                "InvalidAnnotation",
                format!("protected groups must have approval annotation {APPROVAL:?} {advice}"),
            )
        }
        Approval::Missing => {
            (false, "MissingAnnotation", format!("protected groups must have approval annotation {APPROVAL:?}"))
        }
    }
}

/// Deletes all objects whose key starts with the prefix, finalizers respected; tells whether none is left.
pub(crate) fn delete_all(instances: &dyn Collection, prefix: &str, now: &str) -> bool {
    let all = |_: &Stored| true;
    let query = ListQuery { prefix, after: None, revision: None, limit: 0, keep: &all };
    let Ok(page) = instances.list(&query) else {
        return false;
    };
    let mut none_left = true;
    for (key, _) in page.items {
        while let Some(stored) = instances.get(&key) {
            let done = match by_finalizers(&stored.object.value(), None, now) {
                Deletion::Remove => instances.remove(&key, stored.revision).is_ok(),
                Deletion::Keep(marked) => {
                    none_left = false;
                    instances.replace(&key, stored.revision, stored.object.replaced(marked)).is_ok()
                }
                Deletion::Unchanged => {
                    none_left = false;
                    true
                }
            };
            if done {
                break;
            }
        }
    }
    none_left
}

pub(super) fn write_status(object: &mut Value, status: &Status) {
    if let Some(root) = object.as_object_mut() {
        root.insert("status".into(), status.to_json());
    }
}
