//! Field management of definitions.

use crdible_semantics::Semantics;
use crdible_semantics::managed_fields::Writer;
use crdible_semantics::release::Change;
use serde_json::Value;

use crate::kinds::DEFINITION;
use crate::resources::kind_fields::KindFields;

/// Field management of definitions.
pub(super) fn definition_fields() -> KindFields {
    KindFields { kind: &DEFINITION, subresource: "", resets: &["status"] }
}

/// Field management of the status of definitions.
pub(super) fn status_fields(semantics: &Semantics) -> KindFields {
    let keeps_metadata = semantics.release.has(Change::StatusResetsMetadata);
    let resets: &[&str] = if keeps_metadata { &["spec"] } else { &["metadata", "spec"] };
    KindFields { kind: &DEFINITION, subresource: "status", resets }
}

/// Records the server's own controllers as managers of what they changed in the status of a definition.
pub(super) fn track_controllers(semantics: &Semantics, now: String, before: &Value, after: &mut Value) {
    let writer = Writer::program("kube-apiserver", now);
    semantics.track_fields(&status_fields(semantics), &writer, Some(before), after);
}
