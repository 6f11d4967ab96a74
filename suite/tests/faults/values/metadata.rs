//! Faults in the metadata of objects: the fields of causes, the namespace.

use serde_json::Value;

use crate::{
    server::{Answer, Asked},
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("reports-labels-with-their-key", "an invalid label is reported at the field of its key")
        .breaks(&["VALUE-038", "VALUE-041", "VALUE-043"])
        .caught_by(&["value-041-metadata-limits"])
        .within_lines(25)
        .obvious()
        .answers(add_key_to_labels),
    fault("reports-names-without-metadata", "an invalid name is reported at the field name")
        .breaks(&["VALUE-040"])
        .caught_by(&["value-040-object-name"])
        .within_lines(20)
        .obvious()
        .answers(shorten_names),
    fault("shows-no-namespace", "objects are shown without the namespace of the URL")
        .breaks(&["VALUE-040"])
        .caught_by(&["value-040-object-name"])
        .within_lines(15)
        .by_example_only()
        .answers(drop_namespace),
];

fn drop_namespace(_: &Asked, answer: &mut Answer) {
    if let Some(metadata) = answer.body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("namespace");
    }
}

/// Changes the field of each cause of an error.
fn rename_fields(answer: &mut Answer, rename: impl Fn(&mut String)) {
    for cause in answer.causes().into_iter().flatten() {
        if let Some(Value::String(field)) = cause.get_mut("field") {
            rename(field);
        }
    }
}

fn add_key_to_labels(_: &Asked, answer: &mut Answer) {
    rename_fields(answer, |field| {
        if field == "metadata.labels" {
            field.push_str(".a");
        }
    });
}

fn shorten_names(_: &Asked, answer: &mut Answer) {
    rename_fields(answer, |field| {
        if field == "metadata.name" {
            "name".clone_into(field);
        }
    });
}
