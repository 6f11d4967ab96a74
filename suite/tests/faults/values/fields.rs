//! Faults in what no function of the semantics gives: fields of causes about metadata, and namespaces.

use http::{response, uri::Uri};
use serde_json::Value;

use crate::{
    answers::Altered,
    servers::behind,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "tells-labels-with-their-key",
        wrong: "a bad label is told at the field of its key",
        target: || behind(|server| Altered { server, alter: with_keys_of_labels }),
        requirements: &["VALUE-038", "VALUE-041", "VALUE-043"],
        properties: &["value-041-metadata-limits"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-names-without-metadata",
        wrong: "a bad name is told at the field name",
        target: || behind(|server| Altered { server, alter: with_bare_names }),
        requirements: &["VALUE-040"],
        properties: &["value-040-object-name"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-no-namespace",
        wrong: "objects are shown without the namespace of the URL",
        target: || behind(|server| Altered { server, alter: without_namespace }),
        requirements: &["VALUE-040"],
        properties: &["value-040-object-name"],
        largest: 15,
        subtle: true,
        finder: Finder::Examples,
    },
];

fn without_namespace(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("namespace");
    }
}

/// Changes the fields of all causes of a refusal.
fn each_field(body: &mut Value, rename: impl Fn(&mut String)) {
    for cause in body.pointer_mut("/details/causes").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::String(field)) = cause.get_mut("field") {
            rename(field);
        }
    }
}

fn with_keys_of_labels(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    each_field(body, |field| {
        if field == "metadata.labels" {
            field.push_str(".a");
        }
    });
}

fn with_bare_names(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    each_field(body, |field| {
        if field == "metadata.name" {
            "name".clone_into(field);
        }
    });
}
