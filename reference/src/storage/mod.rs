//! Storage: collections of objects under revisions of one counter. The seam between handlers and whatever keeps the objects.

mod document;
mod memory;

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::watch;

pub use document::{Document, Reading};
pub use memory::MemoryStore;

/// A place for objects. Revisions are positive, unique per store, and grow with every write.
pub trait Store: Send + Sync {
    /// The collection of this name (`<plural>.<group>`); an empty one is made if there is none.
    fn collection(&self, name: &str) -> Arc<dyn Collection>;

    /// Forgets a collection and all that it holds. Who still has it writes into nothing.
    fn forget(&self, name: &str);

    /// The revision of the latest write.
    fn revision(&self) -> u64;
}

/// Objects of one resource, in the byte order of their keys (`<namespace>/<name>`, or `<name>`).
///
/// All writes of a collection are in the order of their revisions (REST-020, REST-042).
pub trait Collection: Send + Sync {
    /// The object under a key.
    fn get(&self, key: &str) -> Option<Stored>;

    /// Puts a new object under a key that is free.
    fn insert(&self, key: &str, object: Document) -> Result<Stored, Occupied>;

    /// Replaces the object under a key if it still has this revision.
    fn replace(&self, key: &str, expected: u64, object: Document) -> Result<Stored, Stale>;

    /// Removes the object under a key if it still has this revision; the result is the revision of the removal.
    fn remove(&self, key: &str, expected: u64) -> Result<u64, Stale>;

    /// A part of the collection, as it is now or as it was.
    fn list(&self, query: &ListQuery<'_>) -> Result<Page, Compacted>;

    /// The writes after a revision, oldest first, at most so many. A revision that nothing has yet is as good as any.
    fn changes(&self, after: u64, limit: usize) -> Result<Changes, Compacted>;

    /// Tells of each write, by the revision that it made. Several writes may be told as one.
    fn writes(&self) -> watch::Receiver<u64>;

    /// How many objects there are.
    fn len(&self) -> usize;

    /// Whether there is no object.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A stored object.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The revision of its latest write.
    pub revision: u64,
    /// Its content.
    pub object: Document,
}

/// What happened to one object.
#[derive(Clone, Debug)]
pub struct Change {
    /// The revision that it made: that of the object, or of its removal.
    pub revision: u64,
    /// The key of the object.
    pub key: Arc<str>,
    /// The object before; none if it is new.
    pub before: Option<Stored>,
    /// The object since; none if it was removed.
    pub after: Option<Stored>,
}

/// Some of the writes of a collection.
#[derive(Debug)]
pub struct Changes {
    /// In the order of their revisions.
    pub changes: Vec<Change>,
    /// The state that they lead to: the writes up to this revision are among them, or came before.
    pub until: u64,
}

/// Which objects a list wants.
pub struct ListQuery<'a> {
    /// What keys start with: `<namespace>/`, or nothing for all.
    pub prefix: &'a str,
    /// The last key of the page before, if any.
    pub after: Option<&'a str>,
    /// The state to show: that after this revision; without, the present one.
    pub revision: Option<u64>,
    /// How many objects at most; 0 for all.
    pub limit: usize,
    /// Which objects count.
    pub keep: &'a dyn Fn(&Stored) -> bool,
}

/// What a list found.
#[derive(Debug)]
pub struct Page {
    /// Keys and objects.
    pub items: Vec<(Arc<str>, Stored)>,
    /// How many objects lie behind the page, whether they count or not.
    pub behind: usize,
    /// The revision whose state this is.
    pub revision: u64,
}

/// The key is taken.
#[derive(Debug, Error)]
#[error("the key is taken")]
pub struct Occupied {
    /// By this object.
    pub by: Stored,
}

/// The object is another one than expected, or gone.
#[derive(Debug, Error)]
#[error("the object has been modified or removed")]
pub struct Stale;

/// The history does not reach back so far (REST-025).
#[derive(Debug, Error)]
#[error("the history does not reach back to the revision")]
pub struct Compacted;
