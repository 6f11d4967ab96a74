//! No input makes a parser panic, and the embedded server answers every request.

use bytes::Bytes;
use crdible::run::Counterexample;
use crdible_generators::{choice::Tape, json::Json};
use crdible_reference::Server;
use crdible_semantics::{Pattern, Schema, Semantics};
use crdible_spec::{Catalogue, Reference};

/// Runs one input on each parser.
///
/// # Panics
/// If a parser panics, or a response of the server has no status code.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = Json::parse(&text).map(|json| Json::parse(&json.to_text()).expect("written JSON can be parsed"));
    let _ = Counterexample::parse(&text);
    let _ = text.parse::<Reference>();
    let _ = Catalogue::parse([("02-structural-schema.md", text.as_ref())]);
    let _ = serde_json::from_str::<Tape>(&text);
    if let Ok(pattern) = Pattern::parse(&text) {
        let _ = pattern.is_match(&text);
    }
    if let Ok(value) = serde_json::from_slice(data) {
        let _ = Schema::parse(&value);
    }
    request(data);
}

/// Sends a request: the first line is method and path, the rest is the body.
fn request(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let line = String::from_utf8_lossy(&data[..end]);
    let (method, path) = line.split_once(' ').unwrap_or(("POST", &line));
    let body = Bytes::copy_from_slice(data.get(end + 1..).unwrap_or_default());
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/apis/{path}") };
    let Ok(request) = http::Request::builder().method(method).uri(path).body(body) else { return };
    let answer = Server::new(Semantics::UPSTREAM).handle(request);
    assert!(answer.status().as_u16() >= 200);
}
