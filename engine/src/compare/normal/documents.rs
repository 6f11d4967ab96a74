//! Removes from tables and `OpenAPI` documents what may differ between two servers.

use serde_json::Value;

use crate::execute::SENTINEL;

/// Which columns of a table hold dates; `None` if it does not define its columns.
pub(super) fn dates(table: &Value) -> Option<Vec<bool>> {
    let columns = table.get("columnDefinitions")?.as_array().filter(|columns| !columns.is_empty())?;
    Some(columns.iter().map(|column| column["type"] == "date").collect())
}

/// Removes ages in seconds from the cells of a table: time passes between two answers.
pub(super) fn remove_ages(table: &mut Value, are_dates: &[bool]) {
    for row in table.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
        let cells = row.get_mut("cells").and_then(Value::as_array_mut).into_iter().flatten();
        for (cell, _) in cells.zip(are_dates).filter(|(_, is_date)| **is_date) {
            if cell.as_str().and_then(|age| age.strip_suffix('s')).is_some_and(|rest| rest.parse::<u32>().is_ok()) {
                *cell = Value::from("$seconds");
            }
        }
    }
}

/// Removes the descriptions of the default columns from a table: each server has its own wording.
pub(super) fn remove_descriptions(table: &mut Value) {
    let columns = table.get_mut("columnDefinitions").and_then(Value::as_array_mut).into_iter().flatten();
    for column in columns.filter_map(Value::as_object_mut) {
        if column.get("name").is_some_and(|name| name == "Name" || name == "Age") {
            column.remove("description");
        }
    }
}

/// Sorts the versions of a group in a document of discovery: their order is compared apart from it.
pub(super) fn sort_versions(document: &mut Value) {
    for list in ["groups", "items"] {
        document.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten().for_each(sort_versions);
    }
    if let Some(fields) = document.as_object_mut() {
        fields.remove("preferredVersion");
    }
    if let Some(versions) = document.get_mut("versions").and_then(Value::as_array_mut) {
        versions.sort_by_cached_key(|version| version["version"].to_string());
    }
}

/// Makes an `OpenAPI` document comparable: removes the generated group from the names of operations and tags, the
/// sentinel, descriptions (each server has its own wording), and the groups of the server's own kinds.
pub(super) fn normalise_openapi(document: &mut Value, run: &str) {
    remove_sentinel(document);
    remove_words(document, run);
    for schemas in ["/components/schemas", "/definitions"] {
        for (name, schema) in document.pointer_mut(schemas).and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(schema) = schema.as_object_mut().filter(|_| name.starts_with("io.k8s.")) {
                schema.remove("x-kubernetes-group-version-kind");
            }
        }
    }
}

fn remove_words(document: &mut Value, run: &str) {
    match document {
        Value::Object(fields) => {
            if fields.get("description").is_some_and(Value::is_string) {
                fields.remove("description");
            }
            fields.values_mut().for_each(|field| remove_words(field, run));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| remove_words(element, run)),
        Value::String(text) => {
            if let Some(renamed) = without_camel_case(text, run) {
                *text = renamed;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text without the group in camel case: `listG7Rabc123CrdibleDevV1Thing` of the run `rabc123`.
fn without_camel_case(text: &str, run: &str) -> Option<String> {
    let mut letters = run.chars();
    let first = letters.next()?.to_ascii_uppercase();
    let (before, after) = text.split_once(&format!("{first}{}CrdibleDev", letters.as_str()))?;
    let start = before.trim_end_matches(|digit: char| digit.is_ascii_digit()).strip_suffix(['g', 'G'])?;
    Some(format!("{start}$group{after}"))
}

/// Removes the sentinel from all schemas: its value depends on the pool's use of the definition.
fn remove_sentinel(document: &mut Value) {
    match document {
        Value::Object(fields) => {
            fields.remove(SENTINEL);
            fields.values_mut().for_each(remove_sentinel);
        }
        Value::Array(elements) => elements.iter_mut().for_each(remove_sentinel),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{SENTINEL, dates, normalise_openapi, remove_ages, remove_sentinel};

    #[test]
    fn only_ages_in_seconds_are_removed() {
        let row = |name: &str, age: &str, text: &str| json!({ "cells": [name, age, text] });
        let mut table = json!({
            "columnDefinitions": [{ "type": "string" }, { "type": "date" }, { "type": "string" }],
            "rows": [row("a", "3s", "3s"), row("b", "5y3d", "x"), row("c", "<invalid>", "x")],
        });
        let are_dates = dates(&table).expect("it has columns");
        remove_ages(&mut table, &are_dates);
        assert_eq!(
            table["rows"],
            json!([row("a", "$seconds", "3s"), row("b", "5y3d", "x"), row("c", "<invalid>", "x")])
        );
    }

    #[test]
    fn the_sentinel_is_removed_at_any_depth() {
        let mut document = json!({ "a": [{ "properties": { SENTINEL: {}, "b": 1 } }] });
        remove_sentinel(&mut document);
        assert_eq!(document, json!({ "a": [{ "properties": { "b": 1 } }] }));
    }

    #[test]
    fn openapi_documents_are_compared_only_in_what_is_promised() {
        let document = |number: u32, run: &str, words: &str, kind: &str| {
            let mut document = json!({
                "paths": {
                    "/a": { "get": {
                        "operationId": format!("listG{number}{run}CrdibleDevV1Thing"), "description": words,
                    } },
                },
                "components": { "schemas": {
                    "io.k8s.Kind": { "type": kind, "x-kubernetes-group-version-kind": [{ "group": words }] },
                    "$group.v1.Thing": {
                        "x-kubernetes-group-version-kind": [{ "group": "$group" }],
                        "properties": { "description": { "type": kind } },
                    },
                } },
            });
            normalise_openapi(&mut document, &run.to_lowercase());
            document
        };
        assert_eq!(document(1, "Rabc", "one", "object"), document(23, "Rdef", "two", "object"));
        assert_ne!(document(1, "Rabc", "one", "object"), document(1, "Rabc", "one", "string"));
        assert_eq!(document(1, "Rabc", "one", "x")["paths"]["/a"]["get"]["operationId"], "list$groupV1Thing");
    }
}
