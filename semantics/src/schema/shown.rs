//! Schemas as messages show them: as upstream's internal type, which has every field, in its own order.

use serde_json::Value;

use crate::go_json::html_safe;

/// What the fields of a schema hold, as far as it matters for their text.
enum Holds {
    /// A text, which may be empty.
    Text,
    Flag,
    /// Any value, or nothing.
    Value,
    Schema,
    Schemas,
    Properties,
    /// A schema, or whether any is allowed.
    SchemaOrFlag,
    Items,
    ExternalDocs,
    Rules,
}

/// The fields of a schema: their names, and those in JSON.
const SCHEMA: [(&str, &str, Holds); 44] = [
    ("ID", "id", Holds::Text),
    ("Schema", "$schema", Holds::Text),
    ("Ref", "$ref", Holds::Value),
    ("Description", "description", Holds::Text),
    ("Type", "type", Holds::Text),
    ("Nullable", "nullable", Holds::Flag),
    ("Format", "format", Holds::Text),
    ("Title", "title", Holds::Text),
    ("Default", "default", Holds::Value),
    ("Maximum", "maximum", Holds::Value),
    ("ExclusiveMaximum", "exclusiveMaximum", Holds::Flag),
    ("Minimum", "minimum", Holds::Value),
    ("ExclusiveMinimum", "exclusiveMinimum", Holds::Flag),
    ("MaxLength", "maxLength", Holds::Value),
    ("MinLength", "minLength", Holds::Value),
    ("Pattern", "pattern", Holds::Text),
    ("MaxItems", "maxItems", Holds::Value),
    ("MinItems", "minItems", Holds::Value),
    ("UniqueItems", "uniqueItems", Holds::Flag),
    ("MultipleOf", "multipleOf", Holds::Value),
    ("Enum", "enum", Holds::Value),
    ("MaxProperties", "maxProperties", Holds::Value),
    ("MinProperties", "minProperties", Holds::Value),
    ("Required", "required", Holds::Value),
    ("Items", "items", Holds::Items),
    ("AllOf", "allOf", Holds::Schemas),
    ("OneOf", "oneOf", Holds::Schemas),
    ("AnyOf", "anyOf", Holds::Schemas),
    ("Not", "not", Holds::Schema),
    ("Properties", "properties", Holds::Properties),
    ("AdditionalProperties", "additionalProperties", Holds::SchemaOrFlag),
    ("PatternProperties", "patternProperties", Holds::Properties),
    ("Dependencies", "dependencies", Holds::Value),
    ("AdditionalItems", "additionalItems", Holds::SchemaOrFlag),
    ("Definitions", "definitions", Holds::Properties),
    ("ExternalDocs", "externalDocs", Holds::ExternalDocs),
    ("Example", "example", Holds::Value),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", Holds::Value),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", Holds::Flag),
    ("XIntOrString", "x-kubernetes-int-or-string", Holds::Flag),
    ("XListMapKeys", "x-kubernetes-list-map-keys", Holds::Value),
    ("XListType", "x-kubernetes-list-type", Holds::Value),
    ("XMapType", "x-kubernetes-map-type", Holds::Value),
    ("XValidations", "x-kubernetes-validations", Holds::Rules),
];

/// A schema in JSON as a message shows it.
pub fn schema(json: &Value) -> String {
    object(
        SCHEMA.iter().map(|(name, key, holds)| (*name, field(holds, json.get(*key).filter(|value| !value.is_null())))),
    )
}

/// The content of `items` as a message shows it.
pub fn items(json: &Value) -> String {
    match json {
        Value::Array(schemas) => object([("Schema", null()), ("JSONSchemas", list(schemas.iter().map(schema)))]),
        of_elements => object([("Schema", schema(of_elements)), ("JSONSchemas", null())]),
    }
}

/// A rule as a message shows it.
pub(crate) fn rule(json: &Value) -> String {
    let part = |key: &str| text(json.get(key).and_then(Value::as_str).unwrap_or_default());
    let optional = |key: &str| json.get(key).map_or_else(null, html_safe);
    object([
        ("Rule", part("rule")),
        ("Message", part("message")),
        ("MessageExpression", part("messageExpression")),
        ("Reason", optional("reason")),
        ("FieldPath", part("fieldPath")),
        ("OptionalOldSelf", optional("optionalOldSelf")),
    ])
}

fn field(holds: &Holds, value: Option<&Value>) -> String {
    let Some(value) = value else {
        return match holds {
            Holds::Text => text(""),
            Holds::Flag => "false".to_owned(),
            _ => null(),
        };
    };
    match holds {
        Holds::Text | Holds::Flag | Holds::Value => html_safe(value),
        Holds::Schema => schema(value),
        Holds::Schemas => list(value.as_array().into_iter().flatten().map(schema)),
        Holds::Properties => {
            let properties = value.as_object().into_iter().flatten();
            object(properties.map(|(name, property)| (name.as_str(), schema(property))))
        }
        Holds::SchemaOrFlag => match value {
            Value::Bool(allows) => object([("Allows", allows.to_string()), ("Schema", null())]),
            of_values => object([("Allows", "true".to_owned()), ("Schema", schema(of_values))]),
        },
        Holds::Items => items(value),
        Holds::Rules => list(value.as_array().into_iter().flatten().map(rule)),
        Holds::ExternalDocs => {
            let part = |key: &str| text(value.get(key).and_then(Value::as_str).unwrap_or_default());
            object([("Description", part("description")), ("URL", part("url"))])
        }
    }
}

pub(crate) fn null() -> String {
    "null".to_owned()
}

pub(crate) fn text(text: &str) -> String {
    html_safe(&Value::from(text))
}

pub(crate) fn list(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(","))
}

pub(crate) fn object<'n>(fields: impl IntoIterator<Item = (&'n str, String)>) -> String {
    let fields = fields.into_iter().map(|(name, value)| format!("{}:{value}", text(name)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_have_all_fields() {
        let shown = schema(&json!({"type": "object", "additionalProperties": true, "maximum": 1.5, "items": {}}));
        assert!(
            shown.starts_with(r#"{"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"#)
        );
        assert!(shown.contains(r#""Maximum":1.5,"ExclusiveMaximum":false,"#), "{shown}");
        assert!(shown.contains(r#""Items":{"Schema":{"ID":"","#), "{shown}");
        assert!(shown.contains(r#""AdditionalProperties":{"Allows":true,"Schema":null},"PatternProperties":null,"#));
    }
}
