//! Field management of definitions.

use crdible_semantics::Semantics;
use crdible_semantics::managed_fields::Writer;
use crdible_semantics::release::Change;
use serde_json::{Value, json};

use crate::kinds::DEFINITION;
use crate::resources::kind_fields::KindFields;
use crate::wire::shape::decode_object;

/// Field management of definitions.
pub(super) fn definition_fields(semantics: &Semantics) -> KindFields {
    let mut blank = json!({"apiVersion": DEFINITION.names().api_version, "kind": DEFINITION.kind});
    // Cannot fail: no value has a wrong type.
    let _ = decode_object(semantics, &mut blank, DEFINITION.object);
    KindFields { kind: &DEFINITION, subresource: "", resets: &["status"], blank }
}

/// Field management of the status of definitions.
pub(super) fn status_fields(semantics: &Semantics) -> KindFields {
    let keeps_metadata = semantics.release.has(Change::StatusResetsMetadata);
    let resets: &[&str] = if keeps_metadata { &["spec"] } else { &["metadata", "spec"] };
    KindFields { subresource: "status", resets, ..definition_fields(semantics) }
}

/// Records the server's own controllers as managers of what they changed in the status of a definition.
pub(super) fn track_controllers(semantics: &Semantics, now: String, before: &Value, after: &mut Value) {
    let writer = Writer::program("kube-apiserver", now);
    semantics.track_fields(&status_fields(semantics), &writer, Some(before), after);
}
