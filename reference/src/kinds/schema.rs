//! The schema in a definition. As upstream, most keywords have no description: they are those of JSON Schema.

use super::declaration::Element::{Double, Flag, Int64, Of, Text};
use super::declaration::{Content, Topology, Type, field, list, map};

/// The full name of a type of `apiextensions.k8s.io/v1`.
macro_rules! apiextensions {
    ($name:literal) => {
        concat!("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.", $name)
    };
}
pub(super) use apiextensions;

/// A schema.
pub(super) static SCHEMA: Type =
    Type::new(apiextensions!("JSONSchemaProps"), "A schema: JSON schema draft 4 with restrictions and extensions.")
        .containing(Content::Schema)
        .with(&[
            field(1, "id", Text, ""),
            field(2, "$schema", Text, ""),
            field(3, "$ref", Text, "").optional(),
            field(4, "description", Text, ""),
            field(5, "type", Text, ""),
            field(6, "format", Text, "The format of a string or number; unknown formats are ignored."),
            field(7, "title", Text, ""),
            field(8, "default", Of(&JSON), "The value of a missing property.").optional(),
            field(9, "maximum", Double, "").optional(),
            field(10, "exclusiveMaximum", Flag, ""),
            field(11, "minimum", Double, "").optional(),
            field(12, "exclusiveMinimum", Flag, ""),
            field(13, "maxLength", Int64, "").optional(),
            field(14, "minLength", Int64, "").optional(),
            field(15, "pattern", Text, ""),
            field(16, "maxItems", Int64, "").optional(),
            field(17, "minItems", Int64, "").optional(),
            field(18, "uniqueItems", Flag, ""),
            field(19, "multipleOf", Double, "").optional(),
            list(20, "enum", Of(&JSON), "").atomic(),
            field(21, "maxProperties", Int64, "").optional(),
            field(22, "minProperties", Int64, "").optional(),
            list(23, "required", Text, "").atomic(),
            field(24, "items", Of(&SCHEMA_OR_LIST), "").optional(),
            list(25, "allOf", Of(&SCHEMA), "").atomic(),
            list(26, "oneOf", Of(&SCHEMA), "").atomic(),
            list(27, "anyOf", Of(&SCHEMA), "").atomic(),
            field(28, "not", Of(&SCHEMA), "").optional(),
            map(29, "properties", Of(&SCHEMA), ""),
            field(30, "additionalProperties", Of(&SCHEMA_OR_FLAG), "").optional(),
            map(31, "patternProperties", Of(&SCHEMA), ""),
            map(32, "dependencies", Of(&SCHEMA_OR_TEXTS), ""),
            field(33, "additionalItems", Of(&SCHEMA_OR_FLAG), "").optional(),
            map(34, "definitions", Of(&SCHEMA), ""),
            field(35, "externalDocs", Of(&DOCUMENTATION), "").optional(),
            field(36, "example", Of(&JSON), "").optional(),
            field(37, "nullable", Flag, ""),
            field(38, "x-kubernetes-preserve-unknown-fields", Flag, "Unknown fields are preserved.").optional(),
            field(39, "x-kubernetes-embedded-resource", Flag, "The value is a complete Kubernetes object."),
            field(40, "x-kubernetes-int-or-string", Flag, "The value is an integer or a string."),
            list(41, "x-kubernetes-list-map-keys", Text, "The keys of a list of type `map`.").atomic(),
            field(42, "x-kubernetes-list-type", Text, "`atomic`, `set` or `map`.").optional(),
            field(43, "x-kubernetes-map-type", Text, "`granular` or `atomic`.").optional(),
            list(44, "x-kubernetes-validations", Of(&RULE), "CEL rules.").topology(Topology::Map(&["rule"])).merged(),
        ]);

static JSON: Type = Type::new(apiextensions!("JSON"), "Any JSON.").containing(Content::Json(""));

static SCHEMA_OR_LIST: Type = Type::new(apiextensions!("JSONSchemaPropsOrArray"), "A schema, or a list of them.")
    .containing(Content::Either)
    .with(&[field(1, "schema", Of(&SCHEMA), "").optional(), list(2, "list", Of(&SCHEMA), "")]);

/// With a schema, the boolean is true.
static SCHEMA_OR_FLAG: Type =
    Type::new(apiextensions!("JSONSchemaPropsOrBool"), "A schema, or whether any value is allowed.")
        .containing(Content::Either)
        .with(&[field(1, "allows", Flag, "").optional(), field(2, "schema", Of(&SCHEMA), "").optional()]);

static SCHEMA_OR_TEXTS: Type =
    Type::new(apiextensions!("JSONSchemaPropsOrStringArray"), "A schema, or a list of property names.")
        .containing(Content::Either)
        .with(&[field(1, "schema", Of(&SCHEMA), "").optional(), list(2, "names", Text, "")]);

static DOCUMENTATION: Type = Type::new(apiextensions!("ExternalDocumentation"), "External documentation.")
    .with(&[field(1, "description", Text, ""), field(2, "url", Text, "")]);

static RULE: Type = Type::new(apiextensions!("ValidationRule"), "A CEL rule.").with(&[
    field(1, "rule", Text, "The expression; true if the value is valid.").required(),
    field(2, "message", Text, "The message if the value is not valid."),
    field(3, "messageExpression", Text, "An expression that returns the message."),
    field(4, "reason", Text, "The reason of the cause.").optional().one_of(&[
        "FieldValueDuplicate",
        "FieldValueForbidden",
        "FieldValueInvalid",
        "FieldValueRequired",
    ]),
    field(5, "fieldPath", Text, "The field of the cause."),
    field(6, "optionalOldSelf", Flag, "Whether the rule is also evaluated without an old value.").optional(),
]);
