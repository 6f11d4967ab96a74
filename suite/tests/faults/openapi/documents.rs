//! Faults in which documents there are, and in their hashes.

use crdible::connection::HttpRequest;
use http::{Method, header};
use serde_json::{Value, json};

use super::{is_v3, models};
use crate::{
    json::fields,
    layer::Layered,
    sent::{body_of, is_about_definitions},
    server::{Answer, changed},
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
            let answered = server.pass(request).await?;
            if path.starts_with("/openapi/v3/apis/g") {
                let hash = format!("L{}", answered.body().len());
                server.note(&path, hash.as_str());
                return Ok(changed(answered, |answer| answer.set(header::ETAG, &format!("\"{hash}\""))));
            }
            Ok(changed(answered, |answer| {
                let paths = fields(&mut answer.body, "/paths").filter(|_| path == "/openapi/v3");
                for (path, entry) in paths.into_iter().flatten() {
                    if let Some(hash) = server.noted(&format!("/openapi/v3/{path}")) {
                        let hash = hash.as_str().unwrap_or_default();
                        entry["serverRelativeURL"] = json!(format!("/openapi/v3/{path}?hash={hash}"));
                    }
                }
            }))
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
                answer.set(header::CACHE_CONTROL, "public, immutable");
            }
        }),
    fault("documents-of-what-is-not-served", "a version that was never served has an empty document")
        .breaks(&["OAPI-001", "OAPI-008"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            if is_v3(asked) && answer.head.status == 404 {
                answer.succeed(json!({ "openapi": "3.0.0", "paths": {}, "components": { "schemas": {} } }));
            }
        }),
    fault("documents-outlive-definitions", "the document of a definition that is gone stays")
        .breaks(&["OAPI-008"], &["oapi-008-follows"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            server
                .answer(request, |answer| {
                    if !path.starts_with("/openapi/v3/apis/g") {
                        return;
                    }
                    if answer.head.status == 200 {
                        server.note(&path, answer.body.clone());
                    } else if let Some(document) = server.noted(&path).filter(|_| answer.head.status == 404) {
                        answer.succeed(document);
                    }
                })
                .await
        })),
    fault("version-2-keeps-what-is-unserved", "version 2 keeps the models of versions that are no longer served")
        .breaks(&["OAPI-008", "OAPI-009"], &["oapi-008-follows"])
        .around(act!(|server, request| {
            let is_v2 = request.uri().path() == "/openapi/v2";
            server
                .answer(request, |answer| {
                    if !is_v2 || answer.head.status != 200 {
                        return;
                    }
                    for (name, model) in models(&mut answer.body, "Thing") {
                        server.note(name, json!(model));
                    }
                    let Some(definitions) = fields(&mut answer.body, "/definitions") else { return };
                    // Only of definitions of which something is left.
                    let group = |name: &str| name.rsplitn(3, '.').nth(2).map(str::to_owned);
                    for (name, model) in server.notes() {
                        if definitions.keys().any(|other| group(other) == group(&name)) {
                            definitions.entry(name).or_insert(model);
                        }
                    }
                })
                .await
        })),
    fault("hashes-short-names", "a document has another hash when short names of its definition change")
        .breaks(&["OAPI-008"], &["oapi-008-follows"])
        .around_everything(act!(|server, request| {
            let path = request.uri().path().to_owned();
            count_short_names(server, &request);
            server
                .answer(request, |answer| {
                    let group = path.strip_prefix("/openapi/v3/apis/").and_then(|rest| rest.split('/').next());
                    if let Some(Value::String(counted)) = group.and_then(|group| server.noted(group)) {
                        let etag = format!("\"{}-{counted}\"", answer.header(&header::ETAG).trim_matches('"'));
                        answer.set(header::ETAG, &etag);
                    }
                })
                .await
        })),
    fault("one-definition-for-each-document", "a document has only the newest definition of its group version")
        .breaks(&["OAPI-002"], &["oapi-008-follows"])
        .answers(|asked, answer| {
            let models = fields(&mut answer.body, "/components/schemas");
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
    fault("version-2-has-no-protobuf", "version 2 is not available in protobuf")
        .breaks(&["OAPI-009/e1"], &["oapi-008-follows"])
        .requests(|request| {
            let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
            if accept.is_some_and(|accept| accept.contains("spec.v2@")) {
                request.headers_mut().insert(header::ACCEPT, header::HeaderValue::from_static("application/yaml"));
            }
        }),
];

/// Counts changes of short names by group.
fn count_short_names(server: &Layered, request: &HttpRequest) {
    if *request.method() == Method::PATCH
        && is_about_definitions(request)
        && body_of(request)["spec"]["names"]["shortNames"].is_array()
    {
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        let group = name.split_once('.').map_or(name, |(_, group)| group);
        let before = server.noted(group).unwrap_or_default();
        server.note(group, format!("{}n", before.as_str().unwrap_or_default()));
    }
}

/// Changes the hashes of documents: in the index, and as the `ETag` of a document.
fn rehash(path: &str, answer: &mut Answer, change: fn(&str) -> String) {
    for (path, entry) in fields(&mut answer.body, "/paths").into_iter().flatten() {
        if let Some(Value::String(url)) = entry.get_mut("serverRelativeURL")
            && let Some((_, hash)) = url.split_once("?hash=")
        {
            *url = format!("/openapi/v3/{path}?hash={}", change(hash));
        }
    }
    let etag = answer.header(&header::ETAG).trim_matches('"');
    if path.starts_with("/openapi/v3/") && !etag.is_empty() {
        let etag = format!("\"{}\"", change(etag));
        answer.set(header::ETAG, &etag);
    }
}
