//! The schema in a definition. As upstream, most keywords have no description: they are those of JSON Schema.

use super::apiextensions::apiextensions;
use super::field::{Field, Shape, Topology};
use super::model::{Content, Model};

/// A schema.
pub(super) const SCHEMA: &str = apiextensions!("JSONSchemaProps");
const SCHEMA_OR_LIST: &str = apiextensions!("JSONSchemaPropsOrArray");
const SCHEMA_OR_FLAG: &str = apiextensions!("JSONSchemaPropsOrBool");
const SCHEMA_OR_TEXTS: &str = apiextensions!("JSONSchemaPropsOrStringArray");
const DOCUMENTATION: &str = apiextensions!("ExternalDocumentation");
const RULE: &str = apiextensions!("ValidationRule");
const JSON: &str = apiextensions!("JSON");

pub(super) const MODELS: &[Model] = &[
    Model::new(
        SCHEMA,
        "A schema: JSON schema draft 4 with restrictions and extensions.",
        Content::Struct(SCHEMA_FIELDS),
    ),
    Model::new(SCHEMA_OR_LIST, "A schema, or a list of them.", Content::Any),
    Model::new(SCHEMA_OR_FLAG, "A schema, or whether any value is allowed.", Content::Any),
    Model::new(SCHEMA_OR_TEXTS, "A schema, or a list of property names.", Content::Any),
    Model::new(JSON, "Any JSON.", Content::Any),
    Model::new(
        DOCUMENTATION,
        "External documentation.",
        Content::Struct(&[Field::new("description", Shape::Text, ""), Field::new("url", Shape::Text, "")]),
    ),
    Model::new(RULE, "A CEL rule.", Content::Struct(RULE_FIELDS)),
];

const SCHEMA_FIELDS: &[Field] = &[
    Field::new("id", Shape::Text, ""),
    Field::new("$schema", Shape::Text, ""),
    Field::new("$ref", Shape::Text, ""),
    Field::new("description", Shape::Text, ""),
    Field::new("type", Shape::Text, ""),
    Field::new("format", Shape::Text, "The format of a string or number; unknown formats are ignored."),
    Field::new("title", Shape::Text, ""),
    Field::new("default", Shape::Pointer(JSON), "The value of a missing property."),
    Field::new("maximum", Shape::Double, ""),
    Field::new("exclusiveMaximum", Shape::Flag, ""),
    Field::new("minimum", Shape::Double, ""),
    Field::new("exclusiveMinimum", Shape::Flag, ""),
    Field::new("maxLength", Shape::Int64, ""),
    Field::new("minLength", Shape::Int64, ""),
    Field::new("pattern", Shape::Text, ""),
    Field::new("maxItems", Shape::Int64, ""),
    Field::new("minItems", Shape::Int64, ""),
    Field::new("uniqueItems", Shape::Flag, ""),
    Field::new("multipleOf", Shape::Double, ""),
    Field::new("enum", Shape::Values(JSON), "").atomic(),
    Field::new("maxProperties", Shape::Int64, ""),
    Field::new("minProperties", Shape::Int64, ""),
    Field::new("required", Shape::Texts, "").atomic(),
    Field::new("items", Shape::Pointer(SCHEMA_OR_LIST), ""),
    Field::new("allOf", Shape::Structs(SCHEMA), "").atomic(),
    Field::new("oneOf", Shape::Structs(SCHEMA), "").atomic(),
    Field::new("anyOf", Shape::Structs(SCHEMA), "").atomic(),
    Field::new("not", Shape::Pointer(SCHEMA), ""),
    Field::new("properties", Shape::StructMap(SCHEMA), ""),
    Field::new("additionalProperties", Shape::Pointer(SCHEMA_OR_FLAG), ""),
    Field::new("patternProperties", Shape::StructMap(SCHEMA), ""),
    Field::new("dependencies", Shape::ValueMap(SCHEMA_OR_TEXTS), ""),
    Field::new("additionalItems", Shape::Pointer(SCHEMA_OR_FLAG), ""),
    Field::new("definitions", Shape::StructMap(SCHEMA), ""),
    Field::new("externalDocs", Shape::Pointer(DOCUMENTATION), ""),
    Field::new("example", Shape::Pointer(JSON), ""),
    Field::new("nullable", Shape::Flag, ""),
    Field::new("x-kubernetes-preserve-unknown-fields", Shape::Flag, "Unknown fields are preserved."),
    Field::new("x-kubernetes-embedded-resource", Shape::Flag, "The value is a complete Kubernetes object."),
    Field::new("x-kubernetes-int-or-string", Shape::Flag, "The value is an integer or a string."),
    Field::new("x-kubernetes-list-map-keys", Shape::Texts, "The keys of a list of type `map`.").atomic(),
    Field::new("x-kubernetes-list-type", Shape::Text, "`atomic`, `set` or `map`."),
    Field::new("x-kubernetes-map-type", Shape::Text, "`granular` or `atomic`."),
    Field::new("x-kubernetes-validations", Shape::Structs(RULE), "CEL rules.")
        .topology(Topology::Map(&["rule"]))
        .merged_by("rule"),
];

const RULE_FIELDS: &[Field] = &[
    Field::new("rule", Shape::Text, "The expression; true if the value is valid.").required(),
    Field::new("message", Shape::Text, "The message if the value is not valid."),
    Field::new("messageExpression", Shape::Text, "An expression that returns the message."),
    Field::new("reason", Shape::Text, "The reason of the cause.").one_of(&[
        "FieldValueDuplicate",
        "FieldValueForbidden",
        "FieldValueInvalid",
        "FieldValueRequired",
    ]),
    Field::new("fieldPath", Shape::Text, "The field of the cause."),
    Field::new("optionalOldSelf", Shape::Flag, "Whether the rule is also evaluated without an old value."),
];
