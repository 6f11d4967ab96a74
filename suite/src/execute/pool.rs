//! The pool of definitions: made once, used by many scenarios one after the other, with another schema each time.
//!
//! A definition is slow to make (20 to 190 ms, and the first create under it waits 2 s on the real server), another schema
//! takes 13 ms. So definitions are kept, and one that already has the wanted versions is preferred: then nothing is sent.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use super::{names::Names, serving::Care};
use crate::scenario::{Scope, Version};

/// A definition on the server.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) names: Names,
    /// The versions it has now.
    pub(crate) versions: Vec<Version>,
    /// Counts its schemas; the sentinel shows it.
    pub(crate) revision: u64,
    /// `metadata.resourceVersion` of the definition as last seen.
    pub(crate) resource_version: Option<String>,
    /// How carefully it was waited for that these versions are served.
    pub(crate) awaited: Care,
}

impl Slot {
    /// Names for a definition that has nothing yet.
    pub(crate) fn new(names: Names) -> Self {
        Self { names, versions: Vec::new(), revision: 0, resource_version: None, awaited: Care::None }
    }

    /// The text of the sentinel in its present schemas.
    pub(crate) fn revision_name(&self) -> String {
        format!("r{}", self.revision)
    }
}

/// What cannot be changed on a definition: its scope, and its storage version, which stays in `storedVersions` for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Class {
    pub(crate) scope: Scope,
    pub(crate) storage_version: String,
}

impl Class {
    fn of(slot: &Slot) -> Self {
        let storage_version = crate::scenario::storage_version(&slot.versions).to_owned();
        Self { scope: slot.names.scope, storage_version }
    }
}

/// Idle definitions, and a limit to how many there may be.
#[derive(Debug)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Slot>>,
    places: Arc<Semaphore>,
    limit: usize,
}

impl Pool {
    pub(crate) fn new(limit: usize) -> Self {
        Self { idle: Mutex::new(Vec::new()), places: Arc::new(Semaphore::new(limit)), limit }
    }

    /// Waits for as many places as a scenario needs, all at once: two scenarios that each hold one and want another would
    /// wait for ever. `None` once the pool is closed.
    pub(crate) async fn enter(&self, places: usize) -> Option<OwnedSemaphorePermit> {
        let places = u32::try_from(places.min(self.limit)).unwrap_or(u32::MAX);
        Arc::clone(&self.places).acquire_many_owned(places).await.ok()
    }

    /// An idle definition of the class, preferably one that has just these versions. Call it once for each place held.
    pub(crate) async fn take(&self, class: &Class, versions: &[Version]) -> Taken {
        let mut idle = self.idle.lock().await;
        let exact = idle.iter().position(|slot| slot.versions == versions && Class::of(slot) == *class);
        match exact.or_else(|| idle.iter().position(|slot| Class::of(slot) == *class)) {
            Some(at) => Taken::Idle(idle.swap_remove(at)),
            // As many permits are out as definitions are in use; more idle ones than free places means that one has to go.
            None if idle.len() > self.places.available_permits() => Taken::Nothing { evicted: Some(idle.remove(0)) },
            None => Taken::Nothing { evicted: None },
        }
    }

    /// Gives a definition back. Drop the permit after it.
    pub(crate) async fn put(&self, slot: Slot) {
        self.idle.lock().await.push(slot);
    }

    /// Takes all idle definitions out, and lets nobody in any more.
    pub(crate) async fn close(&self) -> Vec<Slot> {
        self.places.close();
        std::mem::take(&mut *self.idle.lock().await)
    }
}

/// What the pool had.
#[derive(Debug)]
pub(crate) enum Taken {
    /// A definition, perhaps with other versions.
    Idle(Slot),
    /// None of the class: a new one has to be made, and this one of another class removed to keep the limit.
    Nothing {
        /// The one to remove.
        evicted: Option<Slot>,
    },
}
