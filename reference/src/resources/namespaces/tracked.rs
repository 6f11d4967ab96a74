//! Field management of namespaces.

use serde_json::json;

use super::part::Part;
use crate::kinds::NAMESPACE;
use crate::resources::kind_fields::KindFields;

/// Field management of namespaces, or of one of their subresources.
pub(super) fn namespace_fields(part: Option<Part>) -> KindFields {
    KindFields {
        kind: &NAMESPACE,
        subresource: part.map_or("", Part::name),
        resets: if part == Some(Part::Status) { &["spec"] } else { &["status"] },
        blank: json!({"apiVersion": "v1", "kind": "Namespace", "spec": {}, "status": {}}),
    }
}
