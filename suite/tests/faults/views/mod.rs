//! Faults in what clients see besides the objects: tables, metadata alone, selections, discovery, `OpenAPI`.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use http::{HeaderValue, Response, header};
use serde_json::Value;

use crate::server::{Answer, Asked};

pub(crate) mod cells;
pub(crate) mod documents;
pub(crate) mod metadata;
pub(crate) mod routes;
pub(crate) mod selectors;
pub(crate) mod tables;

/// The `Accept` header.
fn accepted(request: &HttpRequest) -> String {
    let accepted = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().to_owned()
}

/// Replaces the `Accept` header.
fn accept(request: &mut HttpRequest, accepted: &str) {
    if let Ok(value) = HeaderValue::from_str(accepted) {
        request.headers_mut().insert(header::ACCEPT, value);
    }
}

/// The rows of a table.
fn rows(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    let is_table = answer.body["kind"] == "Table";
    answer.body.get_mut("rows").and_then(Value::as_array_mut).filter(|_| is_table).into_iter().flatten()
}

/// The columns of a table.
fn columns(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    answer.body.get_mut("columnDefinitions").and_then(Value::as_array_mut).into_iter().flatten()
}

/// The cells in the columns of a type, but not the name.
fn cells(answer: &mut Answer, kind: &str, mut change: impl FnMut(&mut Value)) {
    let columns = answer.body["columnDefinitions"].as_array().cloned().unwrap_or_default();
    for row in rows(answer) {
        let cells = row.get_mut("cells").and_then(Value::as_array_mut).into_iter().flatten();
        let of_kind = cells.zip(&columns).skip(1).filter(|(_, column)| column["type"] == kind);
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

/// The body of an answer; null if it is no JSON.
fn body_in(answered: &Response<Bytes>) -> Value {
    serde_json::from_slice(answered.body()).unwrap_or_default()
}

/// Whether a path is that of the list of resources of a version.
fn is_list(path: &str) -> bool {
    path.starts_with("/apis/g") && path.matches('/').count() == 3
}

/// The entries of a list of resources.
fn entries<'a>(asked: &Asked, answer: &'a mut Answer) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    let resources = answer.body.get_mut("resources").and_then(Value::as_array_mut);
    resources.filter(|_| is_list(asked.uri.path())).into_iter().flatten()
}

/// What plain discovery says of the groups of definitions, alone or among others.
fn of_groups(answer: &mut Answer) -> Vec<&mut Value> {
    if answer.body["kind"] == "APIGroup" {
        return vec![&mut answer.body];
    }
    let groups = answer.body.get_mut("groups").and_then(Value::as_array_mut).into_iter().flatten();
    groups.filter(|group| is_ours(&group["name"])).collect()
}

/// What aggregated discovery says of the groups of definitions.
fn shown(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    let is_aggregated = answer.body["kind"] == "APIGroupDiscoveryList";
    let items = answer.body.get_mut("items").and_then(Value::as_array_mut).filter(|_| is_aggregated);
    items.into_iter().flatten().filter(|item| is_ours(&item["metadata"]["name"]))
}

/// The versions of all groups of definitions in aggregated discovery.
fn of_versions(answer: &mut Answer) -> impl Iterator<Item = &mut Value> {
    shown(answer).filter_map(|group| group["versions"].as_array_mut()).flatten()
}

fn is_ours(group: &Value) -> bool {
    group.as_str().is_some_and(|name| name.ends_with(".crdible.dev"))
}
