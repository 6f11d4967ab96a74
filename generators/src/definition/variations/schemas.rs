//! Schemas of versions as parts of a definition: CRDVAL-026, CRDVAL-028, CRDVAL-040, CRDVAL-043. The contents of a
//! schema are the subject of [`crate::rule`].

use crdible_semantics::{
    Cause,
    Reason::{Duplicate, Forbidden, Invalid, Required, TooMany},
    RowCause,
};
use serde_json::{Value, json};

use super::{
    Causes,
    Part::{Alone, Schema},
    Variation,
    edits::{remove, schema, schemas, second, version},
};

const MISSING: Causes = &[Cause::of("spec.versions[{v}].schema.openAPIV3Schema", Required)];
const ROOT: Causes = &[Cause::of("spec.versions[{v}].schema.openAPIV3Schema", Invalid)];
const PRESERVED: RowCause = Cause::of("spec.preserveUnknownFields", Invalid);
const FIRST: Causes = &[Cause::of("spec.versions[{v}].selectableFields[0].jsonPath", Invalid)];
const FIRST_TWICE: Causes = &[FIRST[0], FIRST[0]];

/// Removes the schema, or replaces it by an empty form, and removes what depends on it.
fn without_schema(document: &mut Value, index: usize, form: Option<Value>) {
    schema(document, index, json!({}));
    match form {
        Some(form) => version(document, index)["schema"] = form,
        None => remove(version(document, index), "schema"),
    }
}

/// A root schema with these keywords, in a version with the status subresource.
fn under_status(document: &mut Value, index: usize, keywords: Value) {
    let mut root = json!({ "type": "object", "properties": { "under-status": { "type": "string" } } });
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        root[keyword] = value.clone();
    }
    schema(document, index, root);
    version(document, index)["subresources"]["status"] = json!({});
}

/// The same with one keyword.
fn keyword(document: &mut Value, index: usize, keyword: &str, value: Value) {
    under_status(document, index, json!({ keyword: value }));
}

/// A selectable field with this path.
fn select_one(document: &mut Value, index: usize, path: &str) {
    select(document, index, &[path]);
}

/// `preserveUnknownFields` at a definition whose versions all have this schema.
fn preserving(document: &mut Value, schema: &Value) {
    schemas(document, schema);
    remove(&mut document["spec"], "conversion");
    document["spec"]["preserveUnknownFields"] = json!(true);
}

/// Selectable fields with these paths, and a schema with a field of each type.
fn select(document: &mut Value, index: usize, paths: &[&str]) {
    let mut spec = json!({
        "a": { "type": "string" }, "a-b": { "type": "string" }, "a.b": { "type": "string" },
        "b": { "type": "boolean" }, "i": { "type": "integer" }, "n": { "type": "number" }, "o": { "type": "object" },
        "u": { "x-kubernetes-preserve-unknown-fields": true }, "x": { "x-kubernetes-int-or-string": true },
        "l": { "type": "array", "items": { "type": "string" } },
        "m": { "type": "object", "additionalProperties": { "type": "string" } },
        "d": { "type": "object", "properties": { "a": { "type": "string" } } },
    });
    // Short fields, as many as the paths name.
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

/// The maximum number of selectable fields, followed by these.
fn select_eight(document: &mut Value, index: usize, further: &[&str]) {
    const EIGHT: [&str; 8] =
        [".spec.s1", ".spec.s2", ".spec.s3", ".spec.s4", ".spec.s5", ".spec.s6", ".spec.s7", ".spec.s8"];
    select(document, index, &[&EIGHT, further].concat());
}

pub(super) static VARIATIONS: &[Variation] = &[
    Schema.refused("schema-absent", &["CRDVAL-026", "CRDVAL-026/e1"], |d, v| without_schema(d, v, None), MISSING),
    Schema.refused("schema-null", &["CRDVAL-026/e1"], |d, v| without_schema(d, v, Some(Value::Null)), MISSING),
    Schema.refused("schema-empty", &["CRDVAL-026/e1"], |d, v| without_schema(d, v, Some(json!({}))), MISSING),
    Schema.refused(
        "inner-schema-null",
        &["CRDVAL-026/e1"],
        |d, v| without_schema(d, v, Some(json!({ "openAPIV3Schema": null }))),
        MISSING,
    ),
    Schema.refused(
        "inner-schema-empty",
        &["CRDVAL-026/e1"],
        |d, v| without_schema(d, v, Some(json!({ "openAPIV3Schema": {} }))),
        &[Cause::of("spec.versions[{v}].schema.openAPIV3Schema.type", Required)],
    ),
    Alone.refused(
        "preserve-unknown-fields",
        &["CRDVAL-028"],
        |d, _| preserving(d, &json!({ "type": "object" })),
        &[PRESERVED],
    ),
    Alone.refused(
        "preserve-unknown-fields-beside-a-default",
        &["CRDVAL-028/e1", "CRDVAL-050"],
        |d, _| {
            let items = json!({ "type": "object", "properties": { "b": { "type": "string", "default": "x" } } });
            let list = json!({ "type": "array", "items": items });
            preserving(d, &json!({ "type": "object", "properties": { "a": list } }));
        },
        &[PRESERVED, PRESERVED],
    ),
    Alone.refused(
        "preserve-unknown-fields-beside-a-webhook",
        &["CRDVAL-028/e1", "CRDVAL-045"],
        |d, _| {
            schemas(d, &json!({ "type": "object" }));
            d["spec"]["conversion"] = super::conversion::webhook(json!({ "url": "https://a.example.com" }), &["v1"]);
            d["spec"]["preserveUnknownFields"] = json!(true);
        },
        &[PRESERVED, Cause::of("spec.conversion.strategy", Invalid)],
    ),
    Schema.legal("preserve-no-unknown-fields", &["CRDVAL-008/e1"], |d, _| {
        d["spec"]["preserveUnknownFields"] = json!(false)
    }),
    Schema.refused("status-enum", &["CRDVAL-040"], |d, v| keyword(d, v, "enum", json!([{}])), ROOT),
    Schema.refused("status-all-of", &["CRDVAL-040"], |d, v| keyword(d, v, "allOf", json!([{}])), ROOT),
    Schema.refused("status-any-of", &["CRDVAL-040"], |d, v| keyword(d, v, "anyOf", json!([{}])), ROOT),
    Schema.refused("status-one-of", &["CRDVAL-040"], |d, v| keyword(d, v, "oneOf", json!([{}])), ROOT),
    Schema.refused("status-not", &["CRDVAL-040"], |d, v| keyword(d, v, "not", json!({ "required": ["x"] })), ROOT),
    Schema.refused("status-min-properties", &["CRDVAL-040"], |d, v| keyword(d, v, "minProperties", json!(1)), ROOT),
    Schema.refused("status-max-properties", &["CRDVAL-040"], |d, v| keyword(d, v, "maxProperties", json!(9)), ROOT),
    Schema.refused(
        "status-map-type",
        &["CRDVAL-040"],
        |d, v| keyword(d, v, "x-kubernetes-map-type", json!("granular")),
        ROOT,
    ),
    Schema.refused(
        "status-embedded-resource",
        &["CRDVAL-040"],
        |d, v| keyword(d, v, "x-kubernetes-embedded-resource", json!(true)),
        ROOT,
    ),
    Schema.refused(
        "status-default",
        &["CRDVAL-040"],
        |d, v| under_status(d, v, json!({ "default": { "apiVersion": "a/v1", "kind": "K" } })),
        ROOT,
    ),
    Schema.refused(
        "status-several-keywords",
        &["CRDVAL-040/e2"],
        |d, v| under_status(d, v, json!({ "allOf": [{}], "minProperties": 1, "enum": [{}] })),
        ROOT,
    ),
    Schema.refused(
        "status-nullable",
        &["CRDVAL-040", "CRDVAL-040/e2"],
        |d, v| keyword(d, v, "nullable", json!(true)),
        &[
            Cause::of("spec.versions[{v}].schema.openAPIV3Schema", Invalid),
            Cause::of("spec.versions[{v}].schema.openAPIV3Schema.nullable", Forbidden),
        ],
    ),
    Schema.refused(
        "status-other-type",
        &["CRDVAL-040", "CRDVAL-040/e2"],
        |d, v| {
            under_status(d, v, json!({}));
            version(d, v)["schema"] = json!({ "openAPIV3Schema": { "type": "string" } });
        },
        &[
            Cause::of("spec.versions[{v}].schema.openAPIV3Schema.type", Invalid),
            Cause::of("spec.versions[{v}].schema.openAPIV3Schema.type", Invalid),
        ],
    ),
    Alone.refused(
        "status-of-another-version-with-the-same-schema",
        &["CRDVAL-040/e3"],
        |d, _| {
            let other = second(d);
            schemas(d, &json!({ "type": "object", "minProperties": 1 }));
            version(d, other)["subresources"] = json!({ "status": {} });
        },
        &[Cause::of("spec.versions[1].schema.openAPIV3Schema", Invalid)],
    ),
    Alone.legal("status-of-another-version", &["CRDVAL-040/e3"], |d, _| {
        let other = second(d);
        schemas(d, &json!({ "type": "object" }));
        schema(d, 0, json!({ "type": "object", "minProperties": 1 }));
        version(d, other)["subresources"] = json!({ "status": {} });
    }),
    Schema.legal("status-allowed-keywords", &["CRDVAL-040"], |d, v| {
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
    Schema.legal_as(
        "status-keywords-that-say-nothing",
        &["CRDVAL-040/e2"],
        |d, v| {
            under_status(
                d,
                v,
                json!({ "nullable": false, "default": null, "not": null, "x-kubernetes-map-type": null }),
            )
        },
        |d, v| under_status(d, v, json!({})),
    ),
    Schema.legal("no-status-all-of", &["CRDVAL-040"], |d, v| {
        under_status(d, v, json!({ "allOf": [{ "required": ["x"] }], "minProperties": 1 }));
        version(d, v)["subresources"] = json!({});
    }),
    Schema.legal("selectable-fields", &["CRDVAL-043"], |d, v| {
        select(d, v, &[".spec.a", ".spec.b", ".spec.i", ".spec.d.a"])
    }),
    Schema.legal("selectable-map-value", &["CRDVAL-043"], |d, v| select_one(d, v, ".spec.m.any")),
    Schema.legal("selectable-key-with-dash", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec.a-b")),
    Schema.legal("selectable-kind", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".kind")),
    Schema.legal("as-many-selectable-fields-as-may-be", &["CRDVAL-043"], |d, v| select_eight(d, v, &[])),
    Schema.refused(
        "too-many-selectable-fields",
        &["CRDVAL-043"],
        |d, v| select_eight(d, v, &[".spec.s9"]),
        &[Cause::of("spec.versions[{v}].selectableFields", TooMany)],
    ),
    Schema.refused(
        "empty-selectable-path",
        &["CRDVAL-043"],
        |d, v| select_one(d, v, ""),
        &[Cause::of("spec.versions[{v}].selectableFields[0].jsonPath", Required)],
    ),
    Schema.refused("undeclared-selectable-field", &["CRDVAL-043"], |d, v| select_one(d, v, ".spec.z"), FIRST),
    Schema.refused("selectable-object", &["CRDVAL-043"], |d, v| select_one(d, v, ".spec.o"), FIRST),
    Schema.refused("selectable-list", &["CRDVAL-043"], |d, v| select_one(d, v, ".spec.l"), FIRST),
    Schema.refused("selectable-number", &["CRDVAL-043/e1", "CRDVAL-043"], |d, v| select_one(d, v, ".spec.n"), FIRST),
    Schema.refused("selectable-int-or-string", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec.x"), FIRST),
    Schema.refused("selectable-untyped", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec.u"), FIRST),
    Schema.refused("selectable-quoted-key", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec['a-b']"), FIRST),
    Schema.refused("selectable-element", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec.l[0]"), FIRST),
    Schema.refused("selectable-key-with-dot", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".spec.a.b"), FIRST),
    Schema.refused("selectable-without-leading-dot", &["CRDVAL-043"], |d, v| select_one(d, v, "spec.a"), FIRST),
    Schema.refused("selectable-metadata", &["CRDVAL-043/e1"], |d, v| select_one(d, v, ".metadata"), FIRST_TWICE),
    Schema.refused("selectable-name", &["CRDVAL-043"], |d, v| select_one(d, v, ".metadata.name"), FIRST),
    Schema.refused(
        "eight-selectable-fields-and-a-repeat",
        &["CRDVAL-043"],
        |d, v| select_eight(d, v, &[".spec.s8"]),
        &[Cause::of("spec.versions[{v}].selectableFields[8].jsonPath", Duplicate)],
    ),
    Schema.refused(
        "eight-selectable-fields-and-an-undeclared",
        &["CRDVAL-043"],
        |d, v| select_eight(d, v, &[".spec.z"]),
        &[Cause::of("spec.versions[{v}].selectableFields[8].jsonPath", Invalid)],
    ),
    Schema.refused(
        "selectable-twice",
        &["CRDVAL-043"],
        |d, v| select(d, v, &[".spec.a", ".spec.b", ".spec.a", ".spec.a"]),
        &[
            Cause::of("spec.versions[{v}].selectableFields[2].jsonPath", Duplicate),
            Cause::of("spec.versions[{v}].selectableFields[3].jsonPath", Duplicate),
        ],
    ),
    Schema.refused(
        "selectable-without-a-schema",
        &["CRDVAL-043/e1"],
        |d, v| {
            select_one(d, v, ".spec.a");
            remove(version(d, v), "schema");
        },
        &[
            Cause::of("spec.versions[{v}].schema.openAPIV3Schema", Required),
            Cause::of("spec.versions[{v}].selectableFields", Invalid),
        ],
    ),
];
