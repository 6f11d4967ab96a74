//! Types of built-in resources, from the `OpenAPI` models that the server publishes.

use crdible_semantics::Schema;

use super::compile::compile;
use super::types::Type;
use crate::openapi;

/// The type of a model.
pub(crate) fn of_model(name: &str) -> Type {
    let schema = Schema::parse(&openapi::resolved(name)).map(|(schema, _)| schema).unwrap_or_default();
    compile(&schema, false)
}
