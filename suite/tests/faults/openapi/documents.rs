//! Faults in which documents there are, and in their hashes.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use http::{HeaderValue, Method, Response, header};
use serde_json::{Value, json};

use super::{is_v3, models};
use crate::{
    hooked::Hooked,
    server::{Answer, changed, is_about_definitions},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("hashes-names-of-documents", "the hash of a document is that of its version, and not of its content")
        // What is known under its hash is not found under it either.
        .breaks(&["OAPI-008", "OAPI-001"], &["oapi-008-follows"])
        .answers(|asked, answer| rehash(asked.uri.path(), answer, |hash| "B".repeat(hash.len()))),
    fault("hashes-lengths-of-documents", "documents of one length have one hash")
        // What is known under its hash is not found under it either.
        .breaks(&["OAPI-008", "OAPI-001"], &["oapi-008-follows"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let is_listed = path == "/openapi/v3";
            let answered = server.server.send(request).await?;
            if !path.starts_with("/openapi/v3/apis/g") && !is_listed {
                return Ok(answered);
            }
            if is_listed {
                let known = server.stored_at.lock().unwrap().clone();
                return Ok(changed(answered, |answer| {
                    for (path, entry) in
                        answer.body.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten()
                    {
                        if let Some(hash) = known.get(&format!("/openapi/v3/{path}")) {
                            entry["serverRelativeURL"] = json!(format!("/openapi/v3/{path}?hash={hash}"));
                        }
                    }
                }));
            }
            let hash = format!("L{}", answered.body().len());
            server.stored_at.lock().unwrap().insert(path, hash.clone());
            Ok(tagged(answered, &hash))
        })),
    obvious_fault("sends-what-is-known", "If-None-Match is ignored for documents of version 3")
        .breaks(&["OAPI-001"], &["oapi-008-follows"])
        .requests(|request| {
            if request.uri().path().starts_with("/openapi/v3/") {
                request.headers_mut().remove(header::IF_NONE_MATCH);
            }
        }),
    fault("shortens-hashes", "the hash in the index is the beginning of that of the document")
        .breaks(&["OAPI-001"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            if asked.uri.path() == "/openapi/v3" {
                rehash("/openapi/v3", answer, |hash| hash.chars().take(8).collect());
            }
        }),
    fault("lists-what-is-not-served", "the index lists a third version of each group")
        .breaks(&["OAPI-001", "OAPI-008"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            if let Some(paths) = answer
                .body
                .get_mut("paths")
                .and_then(Value::as_object_mut)
                .filter(|_| asked.uri.path() == "/openapi/v3")
            {
                let firsts: Vec<(String, Value)> = { paths.iter() }
                    .filter_map(|(path, entry)| Some((format!("{}/v3", path.strip_suffix("/v1")?), entry.clone())))
                    .collect();
                for (path, entry) in firsts {
                    paths.entry(path).or_insert(entry);
                }
            }
        }),
    fault("documents-are-always-immutable", "a document may be cached for ever even under a URL without a hash")
        .breaks(&["OAPI-001"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            if is_v3(asked) {
                let forever = HeaderValue::from_static("public, immutable");
                answer.head.headers.insert(header::CACHE_CONTROL, forever);
            }
        }),
    fault("documents-of-what-is-not-served", "a version that was never served has an empty document")
        .breaks(&["OAPI-001", "OAPI-008"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            if is_v3(asked) && answer.head.status == 404 {
                answer.head.status = http::StatusCode::OK;
                answer.body = json!({ "openapi": "3.0.0", "paths": {}, "components": { "schemas": {} } });
            }
        }),
    fault("documents-outlive-definitions", "the document of a definition that is gone stays")
        .breaks(&["OAPI-008"], &["oapi-008-follows"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let answered = server.server.send(request).await?;
            if !path.starts_with("/openapi/v3/apis/g") {
                return Ok(answered);
            }
            let mut kept = server.stored_at.lock().unwrap();
            if answered.status() == 200 {
                kept.insert(path, String::from_utf8_lossy(answered.body()).into_owned());
                return Ok(answered);
            }
            Ok(match kept.get(&path).filter(|_| answered.status() == 404) {
                Some(document) => Response::new(Bytes::from(document.clone())),
                None => answered,
            })
        })),
    fault("version-2-keeps-what-is-unserved", "version 2 keeps the models of versions that are no longer served")
        .breaks(&["OAPI-008", "OAPI-009"], &["oapi-008-follows"])
        .around(act!(|server, request| {
            let is_v2 = request.uri().path() == "/openapi/v2";
            let answered = server.server.send(request).await?;
            if !is_v2 || answered.status() != 200 {
                return Ok(answered);
            }
            Ok(changed(answered, |answer| {
                let mut kept = server.stored_at.lock().unwrap();
                for (name, model) in models(&mut answer.body, "Thing") {
                    kept.insert(name.clone(), json!(model).to_string());
                }
                // Only of definitions of which something is left.
                for (name, model) in &*kept {
                    let group = |name: &str| name.rsplitn(3, '.').nth(2).map(str::to_owned);
                    let definitions = answer.body.get_mut("definitions").and_then(Value::as_object_mut);
                    if let Some(definitions) = definitions
                        && definitions.keys().any(|other| group(other) == group(name))
                    {
                        definitions.entry(name.clone()).or_insert(serde_json::from_str(model).unwrap_or_default());
                    }
                }
            }))
        })),
    fault("hashes-short-names", "a document has another hash when short names of its definition change")
        .breaks(&["OAPI-008"], &["oapi-008-follows"])
        .around(act_everywhere!(|server, request| {
            let path = request.uri().path().to_owned();
            count_short_names(server, &request);
            let answered = server.server.send(request).await?;
            let group = path.strip_prefix("/openapi/v3/apis/").and_then(|rest| rest.split('/').next());
            let counted = group.and_then(|group| server.stored_at.lock().unwrap().get(group).cloned());
            let etag = answered.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok()).unwrap_or_default();
            Ok(match counted {
                Some(counted) => {
                    let etag = format!("{}-{counted}", etag.trim_matches('"'));
                    tagged(answered, &etag)
                }
                None => answered,
            })
        })),
    fault("one-definition-for-each-document", "a document has only the newest definition of its group version")
        .breaks(&["OAPI-002"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            let models = answer.body.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
            if let Some(models) = models.filter(|_| is_v3(asked))
                && models.keys().any(|name| name.starts_with("dev.crdible.") && name.ends_with(".Thing1"))
            {
                models.retain(|name, _| !name.ends_with(".Thing"));
            }
        }),
    fault("sends-version-2-though-known", "If-None-Match is ignored for version 2")
        .breaks(&["OAPI-009"], &["oapi-008-follows"])
        .requests(|request| {
            if request.uri().path() == "/openapi/v2" {
                request.headers_mut().remove(header::IF_NONE_MATCH);
            }
        }),
];

/// Counts changes of short names by group.
fn count_short_names(server: &Hooked, request: &HttpRequest) {
    let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    if *request.method() == Method::PATCH
        && is_about_definitions(request)
        && body["spec"]["names"]["shortNames"].is_array()
    {
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        let group = name.split_once('.').map_or(name, |(_, group)| group).to_owned();
        server.stored_at.lock().unwrap().entry(group).or_default().push('n');
    }
}

/// The answer with another `ETag`.
fn tagged(mut answered: Response<Bytes>, hash: &str) -> Response<Bytes> {
    if let Ok(etag) = HeaderValue::from_str(&format!("\"{hash}\"")) {
        answered.headers_mut().insert(header::ETAG, etag);
    }
    answered
}

/// Changes the hashes of documents: in the index, and as the `ETag` of a document.
fn rehash(path: &str, answer: &mut Answer, change: fn(&str) -> String) {
    for (path, entry) in answer.body.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten() {
        if let Some(Value::String(url)) = entry.get_mut("serverRelativeURL")
            && let Some((_, hash)) = url.split_once("?hash=")
        {
            *url = format!("/openapi/v3/{path}?hash={}", change(hash));
        }
    }
    let etag = answer.head.headers.get(header::ETAG).and_then(|etag| etag.to_str().ok());
    if path.starts_with("/openapi/v3/")
        && let Some(etag) = etag.map(|etag| format!("\"{}\"", change(etag.trim_matches('"'))))
        && let Ok(etag) = HeaderValue::from_str(&etag)
    {
        answer.head.headers.insert(header::ETAG, etag);
    }
}
