//! How long a large object takes against a large schema, both as large as the largest in use.

use std::{fmt::Write as _, time::Instant};

use crdible_semantics::{Schema, Semantics};
use serde_json::{Map, Value, json};

/// Containers of the object; sections of the schema, of which each container uses a few.
const CONTAINERS: usize = 42;
const SECTIONS: usize = 130;

/// A schema of about 300 KB: sections of ten fields of every kind, most of it descriptions, as in generated schemas.
pub(crate) fn schema() -> Value {
    let mut sections = Map::new();
    for number in 0..SECTIONS {
        let described = |mut field: Value| {
            field["description"] =
                Value::from("What this field is for, in a sentence or two, as documentation. ".repeat(3));
            field
        };
        let section = json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": described(json!({
                    "type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
                })),
                "policy": described(json!({ "type": "string", "enum": ["Always", "Never", "OnFailure"] })),
                "replicas": described(json!({ "type": "integer", "format": "int32", "minimum": 0, "maximum": 1000 })),
                "port": described(json!({ "x-kubernetes-int-or-string": true })),
                "labels": described(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
                "items": described(json!({
                    "type": "array", "maxItems": 100,
                    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
                    "items": {
                        "type": "object", "required": ["key"],
                        "properties": { "key": { "type": "string" }, "value": { "type": "string" } },
                    },
                })),
                "one": described(json!({
                    "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                    "oneOf": [{ "required": ["a"] }, { "required": ["b"] }],
                })),
                "free": described(json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })),
            },
        });
        sections.insert(format!("section{number}"), section);
    }
    let containers = json!({ "type": "array", "items": { "type": "object", "properties": sections } });
    json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": { "containers": containers } },
    } })
}

/// An object of about 50 KB that fits it.
pub(crate) fn object() -> Value {
    let containers: Vec<Value> = (0..CONTAINERS)
        .map(|container| {
            let sections: Map<String, Value> = (0..3)
                .map(|section| {
                    let items: Vec<Value> =
                        (0..5).map(|item| json!({ "key": format!("key-{item}"), "value": "some value" })).collect();
                    let value = json!({
                        "name": format!("container-{container}"), "policy": "Always", "replicas": 3, "port": "http",
                        "labels": { "app.kubernetes.io/name": "name", "app.kubernetes.io/part-of": "whole" },
                        "items": items, "one": { "b": "x" }, "free": { "any": { "thing": [1, 2, 3] } },
                    });
                    (format!("section{}", (container * 7 + section * 31) % SECTIONS), value)
                })
                .collect();
            Value::Object(sections)
        })
        .collect();
    json!({
        "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "x" },
        "spec": { "containers": containers },
    })
}

/// The result.
pub(crate) struct Validation {
    /// Sizes as JSON text, in KB.
    pub(crate) sizes: String,
    /// Milliseconds for one object; the schema is compiled beforehand, as servers do.
    pub(crate) milliseconds: f64,
}

pub(crate) fn measure() -> Validation {
    let (schema, object) = (schema(), object());
    let mut sizes = String::new();
    let kilobytes = |value: &Value| value.to_string().len() / 1000;
    let _ = write!(sizes, "{} KB object, {} KB schema", kilobytes(&object), kilobytes(&schema));
    let (schema, _) = Schema::parse(&schema).expect("it is a schema");
    assert!(Semantics::UPSTREAM.object_violations(&object, &schema, None).is_empty(), "the object is valid");
    let rounds = 200_u32;
    let started = Instant::now();
    for _ in 0..rounds {
        assert!(Semantics::UPSTREAM.object_violations(std::hint::black_box(&object), &schema, None).is_empty());
    }
    Validation { sizes, milliseconds: started.elapsed().as_secs_f64() * 1000.0 / f64::from(rounds) }
}
