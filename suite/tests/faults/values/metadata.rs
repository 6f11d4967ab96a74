//! Faults in the metadata of objects: the fields of causes, the namespace.

use serde_json::Value;

use crate::{
    json::remove,
    server::Answer,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("reports-labels-with-their-key", "an invalid label is reported at the field of its key")
        .breaks(&["VALUE-038", "VALUE-041", "VALUE-043"], &["value-041-metadata-limits"])
        .answers(|_, answer| {
            rename_fields(answer, |field| {
                if field == "metadata.labels" {
                    field.push_str(".a");
                }
            });
        }),
    obvious_fault("reports-names-without-metadata", "an invalid name is reported at the field name")
        .breaks(&["VALUE-040"], &["value-040-object-name"])
        .within_lines(20)
        .answers(|_, answer| {
            rename_fields(answer, |field| {
                if field == "metadata.name" {
                    "name".clone_into(field);
                }
            });
        }),
    fault("shows-no-namespace", "objects are shown without the namespace of the URL")
        .breaks(&["VALUE-040"], &["value-040-object-name"])
        .within_lines(15)
        .by_example_only()
        .answers(|_, answer| {
            remove(&mut answer.body, "/metadata/namespace");
        }),
];

/// Changes the field of each cause of an error.
fn rename_fields(answer: &mut Answer, rename: impl Fn(&mut String)) {
    for cause in answer.causes().into_iter().flatten() {
        if let Some(Value::String(field)) = cause.get_mut("field") {
            rename(field);
        }
    }
}
