//! The subresources of namespaces.

/// A subresource of namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Status,
    Finalize,
}

impl Part {
    /// The subresource that a path names.
    pub(crate) fn of_path(subresource: &str) -> Option<Self> {
        [Self::Status, Self::Finalize].into_iter().find(|part| part.name() == subresource)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Finalize => "finalize",
        }
    }
}
