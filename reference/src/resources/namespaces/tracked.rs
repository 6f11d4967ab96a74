//! Field management of namespaces.

use std::sync::{Arc, LazyLock};

use crdible_semantics::managed_fields::{FieldType, NoType, Tracked};
use serde_json::{Value, json};

use super::part::Part;
use crate::kinds::{self, NAMESPACE};

/// Field management of namespaces, or of one of their subresources.
pub(super) struct NamespaceFields(pub(super) Option<Part>);

impl Tracked for NamespaceFields {
    fn api_version(&self) -> &'static str {
        "v1"
    }

    fn subresource(&self) -> &'static str {
        self.0.map_or("", Part::name)
    }

    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        match self.0 {
            Some(Part::Status) => &["spec"],
            None | Some(Part::Finalize) => &["status"],
        }
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        static TYPE: LazyLock<Arc<FieldType>> = LazyLock::new(|| kinds::field_type(NAMESPACE.object));
        if api_version == self.api_version() { Ok(Arc::clone(&TYPE)) } else { Err(NoType::Unknown) }
    }

    fn blank(&self) -> Value {
        json!({"apiVersion": "v1", "kind": "Namespace", "spec": {}, "status": {}})
    }
}
