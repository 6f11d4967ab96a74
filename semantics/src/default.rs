//! Defaulting (chapter 4).

use serde_json::{Map, Value};

use crate::{Schema, Semantics};

pub(crate) fn value(semantics: &Semantics, value: &mut Value, schema: &Schema) {
    match value {
        Value::Object(object) => semantics.default_object(object, schema),
        Value::Array(elements) => {
            let Some(items) = schema.item_schema() else { return };
            for element in elements {
                semantics.default_element(element, items);
            }
        }
        // DEFAULT-007: a value of another type is left to validation.
        _ => {}
    }
}

pub(crate) fn object(semantics: &Semantics, object: &mut Map<String, Value>, schema: &Schema) {
    for (name, property) in &schema.properties {
        semantics.default_property(object, name, property);
    }
    let Some(values) = schema.value_schema() else { return };
    for (key, value) in object.iter_mut() {
        if !schema.properties.contains_key(key) {
            semantics.default_map_value(value, values);
        }
    }
}

pub(crate) fn property(semantics: &Semantics, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
    let present = object.get_mut(name);
    if semantics.takes_default(present.as_deref(), schema) {
        if let Some(inserted) = semantics.inserted_default(schema) {
            object.insert(name.to_owned(), inserted);
        }
    } else if let Some(value) = present {
        semantics.apply_defaults(value, schema);
    }
}

pub(crate) fn entry(semantics: &Semantics, value: &mut Value, schema: &Schema) {
    if semantics.takes_default(Some(value), schema) {
        if let Some(inserted) = semantics.inserted_default(schema) {
            *value = inserted;
        }
    } else {
        semantics.apply_defaults(value, schema);
    }
}
