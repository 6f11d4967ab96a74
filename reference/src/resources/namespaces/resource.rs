//! Namespaces as a resource of the engine.

use std::sync::{Arc, LazyLock};

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{Reason, Violation, message, name};
use serde_json::{Value, json};

use super::tracked::namespace_fields;
use super::{FINALIZER, Namespaces};
use crate::base::status::Failure;
use crate::engine::{Admission, BodyForm, Deletion, Operation, Resource, Update, by_finalizers, with_propagation};
use crate::kinds::{Kind, NAMESPACE};
use crate::messages::patch::PatchType;
use crate::messages::request::ResourcePath;
use crate::messages::selectors::SelectableField;
use crate::messages::table::Columns;
use crate::metadata::{self, STANDARD_FINALIZERS, fields};
use crate::resources::definitions::Registry;
use crate::store::{Collection, Document};
use crate::wire::shape::decode_object;

/// The fault of a finalizer without a slash that Kubernetes does not know.
const NOT_QUALIFIED: &str = "name is neither a standard finalizer name nor is it fully qualified";

/// Namespaces that cannot be deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

/// Namespaces as a resource of the engine.
pub(crate) struct NamespaceResource<'a> {
    pub(crate) namespaces: &'a Namespaces,
    pub(crate) registry: &'a Registry,
}

impl BodyForm for NamespaceResource<'_> {
    fn kind(&self) -> &Kind {
        NAMESPACE.names()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        let unknown = decode_object(&self.registry.engine.semantics, object, NAMESPACE.object)?;
        set_name_label(object);
        if let Some(status) = object.get_mut("status").and_then(Value::as_object_mut) {
            status.entry("phase").or_insert_with(|| "Active".into());
        }
        Ok(unknown)
    }
}

impl Update for NamespaceResource<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        Box::new(namespace_fields(None))
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        keep(object, old, "spec");
        keep(object, old, "status");
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    /// Upstream validates a changed namespace as a new one, too.
    fn updated_violations(&self, object: &Value, _old: &Value) -> Vec<Violation> {
        let mut found = metadata::created(self.registry.engine.semantics.release, object, self.name_rule());
        found.extend(metadata_finalizer_violations(object));
        found.extend(metadata_finalizer_violations(object));
        found.extend(finalizer_violations(object, false));
        found
    }
}

impl Resource for NamespaceResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        &self.namespaces.collection
    }

    fn deletes_unreadable(&self) -> bool {
        false
    }

    fn is_declarative(&self) -> bool {
        true
    }

    fn lacks_method(&self, path: &ResourcePath, method: &str) -> bool {
        match (&path.name, path.subresource.as_deref()) {
            (None, _) => method == "DELETE",
            (Some(_), Some("finalize")) => method != "PUT",
            (Some(_), _) => false,
        }
    }

    fn takes_any_revision(&self) -> bool {
        true
    }

    fn field(&self, label: &str) -> Option<SelectableField> {
        match label {
            "metadata.name" => Some(SelectableField::Name),
            "status.phase" => Some(SelectableField::At(vec!["status".to_owned(), "phase".to_owned()])),
            _ => None,
        }
    }

    fn model(&self) -> Option<&'static Value> {
        Some(NAMESPACE.model())
    }

    fn later_patch_types(&self) -> &[PatchType] {
        &[PatchType::Apply]
    }

    fn prepare_create(&self, object: &mut Value) {
        if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
            let finalizers = spec.entry("finalizers").or_insert_with(|| json!([]));
            if let Some(finalizers) = finalizers.as_array_mut()
                && !finalizers.iter().any(|finalizer| finalizer == FINALIZER)
            {
                finalizers.push(FINALIZER.into());
            }
        }
        object["status"] = json!({"phase": "Active"});
    }

    fn canonicalize(&self, object: &mut Value) {
        set_name_label(object);
    }

    fn name_rule(&self) -> fn(&str) -> Vec<&'static str> {
        name::dns1123_label_faults
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        let mut found = metadata_finalizer_violations(object);
        found.extend(finalizer_violations(object, false));
        found
    }

    fn encode(&self, object: Value) -> Result<Document, Failure> {
        Ok(Document::tree(object))
    }

    fn columns(&self) -> Arc<Columns> {
        static COLUMNS: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::of_kind(NAMESPACE.columns)));
        Arc::clone(&COLUMNS)
    }

    fn checks_preconditions_itself(&self) -> bool {
        true
    }

    fn admit(&self, write: &Admission<'_>) -> Result<(), Failure> {
        if write.operation == Operation::Delete && IMMORTAL.contains(&write.name) {
            return Err(Failure::forbidden("", "namespaces", write.name, "this namespace may not be deleted"));
        }
        Ok(())
    }

    fn deletion(&self, object: &Value, propagation: Option<&str>, now: &str) -> Deletion {
        if fields::is_terminating(object) {
            let is_emptied = object["spec"]["finalizers"].as_array().is_none_or(Vec::is_empty);
            return if is_emptied { by_finalizers(object, propagation, now) } else { Deletion::Unchanged };
        }
        let mut marked = object.clone();
        fields::set_finalizers(&mut marked, with_propagation(object, propagation));
        fields::set(&mut marked, "deletionTimestamp", now);
        marked["status"]["phase"] = "Terminating".into();
        Deletion::Keep(marked)
    }

    /// The finalizers in `spec` count as well as those in `metadata`.
    fn is_deleted_by_update(&self, object: &Value) -> bool {
        super::is_finalized(object)
    }

    fn written(&self, name: &str) {
        self.namespaces.settle(name, self.registry);
    }
}

/// Sets the label that every namespace with a name has.
fn set_name_label(object: &mut Value) {
    let name = fields::text(object, "name").to_owned();
    if !name.is_empty()
        && let Some(metadata) = fields::metadata_mut(object)
    {
        let labels = metadata.entry("labels").or_insert_with(|| json!({}));
        if let Some(labels) = labels.as_object_mut() {
            labels.insert("kubernetes.io/metadata.name".into(), name.into());
        }
    }
}

/// Copies a field of the root from the old object.
pub(super) fn keep(object: &mut Value, old: &Value, field: &str) {
    object[field] = old.get(field).cloned().unwrap_or_default();
}

/// What upstream requires of `metadata.finalizers` of a namespace in addition to what holds for every object.
pub(super) fn metadata_finalizer_violations(object: &Value) -> Vec<Violation> {
    let finalizers = fields::finalizers(object).enumerate();
    let wrong = finalizers.filter(|(_, finalizer)| is_neither_standard_nor_qualified(finalizer));
    let violation = |(index, finalizer): (usize, &str)| Violation {
        field: format!("metadata.finalizers[{index}]"),
        reason: Reason::Invalid,
        requirement: "REST-074",
        detail: message::about_text(finalizer, NOT_QUALIFIED),
    };
    wrong.map(violation).collect()
}

fn is_neither_standard_nor_qualified(finalizer: &str) -> bool {
    !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&finalizer)
}

/// Validates the finalizers in `spec`. Upstream reports the index of a wrong one only for `/finalize`.
pub(super) fn finalizer_violations(object: &Value, with_index: bool) -> Vec<Violation> {
    let mut found = Vec::new();
    let finalizers = object["spec"]["finalizers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for (index, finalizer) in finalizers.enumerate() {
        let mut faults = name::qualified_name_faults(finalizer);
        if is_neither_standard_nor_qualified(finalizer) {
            faults.push(NOT_QUALIFIED);
        }
        let field = if with_index { format!("spec.finalizers[{index}]") } else { "spec.finalizers".to_owned() };
        found.extend(faults.into_iter().map(|fault| Violation {
            field: field.clone(),
            reason: Reason::Invalid,
            requirement: "REST-074",
            detail: message::about_text(finalizer, fault),
        }));
    }
    found
}
