//! Field management of events.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::Version;
use crate::kinds::{CORE_EVENT, EVENT};
use crate::managed_fields::{self, NoType, Tracked, Type};
use crate::wire::shape;

/// Field management of events in a version. Like upstream, a write in one group drops the managers of the other group.
pub(super) struct EventFields(pub(super) Version);

impl Tracked for EventFields {
    fn api_version(&self) -> &str {
        self.0.api_version()
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<Type>, NoType> {
        static CORE: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(managed_fields::of_model(CORE_EVENT.object.name)));
        static EVENTS: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(managed_fields::of_model(EVENT.object.name)));
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
