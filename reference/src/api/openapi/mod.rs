//! `OpenAPI` (sections 12.2 and 12.3): a version 3 document for each group version, an index of them, and one version 2
//! document for everything, which is also available as protobuf. Version 3 is JSON only; its protobuf form is refused.

mod accept;
mod cache;
mod children;
mod document;
mod lossy;
mod operation;
mod operations;
mod parameters;
pub(crate) mod protobuf;
mod published;
mod schemas;

use std::time::Duration;

use bytes::Bytes;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, EXPIRES, LOCATION};
use serde_json::{Map, Value, json};

use crate::api::etag;
use crate::base::clock::http_date;
use crate::messages::answer::Answer;
use crate::messages::request::{Call, OpenApiPath};
use crate::resources::definitions::Registry;
use accept::{DocumentForm, PROTOBUF, accepts_json, wanted};
pub(crate) use cache::Documents;
use document::Document;

/// How long clients may cache a document that they request by its hash: its content never changes.
const A_YEAR: Duration = Duration::from_secs(365 * 86_400);

/// Answers any method, as upstream does.
pub(crate) fn answer(documents: &Documents, path: &OpenApiPath, call: Call<'_>, registry: &Registry) -> Answer {
    let refused = || Answer { vary: true, ..Answer::empty(406) };
    match path {
        // Always JSON, with the content type of plain text (OAPI-001 [Q]).
        OpenApiPath::Index => {
            Answer { content_type: "text/plain; charset=utf-8", ..Answer::json(200, &index(documents, registry)) }
        }
        OpenApiPath::GroupVersion(path) => match documents.one(path, registry) {
            None => Answer::empty(404),
            Some(_) if !accepts_json(call.headers) => refused(),
            Some(document) => group_version(path, &document, call, registry),
        },
        OpenApiPath::Everything => match wanted(call.headers) {
            None => refused(),
            Some(DocumentForm::Json) => tagged(&documents.everything(registry), call),
            Some(DocumentForm::Protobuf) => {
                let document = documents.everything(registry);
                let whole = Answer { vary: true, ..Answer::bytes(PROTOBUF, document.protobuf()) };
                whole.tagged(&document.hash, etag::is_known(call.headers, &document.hash))
            }
        },
    }
}

/// The URLs of all documents.
fn index(documents: &Documents, registry: &Registry) -> Value {
    let entry = |(path, document): (String, Document)| {
        let url = json!({"serverRelativeURL": url(&path, &document)});
        (path, url)
    };
    let paths: Map<String, Value> = documents.all(registry).into_iter().map(entry).collect();
    json!({"paths": paths})
}

/// The URL of a document with its hash; its content never changes.
fn url(path: &str, document: &Document) -> String {
    format!("/openapi/v3/{path}?hash={}", document.hash)
}

/// The document of a group version. With the right hash it may be cached forever; another hash is redirected.
fn group_version(path: &str, document: &Document, call: Call<'_>, registry: &Registry) -> Answer {
    let hash = call.query.text("hash");
    if hash.is_empty() {
        return tagged(document, call);
    }
    let header = |text: &str| HeaderValue::from_str(text).ok();
    if hash != document.hash {
        let redirect = Answer { code: 301, vary: true, ..Answer::bytes("application/json", Bytes::new()) };
        let mut redirect = redirect.tagged(&document.hash, false);
        redirect.headers.extend(header(&url(path, document)).map(|url| (LOCATION, url)));
        return redirect;
    }
    let mut answer = tagged(document, call);
    let expires = http_date(registry.engine.clock.now() + A_YEAR);
    answer.headers.push((CACHE_CONTROL, HeaderValue::from_static("public, immutable")));
    answer.headers.extend(header(&expires).map(|expires| (EXPIRES, expires)));
    answer
}

fn tagged(document: &Document, call: Call<'_>) -> Answer {
    let whole = Answer { vary: true, ..Answer::bytes("application/json", document.body.clone()) };
    whole.tagged(&document.hash, etag::is_known(call.headers, &document.hash))
}
