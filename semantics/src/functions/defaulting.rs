//! Nulls and defaults.

use serde_json::{Map, Value};

use super::AsSemantics;
use crate::{Schema, default, nulls};

/// Which nulls go, and which defaults come: chapter 4.
///
/// Both happen once: doing either again changes nothing (DEFAULT-020).
pub trait Defaulting: AsSemantics {
    /// Removes the nulls that are neither allowed nor replaced by a default (DEFAULT-003). Elements of arrays stay.
    fn drop_nulls(&self, value: &mut Value, schema: &Schema) {
        nulls::drop_nulls(self.as_semantics(), value, schema);
    }

    /// Whether a null at a key with this schema goes.
    fn drops_null(&self, schema: &Schema) -> bool {
        !schema.nullable && schema.default.is_none()
    }

    /// Fills in defaults (DEFAULT-001..008).
    fn default(&self, value: &mut Value, schema: &Schema) {
        default::value(self.as_semantics(), value, schema);
    }

    /// Fills in the defaults of an object's properties and of everything below them.
    fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) {
        default::object(self.as_semantics(), object, schema);
    }

    /// Fills in one declared property, or what is below it (DEFAULT-001, DEFAULT-002, DEFAULT-004).
    fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
        default::property(self.as_semantics(), object, name, schema);
    }

    /// Fills in the default of a null under `additionalProperties`, or what is below the value (DEFAULT-006).
    fn default_map_value(&self, value: &mut Value, schema: &Schema) {
        default::entry(self.as_semantics(), value, schema);
    }

    /// Fills in the default of a null in a list, or what is below the element (DEFAULT-005).
    fn default_element(&self, value: &mut Value, schema: &Schema) {
        default::entry(self.as_semantics(), value, schema);
    }

    /// Whether the default stands in for what is present: nothing, or a null that is not allowed.
    fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
        schema.default.is_some() && present.is_none_or(|value| value.is_null() && !schema.nullable)
    }

    /// A copy of the default, completed by the defaults below it (DEFAULT-004, DEFAULT-019); `None` without a default.
    fn inserted_default(&self, schema: &Schema) -> Option<Value> {
        let mut value = schema.default.clone()?;
        self.default(&mut value, schema);
        Some(value)
    }
}
