//! Faults in what clients see besides the objects: tables, metadata alone, selections, discovery, `OpenAPI`.

use crdible::connection::HttpRequest;
use http::{HeaderValue, header};
use serde_json::Value;

use crate::server::Answer;

pub(crate) mod cells;
pub(crate) mod metadata;
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
