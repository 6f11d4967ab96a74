//! The types of built-in kinds for field management, which follow from their models.

use std::sync::{Arc, LazyLock};

use crdible_semantics::Schema;
use crdible_semantics::managed_fields::{FieldType, of_model};

use super::resolved::resolved;
use crate::kinds::{BuiltIn, OBJECT_META, SCALE, Type};

impl BuiltIn {
    /// The type of its objects.
    pub(crate) fn fields(&self) -> &Arc<FieldType> {
        self.derived.fields.get_or_init(|| fields_of(self.object))
    }
}

/// The type of the metadata of every object.
pub(crate) static METADATA_FIELDS: LazyLock<Arc<FieldType>> = LazyLock::new(|| fields_of(&OBJECT_META));

/// The type of a Scale.
pub(crate) static SCALE_FIELDS: LazyLock<Arc<FieldType>> = LazyLock::new(|| fields_of(&SCALE));

/// The type of values of a declared type.
fn fields_of(of: &Type) -> Arc<FieldType> {
    let schema = Schema::parse(&resolved(of)).map(|(schema, _)| schema).unwrap_or_default();
    Arc::new(of_model(&schema))
}
