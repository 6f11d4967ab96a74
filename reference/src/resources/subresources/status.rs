//! `/status`: writes that change only the status (SUB-005..008, SUB-012, SUB-013).

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{RuleFindings, Violation};
use serde_json::Value;

use crate::engine::{BodyForm, Update};
use crate::kinds::Kind;
use crate::resources::instance_fields::InstanceFields;
use crate::resources::instances::InstanceResource;

/// Updates of the status of custom resources. A body is a complete object, whose kind is ignored.
pub(crate) struct StatusUpdate<'a> {
    pub(crate) instances: &'a InstanceResource<'a>,
}

impl BodyForm for StatusUpdate<'_> {
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

    fn decode_other(&self, object: &mut Value) -> Result<Vec<String>, String> {
        self.instances.decode_other(object)
    }
}

impl Update for StatusUpdate<'_> {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        let InstanceResource { definition, version, deadline, .. } = *self.instances;
        let semantics = &*self.instances.registry.engine.semantics;
        Box::new(InstanceFields { definition, version, is_status: true, semantics, deadline })
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        self.instances.registry.engine.semantics.take_status(object, old);
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn rule_findings(&self, object: &Value, old: Option<&Value>, found: &[Violation]) -> RuleFindings {
        self.instances.rule_findings(object, old, found)
    }

    fn updated_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let (semantics, version) = (&self.instances.registry.engine.semantics, self.instances.version);
        let mut found = semantics.status_violations(object, &version.schema, Some(old));
        if let Some(scale) = &version.scale {
            semantics.check_scale_status(object, scale, &mut found);
        }
        found
    }
}
