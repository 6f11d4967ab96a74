//! Field management of definitions.

use std::sync::{Arc, LazyLock};

use crdible_semantics::Semantics;
use crdible_semantics::managed_fields::{FieldType, NoType, Tracked, Writer};
use crdible_semantics::release::Change;
use serde_json::{Value, json};

use crate::kinds::{self, DEFINITION};
use crate::wire::shape::decode_object;

/// Field management of definitions, or of their status.
pub(crate) struct DefinitionFields<'a> {
    pub(crate) semantics: &'a Semantics,
    pub(crate) is_status: bool,
}

impl Tracked for DefinitionFields<'_> {
    fn api_version(&self) -> &str {
        &DEFINITION.names().api_version
    }

    fn subresource(&self) -> &'static str {
        if self.is_status { "status" } else { "" }
    }

    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        match self.is_status {
            true if self.semantics.release.has(Change::StatusResetsMetadata) => &["spec"],
            true => &["metadata", "spec"],
            false => &["status"],
        }
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        static TYPE: LazyLock<Arc<FieldType>> = LazyLock::new(|| kinds::field_type(DEFINITION.object));
        if api_version == self.api_version() { Ok(Arc::clone(&TYPE)) } else { Err(NoType::Unknown) }
    }

    fn blank(&self) -> Value {
        let mut blank = json!({"apiVersion": self.api_version(), "kind": DEFINITION.kind});
        // Cannot fail: no value has a wrong type.
        let _ = decode_object(self.semantics, &mut blank, DEFINITION.object);
        blank
    }
}

/// Records the server's own controllers as managers of what they changed in the status of a definition.
pub(super) fn track_controllers(semantics: &Semantics, now: String, before: &Value, after: &mut Value) {
    let status = DefinitionFields { semantics, is_status: true };
    semantics.track_fields(&status, &Writer::program("kube-apiserver", now), Some(before), after);
}
