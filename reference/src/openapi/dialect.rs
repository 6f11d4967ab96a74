//! The two forms in which the same things are told.

/// Which `OpenAPI` a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Swagger 2.0: one document for everything.
    V2,
    /// `OpenAPI` 3.0: a document for each group version.
    V3,
}

impl Dialect {
    /// The address of a model within its document.
    pub(super) fn address(self, model: &str) -> String {
        match self {
            Self::V2 => format!("#/definitions/{model}"),
            Self::V3 => format!("#/components/schemas/{model}"),
        }
    }
}
