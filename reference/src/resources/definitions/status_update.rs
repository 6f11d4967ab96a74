//! `/status` of definitions, as written by clients (CRDVAL-019, CRDVAL-020, CRDVAL-022).

use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{Semantics, Violation};
use serde_json::Value;

use super::settle::write_status;
use super::tracked::status_fields;
use crate::engine::Update;

/// Updates of the status of a definition.
pub(crate) struct DefinitionStatusUpdate<'a> {
    pub(crate) semantics: &'a Semantics,
}

impl Update for DefinitionStatusUpdate<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        Box::new(status_fields(self.semantics))
    }

    /// Keeps the specification. Metadata is taken from the body, unlike for instances (CRDVAL-020 `[Q]`).
    fn prepare_update(&self, object: &mut Value, old: &Value) {
        let mut status = Status::of(object);
        // An empty list defaults to the storage version (CRDVAL-019 [Q]).
        if status.stored_versions.is_empty() {
            status.stored_versions.extend(Spec::of(old).storage_version().map(|version| version.name.clone()));
        }
        write_status(object, &status);
        if let (Some(object), Some(spec)) = (object.as_object_mut(), old.get("spec")) {
            object.insert("spec".into(), spec.clone());
        }
    }

    fn has_table(&self) -> bool {
        false
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let mut found = Vec::new();
        self.semantics.check_accepted_names(&Status::of(object).accepted_names, &mut found);
        // Every write may change the annotation, so every write is checked (CRDVAL-055).
        self.semantics.check_approval(object, Some(old), &mut found);
        found
    }
}
