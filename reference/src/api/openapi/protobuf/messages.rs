//! The messages of `openapi.v2`, as tables: names in JSON, and numbers.

use serde_json::Value;

/// A message: its fields, and the number of the field with the extensions (`x-…`).
pub(super) struct Message {
    pub(super) fields: &'static [Field],
    pub(super) extensions: u32,
}

/// A field: its name in JSON, its number, and what it holds.
pub(super) type Field = (&'static str, u32, Holds);

pub(super) enum Holds {
    Text,
    Texts,
    Flag,
    Integer,
    Float,
    Any,
    AnyList,
    One(&'static Message),
    List(&'static Message),
    /// An object whose members are in the field 1 of a message of its own.
    Members(&'static Message),
    /// What is written in its own way.
    Other(Other),
}

/// Messages that are not just fields.
#[derive(Clone, Copy)]
pub(super) enum Other {
    Paths,
    ParameterDefinitions,
    SecurityRequirements,
    SecurityDefinitions,
    Parameters,
    Responses,
    /// A schema in the field 1.
    Schema,
    SchemaOrFlag,
    /// A type, or several.
    Types,
}

pub(super) static DOCUMENT: Message = Message {
    fields: &[
        ("swagger", 1, Holds::Text),
        ("info", 2, Holds::One(&INFO)),
        ("paths", 8, Holds::Other(Other::Paths)),
        ("definitions", 9, Holds::Members(&SCHEMA)),
        ("parameters", 10, Holds::Other(Other::ParameterDefinitions)),
        ("security", 12, Holds::Other(Other::SecurityRequirements)),
        ("securityDefinitions", 13, Holds::Other(Other::SecurityDefinitions)),
    ],
    extensions: 16,
};

pub(super) static INFO: Message = Message {
    fields: &[("title", 1, Holds::Text), ("version", 2, Holds::Text), ("description", 3, Holds::Text)],
    extensions: 7,
};

pub(super) static PATH: Message = Message {
    fields: &[
        ("$ref", 1, Holds::Text),
        ("get", 2, Holds::One(&OPERATION)),
        ("put", 3, Holds::One(&OPERATION)),
        ("post", 4, Holds::One(&OPERATION)),
        ("delete", 5, Holds::One(&OPERATION)),
        ("options", 6, Holds::One(&OPERATION)),
        ("head", 7, Holds::One(&OPERATION)),
        ("patch", 8, Holds::One(&OPERATION)),
        ("parameters", 9, Holds::Other(Other::Parameters)),
    ],
    extensions: 10,
};

pub(super) static OPERATION: Message = Message {
    fields: &[
        ("tags", 1, Holds::Texts),
        ("summary", 2, Holds::Text),
        ("description", 3, Holds::Text),
        ("operationId", 5, Holds::Text),
        ("produces", 6, Holds::Texts),
        ("consumes", 7, Holds::Texts),
        ("parameters", 8, Holds::Other(Other::Parameters)),
        ("responses", 9, Holds::Other(Other::Responses)),
        ("schemes", 10, Holds::Texts),
        ("deprecated", 11, Holds::Flag),
    ],
    extensions: 13,
};

pub(super) static RESPONSE: Message =
    Message { fields: &[("description", 1, Holds::Text), ("schema", 2, Holds::Other(Other::Schema))], extensions: 5 };

pub(super) static REFERENCE: Message =
    Message { fields: &[("$ref", 1, Holds::Text), ("description", 2, Holds::Text)], extensions: 0 };

pub(super) static BODY: Message = Message {
    fields: &[
        ("description", 1, Holds::Text),
        ("name", 2, Holds::Text),
        ("in", 3, Holds::Text),
        ("required", 4, Holds::Flag),
        ("schema", 5, Holds::One(&SCHEMA)),
    ],
    extensions: 6,
};

pub(super) static IN_QUERY: Message = Message {
    fields: &[
        ("required", 1, Holds::Flag),
        ("in", 2, Holds::Text),
        ("description", 3, Holds::Text),
        ("name", 4, Holds::Text),
        ("allowEmptyValue", 5, Holds::Flag),
        ("type", 6, Holds::Text),
        ("format", 7, Holds::Text),
        ("uniqueItems", 20, Holds::Flag),
        ("enum", 21, Holds::AnyList),
    ],
    extensions: 23,
};

/// In a path, or in a header.
pub(super) static ELSEWHERE: Message = Message {
    fields: &[
        ("required", 1, Holds::Flag),
        ("in", 2, Holds::Text),
        ("description", 3, Holds::Text),
        ("name", 4, Holds::Text),
        ("type", 5, Holds::Text),
        ("format", 6, Holds::Text),
        ("uniqueItems", 19, Holds::Flag),
        ("enum", 20, Holds::AnyList),
    ],
    extensions: 22,
};

pub(super) static API_KEY: Message = Message {
    fields: &[
        ("type", 1, Holds::Text),
        ("name", 2, Holds::Text),
        ("in", 3, Holds::Text),
        ("description", 4, Holds::Text),
    ],
    extensions: 5,
};

pub(super) static EXTERNAL_DOCS: Message =
    Message { fields: &[("description", 1, Holds::Text), ("url", 2, Holds::Text)], extensions: 3 };

pub(super) static SCHEMA: Message = Message {
    fields: &[
        ("$ref", 1, Holds::Text),
        ("format", 2, Holds::Text),
        ("title", 3, Holds::Text),
        ("description", 4, Holds::Text),
        ("default", 5, Holds::Any),
        ("multipleOf", 6, Holds::Float),
        ("maximum", 7, Holds::Float),
        ("exclusiveMaximum", 8, Holds::Flag),
        ("minimum", 9, Holds::Float),
        ("exclusiveMinimum", 10, Holds::Flag),
        ("maxLength", 11, Holds::Integer),
        ("minLength", 12, Holds::Integer),
        ("pattern", 13, Holds::Text),
        ("maxItems", 14, Holds::Integer),
        ("minItems", 15, Holds::Integer),
        ("uniqueItems", 16, Holds::Flag),
        ("maxProperties", 17, Holds::Integer),
        ("minProperties", 18, Holds::Integer),
        ("required", 19, Holds::Texts),
        ("enum", 20, Holds::AnyList),
        ("additionalProperties", 21, Holds::Other(Other::SchemaOrFlag)),
        ("type", 22, Holds::Other(Other::Types)),
        ("items", 23, Holds::Other(Other::Schema)),
        ("allOf", 24, Holds::List(&SCHEMA)),
        ("properties", 25, Holds::Members(&SCHEMA)),
        ("externalDocs", 29, Holds::One(&EXTERNAL_DOCS)),
        ("example", 30, Holds::Any),
    ],
    extensions: 31,
};

/// A float without a fraction, as the bounds of lengths may be written.
pub(super) fn as_whole(value: &Value) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation, reason = "without a fraction")]
    value.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e18).map(|float| float as i64)
}
