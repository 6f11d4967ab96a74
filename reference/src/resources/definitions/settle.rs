//! The registry of definitions, and the consequences of writing one: accepted names, conditions, the removal
//! of instances.
//!
//! The server settles these before it responds, so clients see no delay, unless a delay is configured ([`Pending`]).

use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard};
use std::time::Duration;

use crdible_semantics::definition::approval::{APPROVAL, Approval};
use crdible_semantics::definition::{Spec, Status};
use serde_json::Value;

use super::CLEANUP;
use super::live::{Definition, INSTALLING, Live, has_invalid_ca_bundle};
use super::pending::{Pending, SettlingStep, Task};
use super::tracked::track_controllers;
use super::unfinished::Unfinished;
use crate::base::locks::{lock, read, write};
use crate::engine::{Deletion, Engine, by_finalizers};
use crate::metadata::fields;
use crate::resources::controllers::{Controllers, TakenNames};
use crate::store::{Collection, Document, ListQuery, Stored};

/// The registry of all definitions.
pub(crate) struct Registry {
    pub(crate) engine: Arc<Engine>,
    pub(crate) controllers: Arc<dyn Controllers>,
    /// The definitions as stored.
    pub(crate) collection: Arc<dyn Collection>,
    /// The definitions that requests use.
    serving: RwLock<Live>,
    /// The definitions that discovery and `OpenAPI` show, if they are published with a delay.
    pub(super) published: RwLock<Live>,
    /// Steps that are not due yet; `None` without a delay.
    pub(super) pending: Option<Pending>,
    /// Definitions that are being deleted and whose objects could not be read.
    pub(super) unfinished: Unfinished,
    /// Held while names and conditions are decided: meanwhile, no definition of the group may change. It guards no data:
    /// if the controllers or the store panic, the next write of a definition is decided by what is stored and served.
    pub(super) settling: Mutex<()>,
}

/// When a definition with accepted names is established.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Establish {
    Now,
    Later,
}

impl Registry {
    /// Creates an empty registry. `delay` is the time before each step that follows a write; zero settles at once.
    pub(crate) fn new(
        engine: Arc<Engine>,
        controllers: Arc<dyn Controllers>,
        collection: Arc<dyn Collection>,
        delay: Duration,
    ) -> Self {
        let pending = (!delay.is_zero()).then(|| Pending::new(delay));
        let (serving, published, unfinished, settling) = Default::default();
        Self { engine, controllers, collection, serving, published, pending, unfinished, settling }
    }

    /// Loads the definitions that the store already holds.
    pub(crate) fn load(&self) {
        let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: None };
        for (name, _) in self.collection.list(&query).map(|page| page.items).unwrap_or_default() {
            self.settle(&name);
        }
        self.settle_all();
    }

    /// The definitions that discovery and `OpenAPI` show.
    pub(crate) fn live(&self) -> RwLockReadGuard<'_, Live> {
        let published = if self.pending.is_some() { &self.published } else { &self.serving };
        read(published)
    }

    /// The definition that serves a resource.
    pub(crate) fn find(&self, group: &str, plural: &str) -> Option<Arc<Definition>> {
        self.serving().find(group, plural).cloned()
    }

    /// The definitions that requests use, published or not.
    pub(crate) fn serving(&self) -> RwLockReadGuard<'_, Live> {
        read(&self.serving)
    }

    /// Settles a definition after it was written, or after one of its instances was removed; with a delay,
    /// schedules that.
    pub(crate) fn settle(&self, name: &str) {
        // A definition removed from the collection is still served.
        let written = || self.collection.get(name).or_else(|| Some(self.find_by_name(name)?.source.clone()));
        if let Some(pending) = &self.pending {
            if let Some(written) = written() {
                pending.schedule(self.engine.clock.now(), Task { step: SettlingStep::Names, written });
            }
        } else {
            let _alone = lock(&self.settling);
            if let Some(written) = written() {
                self.settle_names(written, Establish::Now);
            }
        }
    }

    /// Settles a definition and those affected by it. Returns them as they are served now, the given one first.
    pub(super) fn settle_names(&self, written: Stored, establish: Establish) -> Vec<Stored> {
        let Some(group) = written.object.name().split_once('.').map(|(_, group)| group.to_owned()) else {
            return Vec::new();
        };
        let (mut changed, settled) = self.settle_one(written, establish);
        let mut settled = vec![settled];
        // Names may have become free for definitions that wait for them (LIFE-011).
        while changed {
            let waiting: Vec<Arc<Definition>> =
                self.serving().group(&group).filter(|definition| !definition.names_accepted).cloned().collect();
            changed = false;
            for definition in waiting {
                let (has_changed, waited) = self.settle_one(definition.source.clone(), establish);
                if has_changed {
                    changed = true;
                    settled.push(waited);
                }
            }
        }
        settled
    }

    /// Settles one definition as it was written. Returns whether names or conditions changed, and the definition as
    /// served now.
    fn settle_one(&self, mut written: Stored, establish: Establish) -> (bool, Stored) {
        let name = written.object.name().to_owned();
        let name = name.as_str();
        let Some((plural, group)) = name.split_once('.') else {
            return (false, written);
        };
        loop {
            let before = self.find_by_name(name);
            let stored = self.collection.get(name).filter(|stored| is_same_definition(&stored.object, &written.object));
            let Some(stored) = stored else {
                let was_served =
                    before.is_some_and(|before| is_same_definition(&before.source.object, &written.object));
                if was_served {
                    self.stop_serving(group, plural);
                }
                return (was_served, written);
            };
            if before.as_ref().is_some_and(|before| before.source.revision > written.revision) {
                return (false, written);
            }
            if let Some(begun) = self.beginning_clean_up(&stored) {
                match self.collection.replace(name, stored.revision, begun) {
                    Ok(begun) if stored.revision == written.revision => written = begun,
                    Ok(_) | Err(_) => {}
                }
                continue;
            }
            let mut object = stored.object.value().into_owned();
            if fields::is_terminating(&written.object.value())
                && self.clean_up(&mut object, &*self.engine.store.collection(name))
            {
                if self.collection.remove(name, stored.revision).is_err() {
                    continue;
                }
                self.engine.store.forget(name);
                self.stop_serving(group, plural);
                return (true, written);
            }
            let is_latest = stored.revision == written.revision;
            let older = if is_latest {
                self.accept_names(&mut object, group, plural, establish);
                None
            } else {
                let mut older = with_status(&written.object, &object);
                self.accept_names(&mut older, group, plural, establish);
                write_status(&mut object, &Status::of(&older));
                Some(older)
            };
            let changed = object != *stored.object.value();
            let stored = if changed {
                track_controllers(&self.engine.semantics, self.engine.now(), &stored.object.value(), &mut object);
                match self.collection.replace(name, stored.revision, Document::tree(object)) {
                    Ok(stored) => stored,
                    Err(_) => continue,
                }
            } else {
                stored
            };
            let source = match older {
                None => stored,
                Some(older) => Stored { revision: written.revision, object: Document::tree(older) },
            };
            self.serve(self.compile(name, source.clone(), before.as_deref()));
            return (changed, source);
        }
    }

    /// The definition with this name that requests use.
    pub(super) fn find_by_name(&self, name: &str) -> Option<Arc<Definition>> {
        let (plural, group) = name.split_once('.')?;
        self.find(group, plural)
    }

    pub(super) fn compile(&self, name: &str, source: Stored, before: Option<&Definition>) -> Arc<Definition> {
        let (instances, revision) = (self.engine.store.collection(name), self.engine.store.revision());
        Arc::new(Definition::compile(source, &self.engine.semantics, &self.engine, instances, before, revision))
    }

    /// Serves a definition from now on. Ends the life of the one that it replaces, unless it continues that life.
    fn serve(&self, definition: Arc<Definition>) {
        let life = definition.life.clone();
        let before = write(&self.serving).insert(definition);
        if let Some(before) = before.filter(|before| !before.life.is(&life)) {
            before.end();
        }
    }

    fn stop_serving(&self, group: &str, plural: &str) {
        let removed = write(&self.serving).remove(group, plural);
        if let Some(removed) = removed {
            removed.end();
        }
    }

    /// Decides the accepted names and the conditions about them (LIFE-002, LIFE-006, LIFE-008, LIFE-010).
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
            } else if has_invalid_ca_bundle(&spec, &self.engine.semantics) {
                (false, "InvalidCABundle", "The conversion webhook CABundle is invalid")
            } else {
                (true, "InitialNamesAccepted", "the initial names have been accepted")
            };
            status.set_condition("Established", established, reason, message, &now);
        }
        if self.engine.semantics.is_protected_group(group) {
            let (approved, reason, message) = approval(object);
            status.set_condition("KubernetesAPIApprovalPolicyConformant", approved, reason, &message, &now);
        }
        write_status(object, &status);
    }

    /// What a definition that is being deleted shows before its instances are removed, however few they are: that this
    /// has begun (LIFE-014). None if it shows that already, or more.
    fn beginning_clean_up(&self, stored: &Stored) -> Option<Document> {
        let mut object = stored.object.value().into_owned();
        let mut status = Status::of(&object);
        let conditions = object["status"]["conditions"].as_array().map_or(&[][..], Vec::as_slice);
        let is_pending = conditions.iter().any(|condition| condition["reason"] == "InstanceDeletionPending")
            && fields::finalizers(&object).any(|finalizer| finalizer == CLEANUP);
        is_pending.then(|| {
            let (now, message) = (self.engine.now(), "CustomResource deletion is in progress");
            status.set_condition("Terminating", true, "InstanceDeletionInProgress", message, &now);
            write_status(&mut object, &status);
            track_controllers(&self.engine.semantics, now, &stored.object.value(), &mut object);
            Document::tree(object)
        })
    }

    /// Removes the instances of a definition that is being deleted (LIFE-015, LIFE-016, LIFE-023, LIFE-026). Returns
    /// whether the definition itself can be removed now.
    fn clean_up(&self, object: &mut Value, instances: &dyn Collection) -> bool {
        let finalizers: Vec<String> = fields::finalizers(object).map(str::to_owned).collect();
        if !finalizers.iter().any(|finalizer| finalizer == CLEANUP) {
            return finalizers.is_empty();
        }
        let mut status = Status::of(object);
        let now = self.engine.now();
        let established = status.is_true("Established");
        if established && let Some(why) = self.unreadable(object, instances) {
            let (reason, message) = if why.is_empty() {
                ("InstanceDeletionInProgress", "CustomResource deletion is in progress".to_owned())
            } else {
                ("InstanceDeletionFailed", format!("could not list instances: {why}"))
            };
            status.set_condition("Terminating", true, reason, &message, &now);
            write_status(object, &status);
            self.unfinished.add(fields::text(object, "name"));
            return false;
        }
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
        let is_removable = others.is_empty();
        fields::set_finalizers(object, others);
        is_removable
    }
}

/// The approval condition of a definition in a protected group: status, reason and message (LIFE-013).
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

/// Deletes all objects whose key starts with the prefix, respecting finalizers. Returns whether all are gone.
pub(crate) fn delete_all(instances: &dyn Collection, prefix: &str, now: &str) -> bool {
    let query = ListQuery { prefix, after: None, revision: None, limit: 0, keep: None };
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

/// Whether both are the same definition, not a deleted one and its successor with the same name (LIFE-019).
pub(super) fn is_same_definition(one: &Document, other: &Document) -> bool {
    fields::text(&one.value(), "uid") == fields::text(&other.value(), "uid")
}

/// The definition as written, with its current status.
pub(super) fn with_status(written: &Document, now: &Value) -> Value {
    let mut object = written.value().into_owned();
    write_status(&mut object, &Status::of(now));
    object
}

pub(super) fn write_status(object: &mut Value, status: &Status) {
    if let Some(root) = object.as_object_mut() {
        root.insert("status".into(), status.to_json());
    }
}
