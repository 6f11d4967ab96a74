//! A copy of a collection in which all objects are at one version, and their changes since it was made.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crdible_semantics::json::depth;
use serde_json::Value;
use tokio::sync::watch;

use crate::base::locks::{read, write};
use crate::metadata::fields;
use crate::store::{Change, Changes, Compacted, Document, Life, ListQuery, Page, Reading, Shelf, Stored, selected};

/// How many changes are remembered.
const HISTORY: usize = 1000;
/// The deepest object that is kept as a tree.
const SHALLOW: usize = 100;

/// An object at the version of a view.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) stored: Stored,
    /// The object, if its text loses something: that a number is a float (VALUE-005).
    exact: Option<Arc<Value>>,
}

impl Seen {
    /// An object as it was converted.
    pub(crate) fn new(object: Value, revision: u64, reading: Reading) -> Self {
        let document = Document::text(&object);
        document.mark_unchanged_by(reading);
        let exact = (has_whole_float(&object) && depth(&object) <= SHALLOW).then(|| Arc::new(object));
        Self { stored: Stored { revision, object: document }, exact }
    }

    /// The object with its `resourceVersion`.
    pub(crate) fn object(&self) -> Value {
        let Some(exact) = &self.exact else { return self.stored.object.with_revision(self.stored.revision) };
        let mut object = Value::clone(exact);
        fields::set(&mut object, "resourceVersion", self.stored.revision.to_string());
        object
    }
}

/// Whether there is a float that is written like an integer.
fn has_whole_float(object: &Value) -> bool {
    let mut open = vec![object];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|float| float.fract() == 0.0) => {
                return true;
            }
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// A copy of a collection with all its objects at one version, so that they are converted once and not by each read. A
/// view makes it when all objects can be converted, and gives it up when a change cannot be. It is complete up to a
/// revision, which grows with each change, and also while nothing changes.
pub(crate) struct Mirror {
    objects: RwLock<Objects>,
    until: AtomicU64,
    /// The revision of the latest change; watchers subscribe to it.
    latest: watch::Sender<u64>,
    life: Life,
}

struct Objects {
    shelf: Shelf,
    /// Those that the text of [`Shelf`] does not hold exactly.
    exact: BTreeMap<Arc<str>, Arc<Value>>,
}

impl Mirror {
    /// A mirror of these objects, which are all at this revision.
    pub(crate) fn new(objects: Vec<(Arc<str>, Seen)>, revision: u64) -> Self {
        let exact = objects.iter().filter_map(|(key, seen)| Some((Arc::clone(key), Arc::clone(seen.exact.as_ref()?))));
        let exact = exact.collect();
        let stored = objects.into_iter().map(|(key, seen)| (key, seen.stored)).collect();
        let shelf = Shelf::new(stored, HISTORY, revision, revision);
        Self {
            objects: RwLock::new(Objects { shelf, exact }),
            until: AtomicU64::new(revision),
            latest: watch::Sender::new(0),
            life: Life::begin(revision),
        }
    }

    /// The revision up to which it is complete.
    pub(crate) fn until(&self) -> u64 {
        self.until.load(Ordering::SeqCst)
    }

    /// The period in which it is complete. Watches end with it.
    pub(crate) fn life(&self) -> &Life {
        &self.life
    }

    /// The object under a key.
    pub(crate) fn get(&self, key: &str) -> Option<Seen> {
        let objects = self.read();
        let (_, stored) = objects.shelf.get(key)?;
        Some(Seen { stored: stored.clone(), exact: objects.exact.get(key).cloned() })
    }

    /// Lists a part, as it is or as it was at an earlier revision.
    pub(crate) fn list(&self, query: &ListQuery<'_>) -> Result<Page, Compacted> {
        let part = {
            let objects = self.read();
            objects.shelf.part(query, self.until())?
        };
        Ok(selected(part, query))
    }

    /// Returns the changes after a revision, oldest first, at most `limit`.
    pub(crate) fn changes(&self, after: u64, limit: usize) -> Result<Changes, Compacted> {
        let objects = self.read();
        objects.shelf.changes(after, limit, self.until())
    }

    /// Returns a receiver that is notified of each change.
    pub(crate) fn writes(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// Makes a change: an object is new or changed, or is removed.
    pub(crate) fn change(&self, key: &Arc<str>, revision: u64, after: Option<Seen>) {
        let mut objects = self.write();
        let before = objects.shelf.get(key).map(|(_, stored)| stored.clone());
        match after.as_ref().and_then(|seen| seen.exact.clone()) {
            Some(exact) => objects.exact.insert(Arc::clone(key), exact),
            None => objects.exact.remove(key),
        };
        let after = after.map(|seen| seen.stored);
        // What was removed before it was seen leaves no trace.
        if before.is_some() || after.is_some() {
            objects.shelf.change(Change { revision, key: Arc::clone(key), before, after });
        }
        self.until.fetch_max(revision, Ordering::SeqCst);
        drop(objects);
        self.latest.send_replace(revision);
    }

    /// There are no further changes up to this revision.
    pub(crate) fn complete(&self, until: u64) {
        let objects = self.read();
        self.until.fetch_max(until, Ordering::SeqCst);
        drop(objects);
    }

    fn read(&self) -> RwLockReadGuard<'_, Objects> {
        read(&self.objects)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Objects> {
        write(&self.objects)
    }
}
