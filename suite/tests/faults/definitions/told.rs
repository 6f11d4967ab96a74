//! Faults in what is told of definitions: indices, reasons, warnings, what is read back, discovery.

use std::{collections::BTreeMap, sync::Mutex};

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use http::{HeaderValue, Method, header, response::Parts};
use serde_json::{Value, json};

use super::{Answering, fault};
use crate::{
    servers::{behind, is_about_definitions},
    table::Fault,
};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "tells-the-first-version-always",
        "causes in schemas and columns name the first version, whichever it is",
        || behind(|server| Answering { server, alter: with_index_zero }),
        &["CRDVAL-026", "CRDVAL-042", "CRDVAL-040"],
        &["crdval-026-schema-required", "crdval-042-printer-columns"],
        true,
    ),
    fault(
        "tells-a-field-that-is-gone",
        "a wrong scope is told at spec.version, too",
        || behind(|server| Answering { server, alter: with_spec_version }),
        &["CRDVAL-003"],
        &["crdval-003-scope"],
        true,
    ),
    fault(
        "says-that-definitions-look-odd",
        "every accepted definition is warned about",
        || behind(|server| Answering { server, alter: with_odd_warning }),
        &["CRDVAL-057"],
        &["crdval-057-unrecognized-formats"],
        false,
    ),
    fault(
        "calls-conflicts-existing",
        "an outdated revision is answered with the reason AlreadyExists",
        || behind(|server| Answering { server, alter: with_already_exists }),
        &["CRDVAL-022"],
        &["crdval-022-resource-version"],
        true,
    ),
    fault(
        "labels-what-is-put-back",
        "the answer to a PUT has a label that was not sent",
        || behind(|server| Requested { server, alter: with_label }),
        &["CRDVAL-060"],
        &["crdval-022-resource-version"],
        true,
    ),
    fault(
        "takes-conditions-from-clients",
        "an update through the main endpoint adds the condition that it is sent with",
        || behind(|server| Requested { server, alter: with_sent_condition }),
        &["CRDVAL-020"],
        &["crdval-021-generation"],
        true,
    ),
    fault(
        "keeps-names-that-are-left-out",
        "a PUT that leaves singular and listKind out shows them as they were accepted before",
        || behind(|server| Requested { server, alter: with_accepted_names }),
        &["CRDVAL-007"],
        &["crdval-011-mutable-names"],
        true,
    ),
    fault(
        "keeps-no-conversion-in-updates",
        "an accepted patch leaves the conversion as it was",
        || behind(|server| Requested { server, alter: without_conversion }),
        &["CRDVAL-056"],
        &["crdval-056-updates-in-full"],
        true,
    ),
    fault(
        "keeps-unknown-keywords-under-ignore",
        "fieldValidation=Ignore keeps the keywords that the type does not know",
        || behind(|server| Requested { server, alter: with_sent_schemas }),
        &["CRDVAL-031"],
        &["crdval-031-unmodelled-keywords"],
        true,
    ),
    fault(
        "takes-duplicates-under-strict",
        "a field of a definition that is there twice is no error under fieldValidation=Strict",
        || behind(Lenient),
        &["CRDVAL-058"],
        &["crdval-058-field-validation"],
        true,
    ),
    fault(
        "warns-of-duplicates-elsewhere",
        "the warning of a field that is there twice names its parent",
        || behind(|server| Answering { server, alter: with_parent_of_duplicates }),
        &["CRDVAL-058"],
        &["crdval-058-field-validation"],
        true,
    ),
    fault(
        "reads-the-old-spelling-of-columns",
        "JSONPath of a column is read as jsonPath",
        || behind(OldSpelling),
        &["CRDVAL-058"],
        &["crdval-058-field-validation"],
        true,
    ),
    fault(
        "lists-groups-without-versions",
        "/apis lists the groups of all definitions, served or not",
        || behind(|server| Remembering { server, known: Mutex::default(), alter: with_groups }),
        &["CRDVAL-015"],
        &["crdval-015-nothing-served"],
        true,
    ),
    fault(
        "shows-the-first-names-for-ever",
        "discovery shows the singular name that a definition was created with",
        || behind(|server| Remembering { server, known: Mutex::default(), alter: with_first_singular }),
        &["CRDVAL-011"],
        &["crdval-011-mutable-names"],
        true,
    ),
];

fn causes(body: &mut Value) -> Option<&mut Vec<Value>> {
    body.pointer_mut("/details/causes")?.as_array_mut()
}

fn with_index_zero(_: &mut Parts, body: &mut Value) {
    for cause in causes(body).into_iter().flatten() {
        let field = cause["field"].as_str().unwrap_or_default();
        let Some((_, below)) = field.strip_prefix("spec.versions[").and_then(|rest| rest.split_once("].")) else {
            continue;
        };
        if ["schema", "additionalPrinterColumns"].iter().any(|part| below.starts_with(part)) {
            cause["field"] = json!(format!("spec.versions[0].{below}"));
        }
    }
}

fn with_spec_version(_: &mut Parts, body: &mut Value) {
    let Some(causes) = causes(body) else { return };
    if causes.iter().any(|cause| cause["field"] == "spec.scope") {
        causes.push(json!({ "field": "spec.version", "reason": "FieldValueForbidden", "message": "is gone" }));
    }
}

fn with_odd_warning(head: &mut Parts, _: &mut Value) {
    if head.status == 201 {
        head.headers.append(header::WARNING, HeaderValue::from_static("299 - \"it looks odd\""));
    }
}

fn with_already_exists(_: &mut Parts, body: &mut Value) {
    if body["reason"] == "Conflict" {
        body["reason"] = json!("AlreadyExists");
    }
}

fn with_parent_of_duplicates(head: &mut Parts, _: &mut Value) {
    let warnings: Vec<HeaderValue> = head.headers.get_all(header::WARNING).iter().cloned().collect();
    head.headers.remove(header::WARNING);
    for warning in warnings {
        let text = String::from_utf8_lossy(warning.as_bytes())
            .replace("duplicate field \\\"spec.scope", "duplicate field \\\"spec");
        head.headers.append(header::WARNING, HeaderValue::from_str(&text).unwrap_or(warning));
    }
}

/// What was asked for.
#[derive(Debug)]
struct Asked {
    method: Method,
    query: String,
    body: Value,
}

/// Changes accepted answers about definitions by what was asked for.
struct Requested {
    server: InProcess,
    alter: fn(&Asked, &mut Value),
}

impl std::fmt::Debug for Requested {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Requested").finish_non_exhaustive()
    }
}

impl Transport for Requested {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.server.send(request);
        }
        let asked = Asked {
            method: request.method().clone(),
            query: request.uri().query().unwrap_or_default().to_owned(),
            body: serde_json::from_slice(request.body()).unwrap_or_default(),
        };
        Box::pin(async move {
            let (head, body) = self.server.send(request).await?.into_parts();
            if !head.status.is_success() {
                return Ok(http::Response::from_parts(head, body));
            }
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            (self.alter)(&asked, &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

fn with_label(asked: &Asked, shown: &mut Value) {
    if asked.method == Method::PUT && asked.query.is_empty() {
        shown["metadata"]["labels"]["put"] = json!("back");
    }
}

fn with_sent_condition(asked: &Asked, shown: &mut Value) {
    let is_update = asked.method == Method::PUT || asked.method == Method::PATCH;
    if is_update
        && asked.body.to_string().contains("MadeUp")
        && let Some(conditions) = shown.pointer_mut("/status/conditions").and_then(Value::as_array_mut)
    {
        conditions.push(json!({ "type": "MadeUp", "status": "True" }));
    }
}

fn with_accepted_names(asked: &Asked, shown: &mut Value) {
    for name in ["singular", "listKind"] {
        if asked.method == Method::PUT && asked.body["spec"]["names"].get(name).is_none() {
            shown["spec"]["names"][name] = shown["status"]["acceptedNames"][name].clone();
        }
    }
}

fn without_conversion(asked: &Asked, shown: &mut Value) {
    if asked.method == Method::PATCH {
        shown["spec"]["conversion"] = json!({ "strategy": "None" });
    }
}

fn with_sent_schemas(asked: &Asked, shown: &mut Value) {
    if !asked.query.contains("fieldValidation=Ignore") {
        return;
    }
    for (index, version) in shown["spec"]["versions"].as_array_mut().into_iter().flatten().enumerate() {
        version["schema"] = asked.body["spec"]["versions"][index]["schema"].clone();
    }
}

/// Tries again without `Strict` where a definition was refused for what is there twice.
#[derive(Debug)]
struct Lenient(InProcess);

impl Transport for Lenient {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.0.send(request);
        }
        let mut again = HttpRequest::new(request.body().clone());
        *again.method_mut() = request.method().clone();
        *again.headers_mut() = request.headers().clone();
        *again.uri_mut() = request
            .uri()
            .to_string()
            .replace("fieldValidation=Strict", "fieldValidation=Warn")
            .parse()
            .unwrap_or_default();
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            if answer.status() == 400 && String::from_utf8_lossy(answer.body()).contains("duplicate field") {
                return self.0.send(again).await;
            }
            Ok(answer)
        })
    }
}

/// Reads `JSONPath` of a column as `jsonPath`, besides warning of it.
#[derive(Debug)]
struct OldSpelling(InProcess);

impl Transport for OldSpelling {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let pointer = "/spec/versions/0/additionalPrinterColumns/0";
        let path = sent.pointer(pointer).and_then(|column| column.get("JSONPath")).cloned();
        let is_about = is_about_definitions(&request);
        Box::pin(async move {
            let (head, body) = self.0.send(request).await?.into_parts();
            let Some(path) = path.filter(|_| is_about && head.status.is_success()) else {
                return Ok(http::Response::from_parts(head, body));
            };
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            if let Some(column) = shown.pointer_mut(pointer) {
                column["jsonPath"] = path;
            }
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

/// The groups of all definitions that were created, with their first singular names.
type Known = BTreeMap<String, String>;

/// Changes what is answered below `/apis` by what was created.
struct Remembering {
    server: InProcess,
    known: Mutex<Known>,
    alter: fn(&str, &Known, &mut Value),
}

impl std::fmt::Debug for Remembering {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Remembering").finish_non_exhaustive()
    }
}

impl Transport for Remembering {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let (path, is_read) = (request.uri().path().to_owned(), request.method() == Method::GET);
        let is_new = request.method() == Method::POST && is_about_definitions(&request);
        Box::pin(async move {
            let (head, body) = self.server.send(request).await?.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            if is_new && head.status.is_success() {
                let text = |pointer| shown.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
                self.known.lock().unwrap().insert(text("/spec/group"), text("/spec/names/singular"));
            }
            if !is_read || !head.status.is_success() || path.starts_with("/apis/apiextensions.k8s.io") {
                return Ok(http::Response::from_parts(head, body));
            }
            (self.alter)(&path, &self.known.lock().unwrap(), &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

fn with_groups(path: &str, known: &Known, shown: &mut Value) {
    let Some(groups) = shown.get_mut("groups").and_then(Value::as_array_mut).filter(|_| path == "/apis") else {
        return;
    };
    for group in known.keys() {
        if !groups.iter().any(|listed| listed["name"] == group.as_str()) {
            groups.push(json!({ "name": group, "versions": [] }));
        }
    }
}

fn with_first_singular(path: &str, known: &Known, shown: &mut Value) {
    let group = path.split('/').nth(2).unwrap_or_default();
    if let (Some(singular), Some(resource)) = (known.get(group), shown.pointer_mut("/resources/0")) {
        resource["singularName"] = json!(singular);
    }
}
