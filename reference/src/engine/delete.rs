//! Deleting one object or many (REST-043..049, REST-068).

use serde_json::Value;

use super::deletion::Deletion;
use super::write::Base;
use super::{Exchange, Operation, Success, unmet};
use crate::base::status::{self, Failure};
use crate::messages::answer::Refusal;
use crate::messages::representation::{Listed, Shown};
use crate::messages::request::{DeleteOptions, Preconditions, ResourcePath};
use crate::metadata::fields;
use crate::store::Page;

impl Exchange<'_> {
    pub(super) fn delete(&self, name: &str) -> Result<Success, Refusal> {
        let options = DeleteOptions::parse(&self.call, self.engine.semantics.release)?;
        if options.only_unreadable {
            return self.delete_unreadable(name, &options);
        }
        Ok(match self.delete_one(name, &options)? {
            Deleted::Removed(uid) => {
                let kind = self.resource.kind();
                Success::Status(status::deleted(&kind.group, &kind.plural, name, &uid))
            }
            Deleted::Kept(object) => {
                let code = if options.orphan_dependents == Some(false) { 202 } else { 200 };
                Success::object(code, object)
            }
        })
    }

    pub(super) fn delete_collection(&self) -> Result<Success, Refusal> {
        let (list, selection) = self.list_options()?;
        let options = DeleteOptions::parse(&self.call, self.engine.semantics.release)?;
        options.refuse_for_collection()?;
        let page = self.page(&list, &selection)?;
        let rest = self.continuation(&page, &list, &selection);
        let mut deleted = Page { items: Vec::new(), ..page };
        for (key, stored) in page.items {
            let name = key.rsplit('/').next().unwrap_or_default().to_owned();
            let within = ResourcePath {
                namespace: key.split_once('/').map(|(namespace, _)| namespace.to_owned()),
                ..self.path.clone()
            };
            let one = Exchange { path: &within, ..*self };
            match one.delete_one(&name, &options) {
                Ok(_) => deleted.items.push((key, stored)),
                // Another request deleted it meanwhile.
                Err(failure) if failure.code == 404 => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        let items = self.items(&deleted)?;
        let revision = self.engine.store.revision().to_string();
        Ok(Success::List(Listed { revision, items, ..rest }))
    }

    /// Deletes an object only if it cannot be read, whatever its finalizers are (REST-049).
    fn delete_unreadable(&self, name: &str, options: &DeleteOptions) -> Result<Success, Refusal> {
        if !self.resource.deletes_unreadable() {
            let why = "no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential";
            return Err(Failure::internal(why).into());
        }
        let stored = self.stored(name)?;
        if self.resource.read(&stored).is_ok() {
            return Err(self.conflict(name, "the object can be read").into());
        }
        if !options.dry_run && self.resource.collection().remove(&self.key(name), stored.revision).is_ok() {
            self.resource.written(name);
        }
        let kind = self.resource.kind();
        Ok(Success::Status(status::deleted(&kind.group, &kind.plural, name, "")))
    }

    fn delete_one(&self, name: &str, options: &DeleteOptions) -> Result<Deleted, Failure> {
        self.admit(Operation::Delete, name)?;
        loop {
            let stored = self.stored(name)?;
            let object = self.resource.read(&stored).map_err(|failure| self.unreadable(name, &stored, failure))?;
            if let Some(wanted) = &options.preconditions {
                self.check_preconditions(name, &object, stored.revision, wanted)?;
            }
            let now = self.engine.now();
            match self.resource.deletion(&object, options.propagation.as_deref(), &now) {
                Deletion::Unchanged => return self.present(&stored).map(Deleted::Kept),
                Deletion::Remove => {
                    if options.dry_run || self.remove(name, stored.revision)? {
                        return Ok(Deleted::Removed(fields::text(&object, "uid").to_owned()));
                    }
                }
                Deletion::Keep(_) => {
                    if let Some(kept) = self.mark(name, options, &now)? {
                        return Ok(Deleted::Kept(kept));
                    }
                }
            }
        }
    }

    /// Marks an object as being deleted. `None` if it was written meanwhile.
    fn mark(&self, name: &str, options: &DeleteOptions, now: &str) -> Result<Option<Shown>, Failure> {
        let mut base = self.base(name, options.dry_run)?;
        while let Some(Base { stored, old, is_current }) = base {
            let mut bare = old;
            fields::remove(&mut bare, "resourceVersion");
            let decided = self.resource.deletion(&bare, options.propagation.as_deref(), now);
            let Deletion::Keep(mut marked) = decided else {
                if is_current {
                    break;
                }
                base = self.current_base(name)?;
                continue;
            };
            if options.dry_run {
                fields::set(&mut marked, "resourceVersion", stored.revision.to_string());
                let mut shown = self.resource.round_trip(marked)?;
                fields::set(&mut shown, "resourceVersion", stored.revision.to_string());
                return Ok(Some(shown.into()));
            }
            let marked = self.resource.encode(marked)?;
            if let Ok(stored) = self.resource.collection().replace(&self.key(name), stored.revision, marked) {
                let shown = self.present(&stored);
                self.resource.written(name);
                return shown.map(Some);
            }
            if is_current {
                break;
            }
            base = self.current_base(name)?;
        }
        Ok(None)
    }

    /// Checks the preconditions. A mismatch is 409 and names the kind, for built-in resources the plural (REST-047).
    fn check_preconditions(
        &self,
        name: &str,
        object: &Value,
        revision: u64,
        wanted: &Preconditions,
    ) -> Result<(), Failure> {
        let uid = fields::text(object, "uid");
        let version = revision.to_string();
        let pairs = [("UID", &wanted.uid, uid), ("ResourceVersion", &wanted.resource_version, version.as_str())];
        for (what, wanted, present) in pairs {
            if let Some(wanted) = wanted.as_deref().filter(|wanted| *wanted != present) {
                let is_one_of_many = self.path.name.is_none();
                let (group, kind) = self.resource.kind_in_precondition_errors(is_one_of_many);
                let why = if self.resource.checks_preconditions_itself() {
                    unmet(what, wanted, present)
                } else {
                    let happened = if what == "UID" { "deleted and then recreated" } else { "modified" };
                    format!(
                        "the {what} in the precondition ({wanted}) does not match the {what} in record ({present}). \
                         The object might have been {happened}"
                    )
                };
                return Err(Failure::conflict(group, kind, name, &why));
            }
        }
        Ok(())
    }
}

/// The result of deleting an object.
enum Deleted {
    /// It is removed; its uid.
    Removed(String),
    /// It stays for now; the object as clients see it.
    Kept(Shown),
}
