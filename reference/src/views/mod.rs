//! Views: the objects of a definition as a webhook shows them at one version.
//!
//! Each served version of a definition with a conversion webhook has a view, like a watch cache of upstream. In the
//! background it converts every object once, and then every change once; lists and watches show what it has, and call
//! no webhook. So while a webhook is down, they show the state before, and when it comes back, they show everything
//! (CONV-022, CONV-023).

mod filling;
mod origin;
mod retry;
mod seeing;
mod version;
mod view;
mod worker;

use std::sync::Arc;

pub(crate) use origin::Origin;
pub(crate) use version::Version;
pub(crate) use view::{NotFresh, View};

/// The views of a definition, one for each version that is served or stored. They end when this is dropped.
pub(crate) struct Views {
    each: Vec<Arc<View>>,
    /// The name of the storage version.
    storage: String,
}

impl Views {
    pub(crate) fn new(origin: Origin, storage: &str) -> Self {
        let origin = Arc::new(origin);
        let is_shown = |version: &Version| version.served || version.name == storage;
        let shown = (0..origin.versions.len()).filter(|at| is_shown(&origin.versions[*at]));
        let each = shown.map(|at| Arc::new(View::new(Arc::clone(&origin), at))).collect();
        Self { each, storage: storage.to_owned() }
    }

    /// The view at the storage version.
    pub(crate) fn of_storage(&self) -> Option<&Arc<View>> {
        self.at(&self.storage)
    }

    /// The view at a version. Views are filled from the first request on.
    pub(crate) fn at(&self, version: &str) -> Option<&Arc<View>> {
        self.each.iter().find(|view| view.version().name == version)
    }

    /// Starts to fill all views, once.
    pub(crate) fn start(&self) {
        self.each.iter().filter(|view| view.begins()).for_each(|view| worker::spawn(Arc::clone(view)));
    }

    /// Ends all views, and the watches that they serve.
    pub(crate) fn end(&self) {
        self.each.iter().for_each(|view| view.end());
    }
}

impl Drop for Views {
    fn drop(&mut self) {
        self.end();
    }
}
