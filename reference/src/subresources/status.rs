//! `/status`: writes that change nothing but the status (SUB-005..008, SUB-012, SUB-013).

use std::sync::Arc;

use crdible_semantics::Violation;
use serde_json::Value;

use crate::definitions::Life;
use crate::engine::{BodyForm, Kind, Resource};
use crate::instances::InstanceResource;
use crate::patch::PatchType;
use crate::status::Failure;
use crate::storage::{Collection, Stored};
use crate::table::Columns;
use crate::watch::Reader;

/// The status of instances of one definition at one version.
pub(crate) struct StatusResource<'a> {
    pub(crate) instances: &'a InstanceResource<'a>,
}

impl BodyForm for StatusResource<'_> {
    fn kind(&self) -> &Kind {
        self.instances.kind()
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn overlooks_kind(&self) -> bool {
        true
    }

    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String> {
        self.instances.decode(object)
    }
}

impl Resource for StatusResource<'_> {
    fn collection(&self) -> &Arc<dyn Collection> {
        self.instances.collection()
    }

    fn later_patch_types(&self) -> &[PatchType] {
        self.instances.later_patch_types()
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        self.instances.created_violations(object)
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        self.instances.registry.semantics.take_status(object, old);
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let (semantics, version) = (&self.instances.registry.semantics, self.instances.version);
        let mut found = semantics.status_violations(object, old, &version.schema);
        if let Some(scale) = &version.scale {
            semantics.check_scale_status(object, scale, &mut found);
        }
        found
    }

    fn encode(&self, object: Value) -> Result<Value, Failure> {
        self.instances.encode(object)
    }

    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        self.instances.read(stored)
    }

    fn reader(&self) -> Arc<dyn Reader> {
        self.instances.reader()
    }

    fn life(&self) -> Option<Life> {
        self.instances.life()
    }

    fn columns(&self) -> Arc<Columns> {
        self.instances.columns()
    }

    fn written(&self, name: &str) {
        self.instances.written(name);
    }
}
