//! Field management of events.

use std::sync::{Arc, LazyLock};

use crdible_semantics::managed_fields::{FieldType, NoType, Tracked};
use serde_json::{Value, json};

use super::Version;
use crate::kinds::{self, CORE_EVENT, EVENT};
use crate::wire::shape;

/// Field management of events in a version. Like upstream, a write in one group drops the managers of the other group.
pub(super) struct EventFields(pub(super) Version);

impl Tracked for EventFields {
    fn api_version(&self) -> &str {
        self.0.api_version()
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        static CORE: LazyLock<Arc<FieldType>> = LazyLock::new(|| kinds::field_type(CORE_EVENT.object));
        static EVENTS: LazyLock<Arc<FieldType>> = LazyLock::new(|| kinds::field_type(EVENT.object));
        match self.0 {
            version if version.api_version() != api_version => Err(NoType::Unknown),
            Version::Core => Ok(Arc::clone(&CORE)),
            Version::Events => Ok(Arc::clone(&EVENTS)),
        }
    }

    fn blank(&self) -> Value {
        let mut blank = json!({"apiVersion": self.api_version(), "kind": "Event"});
        shape::fit(&mut blank, self.0.kind().object);
        blank
    }
}
