//! `/status` and `/finalize` of namespaces, as written by controllers that delete namespaces.

use crdible_semantics::managed_fields::Tracked;
use crdible_semantics::{Reason, Violation, message};
use serde_json::Value;

use super::part::Part;
use super::resource::{finalizer_violations, keep, metadata_finalizer_violations};
use super::tracked::namespace_fields;
use crate::engine::Update;
use crate::metadata::fields;

/// Updates of a subresource. Metadata is taken from the body too.
pub(crate) struct PartUpdate(pub(crate) Part);

impl Update for PartUpdate {
    fn tracked(&self) -> Box<dyn Tracked + '_> {
        Box::new(namespace_fields(Some(self.0)))
    }

    fn prepare_update(&self, object: &mut Value, old: &Value) {
        keep(object, old, if self.0 == Part::Status { "spec" } else { "status" });
    }

    fn has_table(&self) -> bool {
        self.0 == Part::Status
    }

    fn next_generation(&self, _object: &Value, _old: &Value) -> Option<i64> {
        None
    }

    fn updated_violations(&self, object: &Value, _old: &Value) -> Vec<Violation> {
        let mut found = metadata_finalizer_violations(object);
        found.extend(match self.0 {
            Part::Status => phase_violations(object),
            Part::Finalize => finalizer_violations(object, true),
        });
        found
    }
}

/// Checks that the phase matches whether the namespace is being deleted.
fn phase_violations(object: &Value) -> Vec<Violation> {
    let phase = object["status"]["phase"].as_str().unwrap_or_default();
    let (wanted, state) =
        if fields::is_terminating(object) { ("Terminating", "is not empty") } else { ("Active", "is empty") };
    if phase == wanted {
        return Vec::new();
    }
    vec![Violation {
        field: "status.Phase".into(),
        reason: Reason::Invalid,
        requirement: "REST-074",
        detail: message::about_text(phase, format_args!("may only be '{wanted}' if `deletionTimestamp` {state}")),
    }]
}
