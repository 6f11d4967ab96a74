//! Removal of nulls (DEFAULT-003).

use serde_json::Value;

use crate::{Schema, Semantics};

pub(crate) fn drop_nulls(semantics: &Semantics, value: &mut Value, schema: &Schema) {
    match value {
        Value::Object(object) => {
            if schema.properties.is_empty() && schema.value_schema().is_none() {
                return;
            }
            object.retain(|key, value| {
                let Some(child) = semantics.child(schema, key).schema() else {
                    return true;
                };
                if value.is_null() {
                    return !semantics.drops_null(child);
                }
                semantics.drop_nulls(value, child);
                true
            });
        }
        Value::Array(elements) => {
            let Some(items) = schema.item_schema() else { return };
            for element in elements {
                semantics.drop_nulls(element, items);
            }
        }
        _ => {}
    }
}
