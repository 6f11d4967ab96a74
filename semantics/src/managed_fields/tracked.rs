//! What is written, as far as field management depends on it.

use std::sync::Arc;

use serde_json::Value;

use super::check::Untyped;
use super::types::FieldType;

/// Why a version has no type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoType {
    /// The version does not exist; its managers are dropped.
    Unknown,
    /// Objects cannot be converted to it.
    Refused,
}

/// What field management needs to know about the target of a write.
pub trait Tracked {
    /// The version of the request.
    fn api_version(&self) -> &str;

    /// The subresource that is written; empty for whole objects.
    fn subresource(&self) -> &'static str {
        ""
    }

    /// Fields of the root that such a write never changes, whatever its body contains.
    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        &[]
    }

    /// The type of objects in a version.
    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType>;

    /// An object in which nothing is set yet.
    fn blank(&self) -> Value;

    /// Converts an object to another version.
    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, Untyped> {
        Ok(at_version(object, api_version))
    }
}

/// The same object with another `apiVersion`.
fn at_version(object: &Value, api_version: &str) -> Value {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.insert("apiVersion".into(), api_version.into());
    }
    object
}
