//! The two versions of `OpenAPI`.

/// The version of `OpenAPI` that a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Swagger 2.0: one document for everything.
    V2,
    /// `OpenAPI` 3.0: a document for each group version.
    V3,
}

impl Dialect {
    /// The reference to a model within its document.
    pub(crate) fn address(self, model: &str) -> String {
        match self {
            Self::V2 => format!("#/definitions/{model}"),
            Self::V3 => format!("#/components/schemas/{model}"),
        }
    }
}
