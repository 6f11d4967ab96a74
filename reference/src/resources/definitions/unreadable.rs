//! The deletion of definitions whose objects have to be converted before they can be deleted (CONV-024, LIFE-015,
//! VER-018).

use serde_json::Value;

use super::live::{Definition, has_others};
use super::settle::Registry;
use crate::metadata::fields;
use crate::store::Collection;

impl Registry {
    /// Why the objects of a definition cannot be read at its storage version, if they have to be converted for that; an
    /// empty text while that is not known. Nothing is waited for.
    pub(super) fn unreadable(&self, object: &Value, instances: &dyn Collection) -> Option<String> {
        let served = self.find_by_name(fields::text(object, "name"))?;
        let views = served.views.as_ref()?;
        if served.generation != fields::generation(object) {
            // Its new content, which may convert in another way, is not served yet.
            return needs_conversion(&served, instances).then(String::new);
        }
        if !needs_conversion(&served, instances) {
            return None;
        }
        views.start();
        let view = views.of_storage()?;
        match view.is_ready() {
            Some(_) => None,
            None => Some(view.failure().map(|why| format!("storage is (re)initializing: {why}")).unwrap_or_default()),
        }
    }

    /// Tries again to delete what could not be deleted, as far as something has changed.
    pub(super) fn retry_deletions(&self) {
        if self.unfinished.is_empty() {
            return;
        }
        for name in self.unfinished.take() {
            self.settle(&name);
        }
    }
}

/// Whether an object is stored at another version than the storage version.
fn needs_conversion(definition: &Definition, instances: &dyn Collection) -> bool {
    let Some(storage) = definition.versions.get(definition.storage) else { return false };
    has_others(instances, &[&storage.kind.api_version])
}
