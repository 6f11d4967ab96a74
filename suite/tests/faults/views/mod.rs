//! Faults in what clients see besides the objects: tables, metadata alone, selections, discovery, `OpenAPI`.

use serde_json::Value;

use crate::{
    json::elements,
    server::{Answer, Asked},
};

pub(crate) mod cells;
pub(crate) mod documents;
pub(crate) mod metadata;
pub(crate) mod routes;
pub(crate) mod selectors;
pub(crate) mod tables;

/// The rows of a table.
fn rows(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    let is_table = answer.body["kind"] == "Table";
    elements(&mut answer.body, "/rows").filter(move |_| is_table)
}

/// The columns of a table.
fn columns(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    elements(&mut answer.body, "/columnDefinitions")
}

/// The cells in the columns of a type, but not the name.
fn cells(answer: &mut Answer, kind: &str, mut change: impl FnMut(&mut Value)) {
    let columns = answer.body["columnDefinitions"].as_array().cloned().unwrap_or_default();
    for row in rows(answer) {
        let of_kind = elements(row, "/cells").zip(&columns).skip(1).filter(|(_, column)| column["type"] == kind);
        of_kind.for_each(|(cell, _)| change(cell));
    }
}

/// The text of each cell in the columns of a type.
fn texts(answer: &mut Answer, kind: &str, change: impl Fn(&str) -> Option<String>) {
    cells(answer, kind, |cell| {
        if let Some(text) = cell.as_str().and_then(&change) {
            *cell = text.into();
        }
    });
}

/// Whether a path is that of the list of resources of a version.
fn is_of_resources(path: &str) -> bool {
    path.starts_with("/apis/g") && path.matches('/').count() == 3
}

/// The entries of a list of resources.
fn entries<'a>(asked: &Asked, answer: &'a mut Answer) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    let is_meant = is_of_resources(asked.uri.path());
    elements(&mut answer.body, "/resources").filter(move |_| is_meant)
}

/// What plain discovery says of the groups of definitions, alone or among others.
fn of_groups(answer: &mut Answer) -> Vec<&mut Value> {
    if answer.body["kind"] == "APIGroup" {
        return vec![&mut answer.body];
    }
    let groups = elements(&mut answer.body, "/groups");
    groups.filter(|group| is_ours(&group["name"])).collect()
}

/// What aggregated discovery says of the groups of definitions.
fn shown(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    let is_aggregated = answer.body["kind"] == "APIGroupDiscoveryList";
    let items = elements(&mut answer.body, "/items").filter(move |_| is_aggregated);
    items.filter(|item| is_ours(&item["metadata"]["name"]))
}

/// The versions of all groups of definitions in aggregated discovery.
fn of_versions(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    shown(answer).flat_map(|group| elements(group, "/versions"))
}

fn is_ours(group: &Value) -> bool {
    group.as_str().is_some_and(|name| name.ends_with(".crdible.dev"))
}
