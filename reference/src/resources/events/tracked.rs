//! Field management of events.

use serde_json::json;

use super::EventVersion;
use crate::resources::kind_fields::KindFields;
use crate::wire::shape;

/// Field management of events in a version. Like upstream, a write in one group drops the managers of the other group.
pub(super) fn event_fields(version: EventVersion) -> KindFields {
    let kind = version.kind();
    let mut blank = json!({"apiVersion": version.api_version(), "kind": kind.kind});
    shape::fit(&mut blank, kind.object);
    KindFields { kind, subresource: "", resets: &[], blank }
}
