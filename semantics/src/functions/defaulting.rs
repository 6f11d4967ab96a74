//! Nulls and defaults.

use serde_json::{Map, Value};

use crate::{Schema, Semantics, default, nulls};

area! {
    /// The nulls that are removed, and the defaults that are set (chapter 4).
    ///
    /// Both are idempotent (DEFAULT-020).
    pub struct Defaulting as defaulting;

    /// Removes the nulls that are neither allowed nor replaced by a default (DEFAULT-003). Elements of arrays are kept.
    fn drop_nulls(&self, value: &mut Value, schema: &Schema) = nulls::drop_nulls;
    /// Whether a null at a key with this schema is removed.
    fn drops_null(&self, schema: &Schema) -> bool = |_, schema| !schema.nullable && schema.default.is_none();
    /// Sets the defaults in a value (DEFAULT-001..008).
    fn apply_defaults(&self, value: &mut Value, schema: &Schema) = default::value;
    /// Sets the defaults of an object's properties and of everything below them.
    fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) = default::object;
    /// Sets the default of one declared property, or the defaults below its value (DEFAULT-001, DEFAULT-002,
    /// DEFAULT-004).
    fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) = default::property;
    /// Sets the default of a null map value (`additionalProperties`), or the defaults below the value (DEFAULT-006).
    fn default_map_value(&self, value: &mut Value, schema: &Schema) = default::entry;
    /// Sets the default of a null list element, or the defaults below the element (DEFAULT-005).
    fn default_element(&self, value: &mut Value, schema: &Schema) = default::entry;
    /// Whether the default replaces the present value: a missing value, or a null that is not allowed.
    fn takes_default(present: Option<&Value>, schema: &Schema) -> bool = takes_default;
    /// A copy of the default with the defaults below it (DEFAULT-004, DEFAULT-019). Returns `None` if the schema has no
    /// default.
    fn inserted_default(&self, schema: &Schema) -> Option<Value> = inserted_default;
}

fn takes_default(present: Option<&Value>, schema: &Schema) -> bool {
    schema.default.is_some() && present.is_none_or(|value| value.is_null() && !schema.nullable)
}

fn inserted_default(semantics: &Semantics, schema: &Schema) -> Option<Value> {
    let mut value = schema.default.clone()?;
    semantics.apply_defaults(&mut value, schema);
    Some(value)
}
