//! The definitions that a run created, so that none of them is left behind.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// With at least this many deletions outstanding, each further deletion
/// checks an earlier one; the clean-up lists the rest.
const MANY_DELETED: usize = 256;

/// The definitions that a run created.
#[derive(Debug, Default)]
pub(super) struct CreatedDefinitions {
    /// The names of all definitions that may be on the server, including those that a dropped execution leaves.
    states: Mutex<BTreeMap<String, DefinitionState>>,
    /// Held by requests that create definitions and have no answer yet. They outlive a dropped execution.
    creating: Arc<RwLock<()>>,
}

/// The state of a definition that a run created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DefinitionState {
    /// On the server.
    Installed,
    /// Deleted, but perhaps not gone yet.
    Deleting,
}

impl CreatedDefinitions {
    /// A definition with this name is being created.
    pub(super) fn add(&self, name: String) {
        self.states().insert(name, DefinitionState::Installed);
    }

    /// A definition with this name is on the server, created by the run or by another client.
    pub(super) fn note(&self, name: &str) {
        self.states().entry(name.to_owned()).or_insert(DefinitionState::Installed);
    }

    /// A definition was deleted. If many were, returns the name of one that was
    /// deleted earlier, another one for each `turn`.
    pub(super) fn mark_deleted(&self, name: String, turn: usize) -> Option<String> {
        let mut states = self.states();
        let deleting: Vec<&String> =
            states.iter().filter_map(|(name, state)| (*state == DefinitionState::Deleting).then_some(name)).collect();
        let earlier = (deleting.len() >= MANY_DELETED).then(|| deleting[turn % deleting.len()].clone());
        states.insert(name, DefinitionState::Deleting);
        earlier
    }

    /// A definition is not on the server.
    pub(super) fn forget(&self, name: &str) {
        self.states().remove(name);
    }

    /// Only those with these names may be on the server. Returns whether there were others.
    pub(super) fn retain(&self, names: &BTreeSet<String>) -> bool {
        let mut states = self.states();
        let before = states.len();
        states.retain(|name, _| names.contains(name));
        states.len() < before
    }

    /// Whether a definition with this name may be on the server.
    pub(super) fn has(&self, name: &str) -> bool {
        self.states().contains_key(name)
    }

    /// The names of all of them.
    pub(super) fn names(&self) -> Vec<String> {
        self.states().keys().cloned().collect()
    }

    /// The names of those that were not deleted.
    pub(super) fn installed(&self) -> Vec<String> {
        let states = self.states();
        let installed = states.iter().filter(|(_, state)| **state == DefinitionState::Installed);
        installed.map(|(name, _)| name.clone()).collect()
    }

    /// One that was not deleted.
    pub(super) fn any_installed(&self) -> Option<String> {
        let is_installed =
            |(name, state): (&String, &DefinitionState)| (*state == DefinitionState::Installed).then(|| name.clone());
        self.states().iter().find_map(is_installed)
    }

    /// To be held by a request that creates a definition until it has an answer.
    pub(super) async fn creating(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.creating).read_owned().await
    }

    /// Waits until no creation is in flight.
    pub(super) async fn all_created(&self) {
        drop(self.creating.write().await);
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<String, DefinitionState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
