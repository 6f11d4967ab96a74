//! Field management of objects of definitions.

use std::sync::Arc;

use crdible_semantics::Semantics;
use crdible_semantics::managed_fields::{FieldType, NoType, ScalePaths, Tracked, Untyped};
use crdible_semantics::release::Change;
use serde_json::{Value, json};

use crate::resources::definitions::Definition;
use crate::views::Version;
use crate::webhooks::conversion::Deadline;

/// Field management of the objects of a definition in one version, or of their status.
pub(crate) struct InstanceFields<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) version: &'a Version,
    pub(crate) is_status: bool,
    pub(crate) semantics: &'a Semantics,
    /// Until when the request may wait for a webhook.
    pub(crate) deadline: Deadline,
}

impl Tracked for InstanceFields<'_> {
    fn api_version(&self) -> &str {
        &self.version.kind.api_version
    }

    fn subresource(&self) -> &'static str {
        if self.is_status { "status" } else { "" }
    }

    /// Like upstream, a write of the status resets the rest for managers of every version, but any other write resets
    /// the status only for managers of its own version. In old releases, a write of the status does so too, and does
    /// not reset metadata.
    fn resets(&self, api_version: &str) -> &'static [&'static str] {
        let has_status = self.definition.version_of(api_version).is_some_and(|version| version.has_status);
        let is_own = api_version == self.api_version();
        let in_all = self.is_status && self.semantics.release.has(Change::StatusResetsInAllVersions);
        if !has_status || !(is_own || in_all) {
            return &[];
        }
        match self.is_status {
            true if self.semantics.release.has(Change::StatusResetsMetadata) => &["metadata", "spec"],
            true => &["spec"],
            false => &["status"],
        }
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        let version = self.definition.version_of(api_version).ok_or(NoType::Refused)?;
        Ok(version.fields(self.semantics))
    }

    fn blank(&self) -> Value {
        json!({"apiVersion": self.version.kind.api_version, "kind": self.version.kind.kind})
    }

    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, Untyped> {
        // The result is not fitted to the schema of the version.
        self.definition.converter.convert(object.clone(), api_version, self.deadline).map_err(|_| Untyped)
    }
}

impl ScalePaths for Definition {
    fn knows(&self, api_version: &str) -> bool {
        self.version_of(api_version).is_some()
    }

    fn replicas_at(&self, api_version: &str) -> Option<Vec<&str>> {
        let path = &self.version_of(api_version)?.scale.as_ref()?.spec_replicas_path;
        Some(path.strip_prefix('.').unwrap_or(path).split('.').collect())
    }
}
