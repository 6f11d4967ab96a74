//! What a resource has of its own.

use std::sync::Arc;

use crdible_semantics::Violation;
use serde_json::Value;

use crate::definitions::Life;
use crate::engine::BodyForm;
use crate::managed_fields::Tracked;
use crate::metadata::{self, fields};
use crate::patch::PatchType;
use crate::request::ResourcePath;
use crate::selectors::Field;
use crate::status::Failure;
use crate::storage::{Collection, Document, Reading, Stored};
use crate::table::Columns;
use crate::watch::{AsStored, Reader};

/// Names of a resource at one version.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub(crate) struct Kind {
    pub(crate) group: String,
    /// `apiVersion` of its objects.
    pub(crate) api_version: String,
    pub(crate) plural: String,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
}

impl Kind {
    /// `plural.group`.
    pub(crate) fn qualified(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }
}

/// What a deletion does to an object.
#[derive(Debug)]
pub(crate) enum Deletion {
    /// It goes at once.
    Remove,
    /// It stays, in this form, until its finalizers are done.
    Keep(Value),
    /// It stays as it is.
    Unchanged,
}

/// Who looks at the metadata of objects that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetadataCheck {
    /// The type, besides the server: what is wrong with them is told together with what is wrong with the rest.
    ByType,
    /// The server alone, and of a new object only when the rest is fine.
    ByServer,
}

/// What an update may change, and what is wrong with one: of whole objects, or of a part of them that has a URL of its own.
pub(crate) trait Update: Sync {
    /// What is written to, for those who track its fields.
    fn tracked(&self) -> Box<dyn Tracked + '_>;

    /// Sets what a client cannot change; `generation` is that of `old`.
    fn prepare_update(&self, _object: &mut Value, _old: &Value) {}

    /// The `generation` of a changed object; `None` for a resource without.
    fn next_generation(&self, object: &Value, old: &Value) -> Option<i64>;

    /// What is wrong with a changed object, besides its metadata.
    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation>;

    /// Texts of warnings about a write that is fine (`old`: none for a create).
    fn warnings(&self, _object: &Value, _old: Option<&Value>) -> Vec<String> {
        Vec::new()
    }
}

/// The part of a resource in the steps of the engine. Objects are in the version of the request unless said otherwise.
pub(crate) trait Resource: BodyForm + Update {
    fn collection(&self) -> &Arc<dyn Collection>;

    /// The model by which strategic merge patches are merged; without one they are not taken (REST-032).
    fn model(&self) -> Option<&'static Value> {
        None
    }

    /// Patch types, besides these and JSON and merge patch, that the real server takes and this one does not take yet.
    fn later_patch_types(&self) -> &[PatchType];

    /// Whether an object may be created now; comes before validation.
    fn admit_create(&self, _namespace: Option<&str>, _name: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn prepare_create(&self, _object: &mut Value) {}

    /// Sets what follows from the name, once there is one.
    fn canonicalize(&self, _object: &mut Value) {}

    /// Rules of a name: one text per broken rule.
    fn name_rule(&self) -> fn(&str) -> Vec<&'static str> {
        metadata::names::subdomain_faults
    }

    /// The field with this label, if objects can be selected by it (FSEL-001, FSEL-002).
    fn field(&self, label: &str) -> Option<Field> {
        match label {
            "metadata.name" => Some(Field::Name),
            "metadata.namespace" => Some(Field::Namespace),
            _ => None,
        }
    }

    /// Who looks at the metadata.
    fn metadata_check(&self) -> MetadataCheck {
        MetadataCheck::ByType
    }

    /// Group and kind by which refusals call an object that is wrong.
    fn called(&self) -> (&str, &str) {
        let kind = self.kind();
        (&kind.group, &kind.kind)
    }

    /// The same where a precondition of a deletion is not met (REST-047). Resources that upstream serves by code of their own call
    /// it by their plural, but for deletions of many.
    fn called_in_preconditions(&self, is_one_of_many: bool) -> (&str, &str) {
        let kind = self.kind();
        (&kind.group, if self.is_typed() && !is_one_of_many { &kind.plural } else { &kind.kind })
    }

    /// What is wrong with a new object, besides its metadata.
    fn created_violations(&self, object: &Value) -> Vec<Violation>;

    /// The form in which an object is stored: in the storage version, without its revision.
    fn encode(&self, object: Value) -> Result<Document, Failure>;

    /// A stored object in the version of the request, without its revision.
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        self.reader().read(stored)
    }

    /// What [`Resource::read`] depends on, if the same gives the same.
    fn reading(&self) -> Option<Reading> {
        self.reader().reading()
    }

    /// The same for a watch, which outlives the request. Built-in resources have one version.
    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(AsStored)
    }

    /// What tables tell of its objects.
    fn columns(&self) -> Arc<Columns>;

    /// How long the resource is served as it is; nothing if that never changes.
    fn life(&self) -> Option<Life> {
        None
    }

    /// What a deletion does.
    fn deletion(&self, object: &Value, propagation: Option<&str>, now: &str) -> Deletion {
        crate::engine::by_finalizers(object, propagation, now)
    }

    /// Whether an object that was changed goes now.
    fn goes_after_update(&self, object: &Value) -> bool {
        fields::is_terminating(object) && fields::finalizers(object).next().is_none()
    }

    /// Whether there is no such method, though typed resources have it.
    fn refuses(&self, _path: &ResourcePath, _method: &str) -> bool {
        false
    }

    /// Whether a replacement of what is not there creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Whether an update that names no `resourceVersion` is meant for whatever there is.
    fn takes_any_revision(&self) -> bool {
        false
    }

    /// Why an object cannot be deleted that is not as a precondition wants it (REST-047).
    fn unmet_precondition(&self, what: &str, wanted: &str, present: &str) -> String {
        format!("the {what} in the precondition ({wanted}) does not match the {what} in record ({present})")
    }

    /// Whether an object may be deleted.
    fn admit_delete(&self, _name: &str) -> Result<(), Failure> {
        Ok(())
    }

    /// Called after each write that was stored: what follows from it happens before the answer.
    fn written(&self, _name: &str) {}
}
