//! Field management of namespaces.

use super::part::Part;
use crate::kinds::NAMESPACE;
use crate::resources::kind_fields::KindFields;

/// Field management of namespaces, or of one of their subresources.
pub(super) fn namespace_fields(part: Option<Part>) -> KindFields {
    KindFields {
        kind: &NAMESPACE,
        subresource: part.map_or("", Part::name),
        resets: if part == Some(Part::Status) { &["spec"] } else { &["status"] },
    }
}
