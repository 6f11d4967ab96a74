//! Field management of the objects of built-in kinds.

use std::sync::Arc;

use crdible_semantics::managed_fields::{FieldType, NoType, Tracked};
use serde_json::{Value, json};

use crate::kinds::BuiltIn;
use crate::wire::shape;

/// Field management of the objects of a built-in kind, which has one version, or of one of their subresources.
pub(crate) struct KindFields {
    pub(crate) kind: &'static BuiltIn,
    /// Empty for whole objects.
    pub(crate) subresource: &'static str,
    /// Fields of the root that a write never changes.
    pub(crate) resets: &'static [&'static str],
}

impl Tracked for KindFields {
    fn api_version(&self) -> &str {
        &self.kind.names().api_version
    }

    fn subresource(&self) -> &'static str {
        self.subresource
    }

    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        self.resets
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        if api_version == self.api_version() { Ok(Arc::clone(self.kind.fields())) } else { Err(NoType::Unknown) }
    }

    fn blank(&self) -> Value {
        let mut blank = json!({"apiVersion": self.api_version(), "kind": self.kind.kind});
        shape::fit(&mut blank, self.kind.object);
        blank
    }
}
