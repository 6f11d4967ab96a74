//! Definitions as a resource of the engine.

use std::sync::Arc;

use crdible_semantics::Violation;
use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::managed_fields::Tracked;
use serde_json::Value;

use super::settle::{Registry, write_status};
use super::tracked::definition_fields;
use super::{CLEANUP, columns, defaults, embedded_defaults, own_names, strict_fields};
use crate::base::status::Failure;
use crate::engine::{BodyForm, Deletion, Resource, Update, by_finalizers};
use crate::kinds::{DEFINITION, Kind};
use crate::messages::patch::PatchType;
use crate::messages::table::Columns;
use crate::metadata::fields;
use crate::store::{Collection, Document};
use crate::wire::shape::decode_object;

/// The resource of definitions.
pub(crate) struct DefinitionResource<'a> {
    pub(crate) registry: &'a Registry,
}

impl BodyForm for DefinitionResource<'_> {
    fn kind(&self) -> &Kind {
        DEFINITION.names()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn reports_field(&self, path: &str) -> bool {
        strict_fields::is_reported(path)
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        let unknown = decode_object(&self.registry.engine.semantics, object, DEFINITION.object)?;
        defaults::fill(object);
        Ok(unknown)
    }
}

impl Update for DefinitionResource<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        Box::new(definition_fields())
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        let mut status = Status::of(old);
        if let Some(version) = Spec::of(object).storage_version() {
            status.stored_versions = self.registry.controllers.stored_versions(&status.stored_versions, &version.name);
        }
        write_status(object, &status);
    }

    fn next_generation(&self, object: &Value, old: &Value) -> Option<i64> {
        let changed = object.get("spec") != old.get("spec");
        Some(self.registry.controllers.next_generation(fields::generation(old), changed))
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        self.registry.engine.semantics.definition_update_violations(object, old)
    }

    fn warnings(&self, object: &Value, old: Option<&Value>) -> Vec<String> {
        let semantics = &self.registry.engine.semantics;
        let formats = semantics.unknown_formats(object, old).into_iter();
        let sets = semantics.sets_of_containers(object, old).into_iter();
        let formats = formats.map(|format| format!("unrecognized format \"{format}\""));
        let sets = sets.map(|items| {
            format!(
                "x-kubernetes-list-type: set for items of type \"{items}\" is not supported by server-side apply or CEL validation rules"
            )
        });
        let own_names = old.map(|old| own_names::warnings(&Spec::of(object).names, &Status::of(old).accepted_names));
        formats.chain(sets).chain(own_names.into_iter().flatten()).collect()
    }
}

impl Resource for DefinitionResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        &self.registry.collection
    }

    fn model(&self) -> Option<&'static Value> {
        Some(DEFINITION.model())
    }

    fn checks_preconditions_itself(&self) -> bool {
        true
    }

    fn later_patch_types(&self) -> &[PatchType] {
        &[PatchType::Apply]
    }

    fn prepare_create(&self, object: &mut Value) {
        fields::set(object, "generation", 1);
        let spec = Spec::of(object);
        let storage = spec.storage_version();
        let stored_versions =
            storage.map(|version| self.registry.controllers.stored_versions(&[], &version.name)).unwrap_or_default();
        write_status(object, &Status { stored_versions, ..Status::default() });
    }

    fn unknown_field(&self, label: &str) -> String {
        format!("{label:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"")
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        self.registry.engine.semantics.definition_violations(object)
    }

    fn encode(&self, mut object: Value) -> Result<Document, Failure> {
        embedded_defaults::rewrite(&self.registry.engine.semantics, &mut object);
        Ok(Document::tree(object))
    }

    fn columns(&self) -> Arc<Columns> {
        columns::columns(self.registry.engine.semantics.release)
    }

    /// Deleting a definition starts the removal of its instances (LIFE-014, LIFE-015).
    fn deletion(&self, object: &Value, propagation: Option<&str>, now: &str) -> Deletion {
        if fields::is_terminating(object) {
            // A second deletion works as for any object.
            return by_finalizers(object, propagation, now);
        }
        let mut marked = object.clone();
        let mut finalizers: Vec<String> = fields::finalizers(object).map(str::to_owned).collect();
        if !finalizers.iter().any(|finalizer| finalizer == CLEANUP) {
            finalizers.push(CLEANUP.to_owned());
        }
        fields::set_finalizers(&mut marked, finalizers);
        fields::set(&mut marked, "deletionTimestamp", now);
        let mut status = Status::of(object);
        let message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
        status.set_condition("Terminating", true, "InstanceDeletionPending", message, now);
        write_status(&mut marked, &status);
        Deletion::Keep(marked)
    }

    fn written(&self, name: &str) {
        self.registry.settle(name);
    }
}
