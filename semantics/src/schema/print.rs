//! Converts a [`Schema`] to JSON.

use serde_json::{Map, Number, Value};

use super::{AdditionalProperties, Items, Schema};

/// See [`Schema::to_json`].
pub(super) fn print(schema: &Schema) -> Value {
    let mut keywords: Map<String, Value> = schema.unsupported.clone().into_iter().collect();
    structure(schema, &mut keywords);
    values(schema, &mut keywords);
    Value::Object(keywords)
}

fn structure(schema: &Schema, keywords: &mut Map<String, Value>) {
    put_text(keywords, "type", &schema.type_name);
    put_flag(keywords, "nullable", schema.nullable);
    put(keywords, "default", schema.default.clone());
    if !schema.properties.is_empty() {
        let properties = schema.properties.iter().map(|(name, schema)| (name.clone(), print(schema))).collect();
        put(keywords, "properties", Some(Value::Object(properties)));
    }
    put(
        keywords,
        "additionalProperties",
        schema.additional_properties.as_ref().map(|additional| match additional {
            AdditionalProperties::Allowed(allowed) => Value::Bool(*allowed),
            AdditionalProperties::Schema(schema) => print(schema),
        }),
    );
    match &schema.items {
        None => {}
        Some(Items::Each(items)) => put(keywords, "items", Some(print(items))),
        Some(Items::ByPosition(items)) => put_list(keywords, "items", items),
    }
    put(keywords, "x-kubernetes-preserve-unknown-fields", schema.preserve_unknown_fields.map(Value::Bool));
    put_flag(keywords, "x-kubernetes-embedded-resource", schema.embedded_resource);
    put_flag(keywords, "x-kubernetes-int-or-string", schema.int_or_string);
    put(keywords, "x-kubernetes-list-type", schema.list_type.clone().map(Value::String));
    put_texts(keywords, "x-kubernetes-list-map-keys", &schema.list_map_keys);
    put(keywords, "x-kubernetes-map-type", schema.map_type.clone().map(Value::String));
    if !schema.rules.is_empty() {
        put(keywords, "x-kubernetes-validations", Some(Value::Array(schema.rules.clone())));
    }
    put_list(keywords, "allOf", &schema.all_of);
    put_list(keywords, "anyOf", &schema.any_of);
    put_list(keywords, "oneOf", &schema.one_of);
    put(keywords, "not", schema.not.as_deref().map(print));
    put_text(keywords, "title", &schema.documentation.title);
    put_text(keywords, "description", &schema.documentation.description);
    put(keywords, "example", schema.documentation.example.clone());
    put(keywords, "externalDocs", schema.documentation.external_docs.clone());
}

fn values(schema: &Schema, keywords: &mut Map<String, Value>) {
    let values = &schema.values;
    put_text(keywords, "format", &values.format);
    put(keywords, "maximum", values.maximum.and_then(number));
    put_flag(keywords, "exclusiveMaximum", values.exclusive_maximum);
    put(keywords, "minimum", values.minimum.and_then(number));
    put_flag(keywords, "exclusiveMinimum", values.exclusive_minimum);
    put(keywords, "multipleOf", values.multiple_of.and_then(number));
    put(keywords, "maxLength", values.max_length.map(Value::from));
    put(keywords, "minLength", values.min_length.map(Value::from));
    put_text(keywords, "pattern", values.pattern.as_str());
    put(keywords, "maxItems", values.max_items.map(Value::from));
    put(keywords, "minItems", values.min_items.map(Value::from));
    put_flag(keywords, "uniqueItems", values.unique_items);
    put(keywords, "maxProperties", values.max_properties.map(Value::from));
    put(keywords, "minProperties", values.min_properties.map(Value::from));
    if !values.enumeration.is_empty() {
        put(keywords, "enum", Some(Value::Array(values.enumeration.clone())));
    }
    put_texts(keywords, "required", &values.required);
}

fn put(keywords: &mut Map<String, Value>, keyword: &str, value: Option<Value>) {
    if let Some(value) = value {
        keywords.insert(keyword.to_owned(), value);
    }
}

fn put_text(keywords: &mut Map<String, Value>, keyword: &str, text: &str) {
    if !text.is_empty() {
        put(keywords, keyword, Some(Value::from(text)));
    }
}

fn put_texts(keywords: &mut Map<String, Value>, keyword: &str, texts: &[String]) {
    if !texts.is_empty() {
        put(keywords, keyword, Some(Value::from(texts)));
    }
}

fn put_flag(keywords: &mut Map<String, Value>, keyword: &str, flag: bool) {
    if flag {
        put(keywords, keyword, Some(Value::Bool(true)));
    }
}

fn put_list(keywords: &mut Map<String, Value>, keyword: &str, schemas: &[Schema]) {
    if !schemas.is_empty() {
        put(keywords, keyword, Some(Value::Array(schemas.iter().map(print).collect())));
    }
}

/// A bound as JSON, without a point if it is integral.
fn number(bound: f64) -> Option<Value> {
    let mut value = Value::Number(Number::from_f64(bound)?);
    crate::json::store_form(&mut value);
    Some(value)
}
