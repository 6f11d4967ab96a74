//! What is specific to a resource.

use std::sync::Arc;

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{RuleFindings, Violation, name};
use serde_json::Value;

use super::admission::Admission;
use super::deletion::{Deletion, by_finalizers};
use crate::base::status::Failure;
use crate::engine::BodyForm;
use crate::messages::patch::PatchType;
use crate::messages::request::ResourcePath;
use crate::messages::selectors::SelectableField;
use crate::messages::table::Columns;
use crate::messages::watch::{AsStored, Reader};
use crate::metadata::fields;
use crate::store::{Collection, Document, Life, Reading, Stored};
use crate::views::View;
use crate::webhooks::conversion::Deadline;

/// Who validates the metadata of written objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetadataCheck {
    /// The type and the server: metadata violations are reported together with all others.
    ByType,
    /// Only the server, and for a new object only if everything else is valid.
    ByServer,
}

/// What an update may change and how it is validated: of whole objects, or of a subresource.
pub(crate) trait Update: Sync {
    /// Field management of what is written.
    fn tracked(&self) -> Box<dyn Tracked + '_>;

    /// Restores or sets what clients cannot change. `generation` is already that of `old`.
    fn prepare_update(&self, _object: &mut Value, _old: &Value) {}

    /// The `generation` of a changed object; `None` if the resource has none.
    fn next_generation(&self, object: &Value, old: &Value) -> Option<i64>;

    /// Validates a changed object, except for its metadata.
    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation>;

    /// What the rules of a definition say about a write of which this was found already. `old` is `None` for a create.
    fn rule_findings(&self, _object: &Value, _old: Option<&Value>, _found: &[Violation]) -> RuleFindings {
        RuleFindings::default()
    }

    /// Whether what it updates is shown as a table: upstream has none for some subresources.
    fn has_table(&self) -> bool {
        true
    }

    /// Warnings about a valid write. `old` is `None` for a create.
    fn warnings(&self, _object: &Value, _old: Option<&Value>) -> Vec<String> {
        Vec::new()
    }
}

/// What a resource contributes to the engine. Objects are in the version of the request unless stated otherwise.
pub(crate) trait Resource: BodyForm + Update {
    fn collection(&self) -> &Arc<dyn Collection>;

    /// The `OpenAPI` model for strategic merge patches; without one they are refused (REST-032).
    fn model(&self) -> Option<&'static Value> {
        None
    }

    /// Patch types that the real server accepts and this one does not support yet.
    fn later_patch_types(&self) -> &[PatchType];

    /// Checks whether the resource accepts creates at all; called before anything else of the request is looked at.
    fn accepts_creates(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Refuses the write of an object that may not be written now; called before it is validated.
    fn admit(&self, _write: &Admission<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn prepare_create(&self, _object: &mut Value) {}

    /// Sets what follows from the name, once it is known.
    fn canonicalize(&self, _object: &mut Value) {}

    /// Whether its objects are in namespaces.
    fn is_namespaced(&self) -> bool {
        false
    }

    /// Whether upstream has a watch cache for it, from which it takes lists of any revision.
    fn is_cached(&self) -> bool {
        true
    }

    /// The validation of names: one message per broken rule.
    fn name_rule(&self) -> fn(&str) -> Vec<&'static str> {
        name::dns1123_subdomain_faults
    }

    /// The field with this label, if objects can be selected by it (FSEL-001, FSEL-002).
    fn field(&self, label: &str) -> Option<SelectableField> {
        match label {
            "metadata.name" => Some(SelectableField::Name),
            "metadata.namespace" => Some(SelectableField::Namespace),
            _ => None,
        }
    }

    /// What is wrong with a label by which objects cannot be selected.
    fn unknown_field(&self, label: &str) -> String {
        format!("field label not supported: {label}")
    }

    /// Who validates the metadata.
    fn metadata_check(&self) -> MetadataCheck {
        MetadataCheck::ByType
    }

    /// Whether upstream validates the type declaratively since 1.37, so that identical causes about the whole object
    /// are one (VALUE-041).
    fn is_declarative(&self) -> bool {
        false
    }

    /// Group and kind in errors about an invalid object.
    fn kind_in_errors(&self) -> (&str, &str) {
        let kind = self.kind();
        (&kind.group, &kind.kind)
    }

    /// Group and kind in errors about an unmet precondition of a deletion (REST-047). Built-in resources have their
    /// plural instead of the kind, except in the deletion of a collection.
    fn kind_in_precondition_errors(&self, is_one_of_many: bool) -> (&str, &str) {
        let kind = self.kind();
        (&kind.group, if self.is_typed() && !is_one_of_many { &kind.plural } else { &kind.kind })
    }

    /// Validates a new object, except for its metadata.
    fn created_violations(&self, object: &Value) -> Vec<Violation>;

    /// Encodes an object for storage: in the storage version, without its revision.
    fn encode(&self, object: Value) -> Result<Document, Failure>;

    /// A stored object in the version of the request, without its revision.
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        self.reader().read(stored)
    }

    /// What the result of [`Resource::read`] depends on besides the object, if equal readings always give
    /// equal results.
    fn reading(&self) -> Option<Reading> {
        self.reader().reading()
    }

    /// Reads stored objects for a watch, which outlives the request. The default is for resources with one version.
    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(AsStored)
    }

    /// The view of the objects at the version of the request, if there is one. Lists and watches show what it has.
    fn view(&self) -> Option<&View> {
        None
    }

    /// Until when the request may wait for a webhook.
    fn deadline(&self) -> Deadline {
        None
    }

    /// An object as it would be read after it was stored, without storing it (REST-059).
    fn round_trip(&self, mut object: Value) -> Result<Value, Failure> {
        fields::remove(&mut object, "resourceVersion");
        self.read(&Stored { revision: 0, object: self.encode(object)? })
    }

    /// The table columns.
    fn columns(&self) -> Arc<Columns>;

    /// The period in which the resource is served unchanged; `None` if it never changes.
    fn life(&self) -> Option<Life> {
        None
    }

    /// Decides what a deletion does to an object.
    fn deletion(&self, object: &Value, propagation: Option<&str>, now: &str) -> Deletion {
        by_finalizers(object, propagation, now)
    }

    /// Whether an update completes the deletion of the object.
    fn is_deleted_by_update(&self, object: &Value) -> bool {
        fields::is_terminating(object) && fields::finalizers(object).next().is_none()
    }

    /// Whether this resource does not support a method that other built-in resources do.
    fn lacks_method(&self, _path: &ResourcePath, _method: &str) -> bool {
        false
    }

    /// Whether objects that cannot be read can be deleted (REST-049).
    fn deletes_unreadable(&self) -> bool {
        true
    }

    /// Whether an update of an object that does not exist creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Whether an update without `resourceVersion` replaces any revision.
    fn takes_any_revision(&self) -> bool {
        false
    }

    /// Whether upstream checks the preconditions of a deletion in the code of the kind, which has other words for an
    /// unmet one (REST-047).
    fn checks_preconditions_itself(&self) -> bool {
        false
    }

    /// Called after each stored write and before the response, to settle the consequences.
    fn written(&self, _name: &str) {}
}
