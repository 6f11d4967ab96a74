//! What a resource is called.

/// Names of a resource in one version.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_field_names, reason = "Kubernetes' own names")]
pub(crate) struct Kind {
    pub(crate) group: String,
    /// `apiVersion` of its objects.
    pub(crate) api_version: String,
    pub(crate) plural: String,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
}

impl Kind {
    /// `plural.group`.
    pub(crate) fn qualified(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }
}
