//! In-memory storage: a map per collection, and a bounded history of its writes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use tokio::sync::watch;

use super::shelf::{Shelf, selected};
use super::{Change, Changes, Collection, Compacted, Document, ListQuery, Occupied, Page, Stale, Store, Stored};
use crate::base::locks::{read, write};

/// A store in memory. Its content is lost when it is dropped.
#[derive(Debug)]
pub struct MemoryStore {
    revision: Arc<AtomicU64>,
    history: usize,
    /// The latest revision at which a collection was forgotten; 0 if none was.
    forgotten: AtomicU64,
    collections: RwLock<HashMap<String, Arc<MemoryCollection>>>,
}

impl MemoryStore {
    /// An empty store that remembers the last `history` writes of each collection.
    pub fn new(history: usize) -> Self {
        Self {
            revision: Arc::new(AtomicU64::new(1)),
            history,
            forgotten: AtomicU64::new(0),
            collections: RwLock::default(),
        }
    }
}

impl Store for MemoryStore {
    fn collection(&self, name: &str) -> Arc<dyn Collection> {
        if let Some(known) = read(&self.collections).get(name) {
            return Arc::clone(known) as Arc<dyn Collection>;
        }
        let mut collections = write(&self.collections);
        let collection = collections.entry(name.to_owned()).or_insert_with(|| {
            let (begin, forgotten) = (self.revision.load(Ordering::SeqCst), self.forgotten.load(Ordering::SeqCst));
            Arc::new(MemoryCollection {
                counter: Arc::clone(&self.revision),
                latest: watch::Sender::new(0),
                // Before the revision that was forgotten last, another collection with this name may have existed.
                shelf: RwLock::new(Shelf::new(BTreeMap::new(), self.history, begin, forgotten)),
            })
        });
        Arc::clone(collection) as Arc<dyn Collection>
    }

    fn forget(&self, name: &str) {
        if write(&self.collections).remove(name).is_some() {
            self.forgotten.fetch_max(self.revision(), Ordering::SeqCst);
        }
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }
}

/// A collection. It is locked while a revision is assigned, so that revisions within a collection grow in the order of
/// writes. Writers call no code of others while they hold the lock.
#[derive(Debug)]
struct MemoryCollection {
    counter: Arc<AtomicU64>,
    /// The revision of the latest write; watchers subscribe to it.
    latest: watch::Sender<u64>,
    shelf: RwLock<Shelf>,
}

impl MemoryCollection {
    /// The revision of the next write. Requires the lock.
    fn next_revision(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn write(&self, shelf: &mut Shelf, change: Change) {
        let revision = change.revision;
        shelf.change(change);
        self.latest.send_replace(revision);
    }
}

impl Collection for MemoryCollection {
    fn get(&self, key: &str) -> Option<Stored> {
        read(&self.shelf).get(key).map(|(_, stored)| stored.clone())
    }

    fn insert(&self, key: &str, object: Document) -> Result<Stored, Occupied> {
        let mut shelf = write(&self.shelf);
        if let Some((_, by)) = shelf.get(key) {
            return Err(Occupied { by: by.clone() });
        }
        let stored = Stored { revision: self.next_revision(), object };
        let after = Some(stored.clone());
        self.write(&mut shelf, Change { revision: stored.revision, key: Arc::from(key), before: None, after });
        Ok(stored)
    }

    fn replace(&self, key: &str, expected: u64, object: Document) -> Result<Stored, Stale> {
        let mut shelf = write(&self.shelf);
        let (key, before) = shelf.get(key).filter(|(_, before)| before.revision == expected).ok_or(Stale)?;
        let (key, before) = (Arc::clone(key), Some(before.clone()));
        let stored = Stored { revision: self.next_revision(), object };
        let after = Some(stored.clone());
        self.write(&mut shelf, Change { revision: stored.revision, key, before, after });
        Ok(stored)
    }

    fn remove(&self, key: &str, expected: u64) -> Result<u64, Stale> {
        let mut shelf = write(&self.shelf);
        let (key, before) = shelf.get(key).filter(|(_, before)| before.revision == expected).ok_or(Stale)?;
        let (key, before) = (Arc::clone(key), Some(before.clone()));
        let revision = self.next_revision();
        self.write(&mut shelf, Change { revision, key, before, after: None });
        Ok(revision)
    }

    fn list(&self, query: &ListQuery<'_>) -> Result<Page, Compacted> {
        let part = {
            let shelf = read(&self.shelf);
            shelf.part(query, self.counter.load(Ordering::SeqCst))?
        };
        Ok(selected(part, query))
    }

    fn changes(&self, after: u64, limit: usize) -> Result<Changes, Compacted> {
        let shelf = read(&self.shelf);
        // A writer holds the lock, so no write with a smaller revision can follow.
        shelf.changes(after, limit, self.counter.load(Ordering::SeqCst))
    }

    fn writes(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    fn len(&self) -> usize {
        read(&self.shelf).len()
    }
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tree(value: Value) -> Document {
        Document::tree(value)
    }

    fn names(collection: &dyn Collection, revision: Option<u64>) -> Result<Vec<String>, Compacted> {
        let query = ListQuery { prefix: "", after: None, revision, limit: 0, keep: None };
        let page = collection.list(&query)?;
        Ok(page.items.iter().map(|(key, stored)| format!("{key}={:?}", stored.object)).collect())
    }

    #[test]
    fn rest_027_earlier_states_are_available_within_the_history() {
        let store = MemoryStore::new(3);
        let collection = store.collection("things");
        let a = collection.insert("a", tree(json!(1))).unwrap();
        let b = collection.insert("b", tree(json!(2))).unwrap();
        let changed = collection.replace("a", a.revision, tree(json!(3))).unwrap();
        let removal = collection.remove("b", b.revision).unwrap();
        assert_eq!(names(&*collection, None).unwrap(), ["a=3"]);
        assert_eq!(names(&*collection, Some(removal)).unwrap(), ["a=3"]);
        assert_eq!(names(&*collection, Some(changed.revision)).unwrap(), ["a=3", "b=2"]);
        assert_eq!(names(&*collection, Some(b.revision)).unwrap(), ["a=1", "b=2"]);
        assert_eq!(names(&*collection, Some(a.revision)).unwrap(), ["a=1"]);
        names(&*collection, Some(a.revision - 1)).unwrap_err();
    }

    #[test]
    fn rest_026_a_collection_is_empty_before_it_was_created() {
        let store = MemoryStore::new(9);
        store.collection("others").insert("a", tree(json!(1))).unwrap();
        let collection = store.collection("things");
        let inserted = collection.insert("a", tree(json!(2))).unwrap();
        for revision in 1..inserted.revision {
            assert!(names(&*collection, Some(revision)).unwrap().is_empty());
        }
        collection.changes(1, 9).expect_err("a watch cannot start before the collection (REST-065)");
        store.forget("things");
        let again = store.collection("things");
        names(&*again, Some(inserted.revision - 1)).expect_err("the state of a forgotten collection is unknown");
        assert!(names(&*again, Some(store.revision())).unwrap().is_empty());
    }

    #[test]
    fn rest_042_only_the_expected_revision_is_replaced() {
        let collection = MemoryStore::new(9).collection("things");
        let first = collection.insert("a", tree(json!(1))).unwrap();
        let second = collection.replace("a", first.revision, tree(json!(2))).unwrap();
        collection.replace("a", first.revision, tree(json!(3))).unwrap_err();
        collection.remove("a", first.revision).unwrap_err();
        assert!(second.revision > first.revision);
        assert_eq!(collection.get("a").unwrap().object, tree(json!(2)));
    }

    #[test]
    fn rest_024_pages_follow_each_other() {
        let collection = MemoryStore::new(9).collection("things");
        for key in ["n/a", "n/b", "n/c", "o/a"] {
            collection.insert(key, tree(json!(key))).unwrap();
        }
        let list = |prefix, after, limit| {
            let query = ListQuery { prefix, after, revision: None, limit, keep: None };
            let page = collection.list(&query).unwrap();
            (page.items.iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>(), page.behind)
        };
        assert_eq!(list("n/", None, 2), (vec!["n/a".into(), "n/b".into()], 1));
        assert_eq!(list("n/", Some("n/b"), 2), (vec!["n/c".into()], 0));
        assert_eq!(list("", Some("n/b"), 0), (vec!["n/c".into(), "o/a".into()], 0));
        assert_eq!(list("m/", None, 0), (vec![], 0));
    }
}
