//! The storage interface: collections of objects, with revisions from one counter.

mod document;
mod life;
mod memory;
mod mirror;
mod shelf;

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::watch;

pub use document::{Document, Reading};
pub(crate) use life::Life;
pub use memory::MemoryStore;
pub(crate) use mirror::{Mirror, Seen};
pub(crate) use shelf::{Shelf, selected};

/// The revision that a `resourceVersion` names, which has digits only: no sign, no fraction (REST-061).
pub(crate) fn revision(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A store of collections. Revisions are positive, unique per store, and grow with every write.
pub trait Store: Send + Sync {
    /// Returns the collection with this name (`<plural>.<group>`), and creates it if necessary.
    fn collection(&self, name: &str) -> Arc<dyn Collection>;

    /// Removes a collection with all its objects. Writes through remaining references to it are lost.
    fn forget(&self, name: &str);

    /// The revision of the latest write.
    fn revision(&self) -> u64;
}

/// The objects of a resource, sorted by the bytes of their keys (`<namespace>/<name>`, or `<name>`).
///
/// The writes of a collection happen in the order of their revisions (REST-020, REST-042).
pub trait Collection: Send + Sync {
    /// Returns the object under a key.
    fn get(&self, key: &str) -> Option<Stored>;

    /// Stores a new object under a key, or fails if the key is in use.
    fn insert(&self, key: &str, object: Document) -> Result<Stored, Occupied>;

    /// Replaces the object under a key, or fails if its revision is not `expected`.
    fn replace(&self, key: &str, expected: u64, object: Document) -> Result<Stored, Stale>;

    /// Removes the object under a key, or fails if its revision is not `expected`. Returns the revision of the removal.
    fn remove(&self, key: &str, expected: u64) -> Result<u64, Stale>;

    /// Lists a part of the collection, as it is now or as it was at an earlier revision.
    fn list(&self, query: &ListQuery<'_>) -> Result<Page, Compacted>;

    /// Returns the writes after a revision, oldest first, at most `limit`. The revision may be newer than the latest
    /// write.
    fn changes(&self, after: u64, limit: usize) -> Result<Changes, Compacted>;

    /// Returns a receiver that is notified of the revision of each write. Several writes may be merged into one
    /// notification.
    fn writes(&self) -> watch::Receiver<u64>;

    /// The number of objects.
    fn len(&self) -> usize;

    /// Whether the collection has no objects.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A stored object.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The revision of the latest write of the object.
    pub revision: u64,
    /// The content of the object.
    pub object: Document,
}

/// A write of an object.
#[derive(Clone, Debug)]
pub struct Change {
    /// The revision of the write, which may be a removal.
    pub revision: u64,
    /// The key of the object.
    pub key: Arc<str>,
    /// The object before the write; `None` if it was created.
    pub before: Option<Stored>,
    /// The object after the write; `None` if it was removed.
    pub after: Option<Stored>,
}

/// A range of the writes of a collection.
#[derive(Debug)]
pub struct Changes {
    /// The writes, in the order of their revisions.
    pub changes: Vec<Change>,
    /// The revision up to which `changes` is complete.
    pub until: u64,
}

/// The objects to list.
pub struct ListQuery<'a> {
    /// The prefix of the keys: `<namespace>/`, or empty for all.
    pub prefix: &'a str,
    /// The last key of the previous page, if any.
    pub after: Option<&'a str>,
    /// The revision to list at; `None` for the current one.
    pub revision: Option<u64>,
    /// The maximum number of objects; 0 is unlimited.
    pub limit: usize,
    /// Selects the objects to return; `None` selects all. It may take its time, so nothing must be locked while it
    /// is called.
    pub keep: Option<&'a dyn Fn(&Stored) -> bool>,
}

/// A page of a list.
#[derive(Debug)]
pub struct Page {
    /// The selected objects and their keys.
    pub items: Vec<(Arc<str>, Stored)>,
    /// The number of objects after this page, whether selected or not.
    pub behind: usize,
    /// The revision that the page shows.
    pub revision: u64,
}

/// The key is in use.
#[derive(Debug, Error)]
#[error("the key is in use")]
pub struct Occupied {
    /// The object that uses it.
    pub by: Stored,
}

/// The object has another revision than expected, or does not exist.
#[derive(Debug, Error)]
#[error("the object has been modified or removed")]
pub struct Stale;

/// The history does not go back to this revision (REST-025).
#[derive(Debug, Error)]
#[error("the history does not reach back to the revision")]
pub struct Compacted {
    /// The oldest revision whose history is still available.
    pub oldest: u64,
}
