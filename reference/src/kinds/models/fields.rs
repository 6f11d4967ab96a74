//! The types of built-in kinds for field management, which follow from their models.

use std::sync::{Arc, LazyLock};

use crdible_semantics::Schema;
use crdible_semantics::managed_fields::{FieldType, of_model};

use super::resolved::resolved;
use crate::kinds::{BuiltIn, OBJECT_META, Type};

impl BuiltIn {
    /// The type of its objects.
    pub(crate) fn fields(&self) -> &Arc<FieldType> {
        self.derived.fields.get_or_init(|| field_type(self.object))
    }
}

/// The type of values of a declared type.
pub(crate) fn field_type(of: &Type) -> Arc<FieldType> {
    let schema = Schema::parse(&resolved(of)).map(|(schema, _)| schema).unwrap_or_default();
    Arc::new(of_model(&schema))
}

/// The type of the metadata of every object.
pub(crate) fn metadata_field_type() -> &'static Arc<FieldType> {
    static METADATA: LazyLock<Arc<FieldType>> = LazyLock::new(|| field_type(&OBJECT_META));
    &METADATA
}
