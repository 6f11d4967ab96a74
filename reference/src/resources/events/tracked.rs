//! Field management of events.

use super::EventVersion;
use crate::resources::kind_fields::KindFields;

/// Field management of events in a version. Like upstream, a write in one group drops the managers of the other group.
pub(super) fn event_fields(version: EventVersion) -> KindFields {
    KindFields { kind: version.kind(), subresource: "", resets: &[] }
}
