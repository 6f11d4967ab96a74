//! Faults in what a server answers around the object itself: metadata, reasons, warnings, the forms of discovery.

use std::{collections::BTreeMap, sync::Mutex};

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use http::{HeaderValue, Method, header, response, uri::Uri};
use serde_json::{Value, json};

use crate::{
    servers::{behind, is_about_definitions},
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "shows-no-generation",
        wrong: "metadata.generation is missing in every object",
        target: || behind(|server| Altered { server, alter: without_generation }),
        requirements: &["DEFAULT-014", "DEFAULT-020", "INV-001", "INV-016", "INV-017", "PRUNE-020", "PRUNE-022"],
        properties: &["inv-016-read-defaults-need-no-write", "inv-017-tighten-and-loosen"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prefers-no-version",
        wrong: "discovery names no preferred version",
        target: || behind(|server| Altered { server, alter: without_preference }),
        requirements: DISCOVERY,
        properties: &["ver-002-comparison", "inv-037-permutation-invariant"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "knows-no-aggregated-discovery",
        wrong: "whoever asks for aggregated discovery gets the plain form",
        target: || behind(Plain),
        requirements: &["VER-005"],
        properties: &["ver-002-comparison", "inv-037-permutation-invariant"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "puts-the-storage-version-first",
        wrong: "/apis/<group> lists the storage version first if it is served",
        target: || behind(|server| StorageFirst { server, stored: Mutex::default() }),
        requirements: DISCOVERY,
        properties: &["ver-002-comparison"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "warns-of-no-doubled-field",
        wrong: "a field that is there twice is no warning",
        target: || behind(|server| Altered { server, alter: without_warnings_of_doubles }),
        requirements: &["INV-019"],
        properties: &["inv-019-strict-iff-warn-is-silent"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "warns-of-a-doubled-field-always",
        wrong: "every accepted create warns of a field that is there twice",
        target: || behind(|server| Altered { server, alter: with_a_warning_of_a_double }),
        requirements: &["INV-019"],
        properties: &["inv-019-strict-iff-warn-is-silent"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "names-the-wrong-reason",
        wrong: "a refusal for a missing field is a 422 whose reason is BadRequest",
        target: || behind(|server| Altered { server, alter: with_another_reason }),
        requirements: &["DEFAULT-017"],
        properties: &["default-017-required-checks-presence"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "gives-causes-for-unknown-fields",
        wrong: "a refusal under fieldValidation=Strict has causes",
        target: || behind(|server| Altered { server, alter: with_causes_under_strict }),
        requirements: &["PRUNE-028", "PRUNE-020", "INV-019"],
        properties: &["prune-028-report", "inv-019-strict-iff-warn-is-silent"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-legal-definitions",
        wrong: "definitions with oneOf are accepted as a dry run and refused when they are meant",
        target: || behind(Refusing),
        requirements: &["LIFE-002"],
        properties: &["prune-001-unknown-keys", "inv-009-default-is-idempotent"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fails-at-what-it-compares",
        wrong: "dry runs of objects with more than three fields end in 500, whatever they hold",
        target: || behind(Overwhelmed),
        requirements: &["INV-004"],
        properties: &["inv-004-key-order"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
];

const DISCOVERY: &[&str] = &["VER-002", "VER-004", "VER-005", "DISC-002", "DISC-003", "INV-037"];

/// A right server whose answers about anything but definitions are changed on the way: by what was asked, head and body.
pub(crate) struct Altered {
    pub(crate) server: InProcess,
    pub(crate) alter: fn(&Uri, &mut response::Parts, &mut Value),
}

impl std::fmt::Debug for Altered {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Altered").finish_non_exhaustive()
    }
}

impl Transport for Altered {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let uri = request.uri().clone();
        if is_about_definitions(&request) {
            return self.server.send(request);
        }
        Box::pin(async move {
            let (mut head, body) = self.server.send(request).await?.into_parts();
            let Ok(mut shown) = serde_json::from_slice(&body) else {
                return Ok(http::Response::from_parts(head, body));
            };
            (self.alter)(&uri, &mut head, &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

fn without_generation(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("generation");
    }
}

fn without_preference(_: &Uri, _: &mut response::Parts, body: &mut Value) {
    for group in body.get_mut("groups").and_then(Value::as_array_mut).into_iter().flatten() {
        without_own_preference(group);
    }
    without_own_preference(body);
}

fn without_own_preference(group: &mut Value) {
    if let Some(group) = group.as_object_mut() {
        group.remove("preferredVersion");
    }
}

fn without_warnings_of_doubles(_: &Uri, head: &mut response::Parts, _: &mut Value) {
    let warnings: Vec<HeaderValue> = head.headers.get_all(header::WARNING).iter().cloned().collect();
    head.headers.remove(header::WARNING);
    for warning in warnings {
        if !String::from_utf8_lossy(warning.as_bytes()).contains("duplicate field") {
            head.headers.append(header::WARNING, warning);
        }
    }
}

fn with_a_warning_of_a_double(uri: &Uri, head: &mut response::Parts, _: &mut Value) {
    if is_asked_to("Warn", uri) && head.status.is_success() {
        head.headers.append(header::WARNING, HeaderValue::from_static(r#"299 - "duplicate field \"spec\"""#));
    }
}

fn with_another_reason(_: &Uri, head: &mut response::Parts, body: &mut Value) {
    let causes = body.pointer("/details/causes").and_then(Value::as_array);
    let is_missing = |cause: &Value| cause["reason"] == "FieldValueRequired";
    if head.status == 422 && causes.is_some_and(|causes| causes.iter().any(is_missing)) {
        body["reason"] = json!("BadRequest");
    }
}

fn with_causes_under_strict(uri: &Uri, head: &mut response::Parts, body: &mut Value) {
    if is_asked_to("Strict", uri) && head.status == 400 {
        body["details"] = json!({ "causes": [{ "field": "spec", "reason": "FieldValueInvalid" }] });
    }
}

fn is_asked_to(mode: &str, uri: &Uri) -> bool {
    uri.query().is_some_and(|query| query.contains(&format!("fieldValidation={mode}")))
}

/// Takes no wishes about the form of an answer.
#[derive(Debug)]
struct Plain(InProcess);

impl Transport for Plain {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        self.0.send(request)
    }
}

/// Lists the storage version of a group before all others.
#[derive(Debug)]
struct StorageFirst {
    server: InProcess,
    /// The storage version of each group, by the last write.
    stored: Mutex<BTreeMap<String, String>>,
}

impl Transport for StorageFirst {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let written = serde_json::from_slice::<Value>(request.body()).ok().filter(|_| is_about_definitions(&request));
        if let Some((group, version)) = written.as_ref().and_then(storage_of) {
            self.stored.lock().unwrap().insert(group, version);
        }
        let group = request.uri().path().strip_prefix("/apis/").unwrap_or_default();
        let stored = self.stored.lock().unwrap().get(group).cloned();
        Box::pin(async move {
            let answer = self.server.send(request).await?;
            let Some(stored) = stored else { return Ok(answer) };
            let (head, body) = answer.into_parts();
            let mut listing: Value = serde_json::from_slice(&body).unwrap_or_default();
            if let Some(versions) = listing.get_mut("versions").and_then(Value::as_array_mut) {
                versions.sort_by_key(|version| version["version"] != stored.as_str());
                listing["preferredVersion"] = listing["versions"][0].clone();
            }
            Ok(http::Response::from_parts(head, Bytes::from(listing.to_string())))
        })
    }
}

fn storage_of(definition: &Value) -> Option<(String, String)> {
    let group = definition.pointer("/spec/group")?.as_str()?.to_owned();
    let stored = definition.pointer("/spec/versions")?.as_array()?.iter().find(|version| version["storage"] == true)?;
    Some((group, stored["name"].as_str()?.to_owned()))
}

/// Refuses definitions with a keyword, unless they are dry runs.
#[derive(Debug)]
struct Refusing(InProcess);

impl Transport for Refusing {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_meant = is_about_definitions(&request) && request.uri().query().is_none();
        let text = String::from_utf8_lossy(request.body());
        if is_meant && request.method() != Method::GET && text.contains("\"oneOf\"") {
            return refusal(422, "Invalid");
        }
        self.0.send(request)
    }
}

/// Fails at dry runs of objects with many fields.
#[derive(Debug)]
struct Overwhelmed(InProcess);

impl Transport for Overwhelmed {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_dry_run = request.uri().query().is_some_and(|query| query.contains("dryRun"));
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        if is_dry_run && !is_about_definitions(&request) && fields_of(&body["spec"]) > 3 {
            return refusal(500, "InternalError");
        }
        self.0.send(request)
    }
}

fn fields_of(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.values().map(|value| 1 + fields_of(value)).sum(),
        Value::Array(elements) => elements.iter().map(fields_of).sum(),
        _ => 0,
    }
}

fn refusal(code: u16, reason: &str) -> ResponseFuture<'static> {
    let status = json!({ "kind": "Status", "status": "Failure", "reason": reason, "message": "no", "code": code });
    let answer = http::Response::builder().status(code).body(Bytes::from(status.to_string())).unwrap_or_default();
    Box::pin(std::future::ready(Ok(answer)))
}
