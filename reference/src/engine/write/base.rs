//! The state from which an update or a deletion starts. Usually it is the stored object. If a webhook converts objects,
//! it is what the view of the version saw last, and only if that fails or is outdated, the stored object, which then
//! has to be converted again (CONV-002, CONV-021).

use serde_json::Value;

use crate::base::status::Failure;
use crate::engine::Exchange;
use crate::metadata::fields;
use crate::store::Stored;

/// The state from which an update or a deletion starts.
pub(in crate::engine) struct Base {
    /// The object as it is stored. If it is not current, as the object of the view would be stored.
    pub(in crate::engine) stored: Stored,
    /// The object as clients see it.
    pub(in crate::engine) old: Value,
    /// Whether it was read from the store.
    pub(in crate::engine) is_current: bool,
}

impl Exchange<'_> {
    /// The base of a write; `None` if the object does not exist. A dry run starts from the store.
    pub(in crate::engine) fn base(&self, name: &str, dry_run: bool) -> Result<Option<Base>, Failure> {
        let stored = self.find(name)?;
        let seen = self.resource.view().filter(|_| !dry_run).and_then(|view| view.last_seen(&self.key(name)));
        match seen {
            None => stored.map(|stored| self.current(stored)).transpose(),
            Some(seen) => {
                let old = seen.object();
                let mut bare = old.clone();
                fields::remove(&mut bare, "resourceVersion");
                let stored = Stored { revision: seen.stored.revision, object: self.resource.encode(bare)? };
                Ok(Some(Base { stored, old, is_current: false }))
            }
        }
    }

    /// The stored object as a base; `None` if it does not exist.
    pub(in crate::engine) fn current_base(&self, name: &str) -> Result<Option<Base>, Failure> {
        self.find(name)?.map(|stored| self.current(stored)).transpose()
    }

    fn current(&self, stored: Stored) -> Result<Base, Failure> {
        let old = self.present(&stored)?.into_value();
        Ok(Base { stored, old, is_current: true })
    }

    /// Removes an object that has this revision. Returns whether it did; another revision is left alone.
    ///
    /// If a webhook converts objects, what the view saw of it is encoded before, and the removed object is read
    /// afterwards. The second may fail although the object is gone, like upstream.
    pub(in crate::engine) fn remove(&self, name: &str, revision: u64) -> Result<bool, Failure> {
        let key = self.key(name);
        let removed = match self.resource.view() {
            None => None,
            Some(view) => match view.last_seen(&key) {
                Some(seen) => {
                    let mut object = seen.object();
                    fields::remove(&mut object, "resourceVersion");
                    Some(Stored { revision, object: self.resource.encode(object)? })
                }
                None => self.resource.collection().get(&key),
            },
        };
        if self.resource.collection().remove(&key, revision).is_err() {
            return Ok(false);
        }
        self.resource.written(name);
        removed.map_or(Ok(()), |removed| self.resource.read(&removed).map(drop))?;
        Ok(true)
    }
}
