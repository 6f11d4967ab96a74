//! Reading one object (REST-019).

use crdible_semantics::release::Change;

use super::{Exchange, Purpose, Success};
use crate::base::status::Failure;
use crate::messages::answer::Refusal;
use crate::messages::representation::Shown;
use crate::messages::request::revision;
use crate::store::Stored;

impl Exchange<'_> {
    pub(super) fn get(&self, name: &str) -> Result<Success, Refusal> {
        if self.call.query.flag("export") {
            let why = "the export parameter, deprecated since v1.14, is no longer supported";
            return Err(Failure::bad_request(why).into());
        }
        let version_text = self.call.query.text("resourceVersion");
        let required = revision(version_text)?;
        self.refuse_future(required)?;
        if let Some(view) = self.resource.view().filter(|_| !version_text.is_empty()) {
            self.find(name)?;
            if let Some(seen) = self.viewed(view, name, required)? {
                return Ok(Success::object(200, self.form.show(Shown::Stored(seen), Purpose::Reading)?));
            }
        }
        let stored = self.stored(name)?;
        let object = self.present(&stored).map_err(|failure| self.unreadable(name, &stored, failure))?;
        Ok(Success::object(200, self.form.show(object, Purpose::Reading)?))
    }

    /// A stored object as clients read it: in the version of the request, with its revision.
    pub(super) fn present(&self, stored: &Stored) -> Result<Shown, Failure> {
        Shown::of(stored, self.resource.reading(), |stored| self.resource.read(stored))
    }

    /// What a client sees of an object that cannot be converted where it was to be read (CONV-021).
    pub(super) fn unreadable(&self, name: &str, stored: &Stored, failure: Failure) -> Failure {
        if !self.engine.semantics.release.has(Change::UnconvertibleIsUnreadable) || !failure.is_unexplained() {
            return failure;
        }
        let key = self.key_in_store(&self.key(name));
        Failure::internal(format!(
            "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision={}: {}",
            stored.revision, failure.message
        ))
    }

    /// A key as upstream's store has it.
    pub(super) fn key_in_store(&self, key: &str) -> String {
        let kind = self.resource.kind();
        let group = if kind.group.is_empty() { String::new() } else { format!("{}/", kind.group) };
        format!("/registry/{group}{}/{key}", kind.plural)
    }

    /// 504 for a revision that the store has not reached yet.
    pub(super) fn refuse_future(&self, version: u64) -> Result<(), Failure> {
        let current = self.engine.store.revision();
        if version > current {
            return Err(Failure::too_high_revision(version, current));
        }
        Ok(())
    }
}
