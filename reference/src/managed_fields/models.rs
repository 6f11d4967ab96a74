//! Types that the server was compiled with, by the models that it publishes of them.

use crdible_semantics::Schema;

use super::compile::compile;
use super::types::Type;
use crate::openapi;

/// The type of a model.
pub(crate) fn of_model(name: &str) -> Type {
    let schema = Schema::parse(&openapi::resolved(name)).map(|(schema, _)| schema).unwrap_or_default();
    compile(&schema, false)
}
