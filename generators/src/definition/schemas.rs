//! Schemas of versions as parts of a definition: CRDVAL-026, CRDVAL-028, CRDVAL-040, CRDVAL-043. What a schema itself may hold is
//! a matter of [`crate::breakage`].

use crdible_semantics::Reason::{self, Duplicate, Forbidden, Invalid, Required, TooMany};
use serde_json::{Value, json};

use super::{
    Part, Variation,
    edits::{remove, schema, schemas, second, version},
};

const fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    edit: fn(&mut Value, usize),
    causes: &'static [(&'static str, Reason)],
) -> Variation {
    Variation::refused(name, asserts, Part::Schema, edit, causes)
}

const fn legal(name: &'static str, asserts: &'static [&'static str], edit: fn(&mut Value, usize)) -> Variation {
    Variation::legal(name, asserts, Part::Schema, edit)
}

const MISSING: &[(&str, Reason)] = &[("spec.versions[{v}].schema.openAPIV3Schema", Required)];
const ROOT: &[(&str, Reason)] = &[("spec.versions[{v}].schema.openAPIV3Schema", Invalid)];
const PRESERVED: (&str, Reason) = ("spec.preserveUnknownFields", Invalid);
const FIRST: (&str, Reason) = ("spec.versions[{v}].selectableFields[0].jsonPath", Invalid);

/// Takes the schema away, in one of its forms, and what is judged by it.
fn without_schema(document: &mut Value, index: usize, form: Option<Value>) {
    schema(document, index, json!({}));
    match form {
        Some(form) => version(document, index)["schema"] = form,
        None => remove(version(document, index), "schema"),
    }
}

/// A root with this keyword, under the status subresource.
fn under_status(document: &mut Value, index: usize, keywords: Value) {
    let mut root = json!({ "type": "object", "properties": { "under-status": { "type": "string" } } });
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        root[keyword] = value.clone();
    }
    schema(document, index, root);
    version(document, index)["subresources"]["status"] = json!({});
}

/// Selectable fields with these paths, above a schema with a field of each kind.
fn select(document: &mut Value, index: usize, paths: &[&str]) {
    let mut spec = json!({
        "a": { "type": "string" }, "a-b": { "type": "string" }, "a.b": { "type": "string" },
        "b": { "type": "boolean" }, "i": { "type": "integer" }, "n": { "type": "number" }, "o": { "type": "object" },
        "u": { "x-kubernetes-preserve-unknown-fields": true }, "x": { "x-kubernetes-int-or-string": true },
        "l": { "type": "array", "items": { "type": "string" } },
        "m": { "type": "object", "additionalProperties": { "type": "string" } },
        "d": { "type": "object", "properties": { "a": { "type": "string" } } },
    });
    // Short ones, as many as are asked for.
    for name in paths.iter().filter_map(|path| path.strip_prefix(".spec.s")) {
        spec[format!("s{name}")] = json!({ "type": "string" });
    }
    let root = json!({ "type": "object", "properties": {
        "kind": { "type": "string" }, "metadata": { "type": "object", "properties": { "name": { "type": "string" } } },
        "spec": { "type": "object", "properties": spec },
    } });
    schema(document, index, root);
    let fields: Vec<Value> = paths.iter().map(|path| json!({ "jsonPath": path })).collect();
    version(document, index)["selectableFields"] = json!(fields);
}

pub(super) static VARIATIONS: &[Variation] = &[
    refused("schema-absent", &["CRDVAL-026", "CRDVAL-026/e1"], |d, v| without_schema(d, v, None), MISSING),
    refused("schema-null", &["CRDVAL-026/e1"], |d, v| without_schema(d, v, Some(Value::Null)), MISSING),
    refused("schema-empty", &["CRDVAL-026/e1"], |d, v| without_schema(d, v, Some(json!({}))), MISSING),
    refused(
        "inner-schema-null",
        &["CRDVAL-026/e1"],
        |d, v| without_schema(d, v, Some(json!({ "openAPIV3Schema": null }))),
        MISSING,
    ),
    refused(
        "inner-schema-empty",
        &["CRDVAL-026/e1"],
        |d, v| without_schema(d, v, Some(json!({ "openAPIV3Schema": {} }))),
        &[("spec.versions[{v}].schema.openAPIV3Schema.type", Required)],
    ),
    Variation::refused(
        "preserve-unknown-fields",
        &["CRDVAL-028"],
        Part::Alone,
        |d, _| {
            schemas(d, &json!({ "type": "object" }));
            remove(&mut d["spec"], "conversion");
            d["spec"]["preserveUnknownFields"] = json!(true);
        },
        &[PRESERVED],
    ),
    Variation::refused(
        "preserve-unknown-fields-beside-a-default",
        &["CRDVAL-028/e1", "CRDVAL-050"],
        Part::Alone,
        |d, _| {
            schemas(
                d,
                &json!({ "type": "object", "properties": { "a": { "type": "array", "items": {
                    "type": "object", "properties": { "b": { "type": "string", "default": "x" } } } } } }),
            );
            remove(&mut d["spec"], "conversion");
            d["spec"]["preserveUnknownFields"] = json!(true);
        },
        &[PRESERVED, PRESERVED],
    ),
    Variation::refused(
        "preserve-unknown-fields-beside-a-webhook",
        &["CRDVAL-028/e1", "CRDVAL-045"],
        Part::Alone,
        |d, _| {
            schemas(d, &json!({ "type": "object" }));
            d["spec"]["conversion"] = super::conversion::webhook(json!({ "url": "https://a.example.com" }), &["v1"]);
            d["spec"]["preserveUnknownFields"] = json!(true);
        },
        &[PRESERVED, ("spec.conversion.strategy", Invalid)],
    ),
    legal("preserve-no-unknown-fields", &["CRDVAL-008/e1"], |d, _| d["spec"]["preserveUnknownFields"] = json!(false)),
    refused("status-enum", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "enum": [{}] })), ROOT),
    refused("status-all-of", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "allOf": [{}] })), ROOT),
    refused("status-any-of", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "anyOf": [{}] })), ROOT),
    refused("status-one-of", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "oneOf": [{}] })), ROOT),
    refused("status-not", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "not": { "required": ["x"] } })), ROOT),
    refused("status-min-properties", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "minProperties": 1 })), ROOT),
    refused("status-max-properties", &["CRDVAL-040"], |d, v| under_status(d, v, json!({ "maxProperties": 9 })), ROOT),
    refused(
        "status-map-type",
        &["CRDVAL-040"],
        |d, v| under_status(d, v, json!({ "x-kubernetes-map-type": "granular" })),
        ROOT,
    ),
    refused(
        "status-embedded-resource",
        &["CRDVAL-040"],
        |d, v| under_status(d, v, json!({ "x-kubernetes-embedded-resource": true })),
        ROOT,
    ),
    refused(
        "status-default",
        &["CRDVAL-040"],
        |d, v| under_status(d, v, json!({ "default": { "apiVersion": "a/v1", "kind": "K" } })),
        ROOT,
    ),
    refused(
        "status-several-keywords",
        &["CRDVAL-040/e2"],
        |d, v| under_status(d, v, json!({ "allOf": [{}], "minProperties": 1, "enum": [{}] })),
        ROOT,
    ),
    refused(
        "status-nullable",
        &["CRDVAL-040", "CRDVAL-040/e2"],
        |d, v| under_status(d, v, json!({ "nullable": true })),
        &[
            ("spec.versions[{v}].schema.openAPIV3Schema", Invalid),
            ("spec.versions[{v}].schema.openAPIV3Schema.nullable", Forbidden),
        ],
    ),
    refused(
        "status-other-type",
        &["CRDVAL-040", "CRDVAL-040/e2"],
        |d, v| {
            under_status(d, v, json!({}));
            version(d, v)["schema"] = json!({ "openAPIV3Schema": { "type": "string" } });
        },
        &[
            ("spec.versions[{v}].schema.openAPIV3Schema.type", Invalid),
            ("spec.versions[{v}].schema.openAPIV3Schema.type", Invalid),
        ],
    ),
    Variation::refused(
        "status-of-another-version-with-the-same-schema",
        &["CRDVAL-040/e3"],
        Part::Alone,
        |d, _| {
            let other = second(d);
            schemas(d, &json!({ "type": "object", "minProperties": 1 }));
            version(d, other)["subresources"] = json!({ "status": {} });
        },
        &[("spec.versions[1].schema.openAPIV3Schema", Invalid)],
    ),
    Variation::legal("status-of-another-version", &["CRDVAL-040/e3"], Part::Alone, |d, _| {
        let other = second(d);
        schemas(d, &json!({ "type": "object" }));
        schema(d, 0, json!({ "type": "object", "minProperties": 1 }));
        version(d, other)["subresources"] = json!({ "status": {} });
    }),
    legal("status-allowed-keywords", &["CRDVAL-040"], |d, v| {
        under_status(
            d,
            v,
            json!({
                "description": "d", "format": "f", "title": "t", "maximum": 1, "exclusiveMaximum": true, "minimum": 1,
                "exclusiveMinimum": true, "maxLength": 1, "minLength": 1, "pattern": "p", "maxItems": 1, "minItems": 1,
                "multipleOf": 2, "required": ["spec"], "externalDocs": { "url": "https://example.com" }, "example": {},
                "x-kubernetes-preserve-unknown-fields": true,
            }),
        );
    }),
    Variation::legal_as(
        "status-keywords-that-say-nothing",
        &["CRDVAL-040/e2"],
        Part::Schema,
        |d, v| {
            under_status(
                d,
                v,
                json!({ "nullable": false, "default": null, "not": null, "x-kubernetes-map-type": null }),
            )
        },
        |d, v| under_status(d, v, json!({})),
    ),
    legal("no-status-all-of", &["CRDVAL-040"], |d, v| {
        under_status(d, v, json!({ "allOf": [{ "required": ["x"] }], "minProperties": 1 }));
        version(d, v)["subresources"] = json!({});
    }),
    legal("selectable-fields", &["CRDVAL-043"], |d, v| select(d, v, &[".spec.a", ".spec.b", ".spec.i", ".spec.d.a"])),
    legal("selectable-map-value", &["CRDVAL-043"], |d, v| select(d, v, &[".spec.m.any"])),
    legal("selectable-key-with-dash", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec.a-b"])),
    legal("selectable-kind", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".kind"])),
    legal("as-many-selectable-fields-as-may-be", &["CRDVAL-043"], |d, v| {
        select(d, v, &[".spec.s1", ".spec.s2", ".spec.s3", ".spec.s4", ".spec.s5", ".spec.s6", ".spec.s7", ".spec.s8"]);
    }),
    refused(
        "too-many-selectable-fields",
        &["CRDVAL-043"],
        |d, v| {
            select(
                d,
                v,
                &[
                    ".spec.s1", ".spec.s2", ".spec.s3", ".spec.s4", ".spec.s5", ".spec.s6", ".spec.s7", ".spec.s8",
                    ".spec.s9",
                ],
            );
        },
        &[("spec.versions[{v}].selectableFields", TooMany)],
    ),
    refused(
        "empty-selectable-path",
        &["CRDVAL-043"],
        |d, v| select(d, v, &[""]),
        &[("spec.versions[{v}].selectableFields[0].jsonPath", Required)],
    ),
    refused("undeclared-selectable-field", &["CRDVAL-043"], |d, v| select(d, v, &[".spec.z"]), &[FIRST]),
    refused("selectable-object", &["CRDVAL-043"], |d, v| select(d, v, &[".spec.o"]), &[FIRST]),
    refused("selectable-list", &["CRDVAL-043"], |d, v| select(d, v, &[".spec.l"]), &[FIRST]),
    refused("selectable-number", &["CRDVAL-043/e1", "CRDVAL-043"], |d, v| select(d, v, &[".spec.n"]), &[FIRST]),
    refused("selectable-int-or-string", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec.x"]), &[FIRST]),
    refused("selectable-untyped", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec.u"]), &[FIRST]),
    refused("selectable-quoted-key", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec['a-b']"]), &[FIRST]),
    refused("selectable-element", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec.l[0]"]), &[FIRST]),
    refused("selectable-key-with-dot", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".spec.a.b"]), &[FIRST]),
    refused("selectable-without-leading-dot", &["CRDVAL-043"], |d, v| select(d, v, &["spec.a"]), &[FIRST]),
    refused("selectable-metadata", &["CRDVAL-043/e1"], |d, v| select(d, v, &[".metadata"]), &[FIRST, FIRST]),
    refused("selectable-name", &["CRDVAL-043"], |d, v| select(d, v, &[".metadata.name"]), &[FIRST]),
    refused(
        "eight-selectable-fields-and-a-repeat",
        &["CRDVAL-043"],
        |d, v| {
            select(
                d,
                v,
                &[
                    ".spec.s1", ".spec.s2", ".spec.s3", ".spec.s4", ".spec.s5", ".spec.s6", ".spec.s7", ".spec.s8",
                    ".spec.s8",
                ],
            );
        },
        &[("spec.versions[{v}].selectableFields[8].jsonPath", Duplicate)],
    ),
    refused(
        "eight-selectable-fields-and-an-undeclared",
        &["CRDVAL-043"],
        |d, v| {
            select(
                d,
                v,
                &[
                    ".spec.s1", ".spec.s2", ".spec.s3", ".spec.s4", ".spec.s5", ".spec.s6", ".spec.s7", ".spec.s8",
                    ".spec.z",
                ],
            );
        },
        &[("spec.versions[{v}].selectableFields[8].jsonPath", Invalid)],
    ),
    refused(
        "selectable-twice",
        &["CRDVAL-043"],
        |d, v| select(d, v, &[".spec.a", ".spec.b", ".spec.a", ".spec.a"]),
        &[
            ("spec.versions[{v}].selectableFields[2].jsonPath", Duplicate),
            ("spec.versions[{v}].selectableFields[3].jsonPath", Duplicate),
        ],
    ),
    refused(
        "selectable-without-a-schema",
        &["CRDVAL-043/e1"],
        |d, v| {
            select(d, v, &[".spec.a"]);
            remove(version(d, v), "schema");
        },
        &[("spec.versions[{v}].schema.openAPIV3Schema", Required), ("spec.versions[{v}].selectableFields", Invalid)],
    ),
];
