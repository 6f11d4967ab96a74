//! `/status` of definitions: how controllers of clients write it (CRDVAL-019, CRDVAL-020, CRDVAL-022).

use std::sync::Arc;

use crdible_semantics::Violation;
use crdible_semantics::definition::{Spec, Status};
use serde_json::Value;

use super::DefinitionResource;
use super::settle::write_status;
use crate::engine::{BodyForm, Kind, Resource};
use crate::patch::PatchType;
use crate::status::Failure;
use crate::storage::{Collection, Stored};
use crate::table::Columns;
use crate::watch::Reader;

/// The status of definitions.
pub(crate) struct DefinitionStatusResource<'a> {
    pub(crate) definitions: &'a DefinitionResource<'a>,
}

impl BodyForm for DefinitionStatusResource<'_> {
    fn kind(&self) -> &Kind {
        self.definitions.kind()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        self.definitions.decode(object)
    }
}

impl Resource for DefinitionStatusResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        self.definitions.collection()
    }

    fn later_patch_types(&self) -> &[PatchType] {
        self.definitions.later_patch_types()
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        self.definitions.created_violations(object)
    }

    /// The specification stays as it is; metadata are taken from the body, unlike with instances (CRDVAL-020 [Q]).
    fn prepare_update(&self, object: &mut Value, old: &Value) {
        let mut status = Status::of(object);
        // What is empty is defaulted to the storage version (CRDVAL-019 [Q]).
        if status.stored_versions.is_empty() {
            status.stored_versions.extend(Spec::of(old).storage_version().map(|version| version.name.clone()));
        }
        write_status(object, &status);
        if let (Some(object), Some(spec)) = (object.as_object_mut(), old.get("spec")) {
            object.insert("spec".into(), spec.clone());
        }
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let semantics = &self.definitions.registry.semantics;
        let mut found = Vec::new();
        semantics.check_accepted_names(&Status::of(object).accepted_names, &mut found);
        // Every write may change the annotation, so every write is checked (CRDVAL-055).
        semantics.check_approval(object, Some(old), &mut found);
        found
    }

    fn encode(&self, object: Value) -> Result<Value, Failure> {
        self.definitions.encode(object)
    }

    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        self.definitions.read(stored)
    }

    fn reader(&self) -> Arc<dyn Reader> {
        self.definitions.reader()
    }

    fn columns(&self) -> Arc<Columns> {
        self.definitions.columns()
    }

    fn written(&self, name: &str) {
        self.definitions.written(name);
    }
}
