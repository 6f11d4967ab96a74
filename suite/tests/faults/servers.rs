//! Faults around the functions: in what a server reads, stores and sends.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Target, TargetDescription, TargetKind, Transport};
use crdible_generators::json::Json;
use crdible_semantics::Upstream;
use http::Method;
use serde_json::Value;

use crate::{
    coercion::was_stored,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "reads-keys-in-order",
        wrong: "a key of a body that stands behind a key which sorts after it is overlooked",
        target: || behind(InOrder),
        requirements: &["INV-004"],
        properties: &["inv-004-key-order"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-what-it-reads",
        wrong: "what a read shows is stored",
        target: || behind(WritingReads),
        requirements: &["INV-016", "INV-017", "DEFAULT-011", "DEFAULT-014", "DEFAULT-015", "PRUNE-022", "LIFE-024"],
        properties: &["inv-017-tighten-and-loosen", "default-014-reading-persists-nothing"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-nothing-under-ignore",
        wrong: "fieldValidation=Ignore switches pruning off",
        target: || behind(Ignoring),
        requirements: &["INV-020"],
        properties: &["inv-020-modes-store-the-same"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "cannot-read-bad-embedded-objects",
        wrong: "an object that was stored with bad meta fields in what became embedded cannot be read",
        target: || behind(|server| Unreadable { server, bad: Mutex::default() }),
        requirements: &["PRUNE-019"],
        properties: &["prune-019-defect-no-object", "prune-019-defect-other-version", "prune-019-metadata-at-rest"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-versions-as-defined",
        wrong: "/apis/<group> lists versions in the order of the definition",
        target: || behind(|server| AsDefined { server, orders: Mutex::default() }),
        requirements: &["VER-004", "VER-005", "INV-037"],
        properties: &["ver-004-spec-order", "inv-037-permutation-invariant"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ignores-delete-options",
        wrong: "the body of a deletion is not read",
        target: || behind(Bodiless),
        requirements: &["PRUNE-026"],
        properties: &["prune-026-delete-options"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-what-was-created",
        wrong: "a list shows also what was created and the schema has dropped since",
        target: || behind(|server| Unfiltered { server, created: Mutex::default() }),
        requirements: &["PRUNE-019", "PRUNE-022"],
        properties: &["prune-019-metadata-at-rest", "prune-022-storage-read"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-merge-nulls-for-absent-keys",
        wrong: "a merge patch must not delete a key that is not there",
        target: || behind(NullRefusing),
        requirements: &["INV-011"],
        properties: &["inv-011-null-equals-absent"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// A right server behind a transport that is not.
pub(crate) fn behind<T: Transport + 'static>(wrong: impl FnOnce(InProcess) -> T) -> Target {
    let transport = Arc::new(wrong(InProcess::new(Arc::new(Upstream))));
    Target::over(transport, TargetDescription { kind: TargetKind::Embedded, address: None, version: None })
}

pub(crate) fn is_about_definitions(request: &HttpRequest) -> bool {
    request.uri().path().starts_with("/apis/apiextensions.k8s.io")
}

/// Overlooks keys that are not in order, below the fields of the root.
#[derive(Debug)]
struct InOrder(InProcess);

impl Transport for InOrder {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let (head, body) = request.into_parts();
        let request = HttpRequest::from_parts(head, body.clone());
        let text = std::str::from_utf8(&body).ok().filter(|_| !is_about_definitions(&request));
        let Some(Json::Object(mut fields)) = text.and_then(|text| Json::parse(text).ok()) else {
            return self.0.send(request);
        };
        for (name, value) in &mut fields {
            if name != "metadata" {
                overlook(value);
            }
        }
        let (head, _) = request.into_parts();
        self.0.send(HttpRequest::from_parts(head, Bytes::from(Json::Object(fields).to_text())))
    }
}

fn overlook(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            let mut last = String::new();
            fields.retain(|(key, _)| {
                let in_order = *key >= last;
                if in_order {
                    last.clone_from(key);
                }
                in_order
            });
            fields.iter_mut().for_each(|(_, value)| overlook(value));
        }
        Json::Array(elements) => elements.iter_mut().for_each(overlook),
        _ => {}
    }
}

/// Writes every object back that it reads.
#[derive(Debug)]
struct WritingReads(InProcess);

impl Transport for WritingReads {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let reads = request.method() == Method::GET && !is_about_definitions(&request);
        let (uri, headers) = (request.uri().clone(), request.headers().clone());
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let is_object = serde_json::from_slice::<Value>(answer.body())
                .is_ok_and(|body| was_stored(&body) && body.get("items").is_none());
            if reads && is_object {
                let mut written = http::Request::new(answer.body().clone());
                *written.method_mut() = Method::PUT;
                *written.uri_mut() = uri;
                *written.headers_mut() = headers;
                self.0.send(written).await?;
            }
            Ok(answer)
        })
    }
}

/// Answers a create under `fieldValidation=Ignore` with all that was sent.
#[derive(Debug)]
struct Ignoring(InProcess);

impl Transport for Ignoring {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let ignores = request.uri().query().is_some_and(|query| query.contains("fieldValidation=Ignore"));
        let sent = if ignores { serde_json::from_slice::<Value>(request.body()).ok() } else { None };
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let (head, body) = answer.into_parts();
            let shown = serde_json::from_slice::<Value>(&body).ok().filter(|_| head.status.is_success());
            let (Some(Value::Object(sent)), Some(Value::Object(mut shown))) = (sent, shown) else {
                return Ok(http::Response::from_parts(head, body));
            };
            shown.extend(sent.into_iter().filter(|(key, _)| key != "metadata"));
            Ok(http::Response::from_parts(head, Bytes::from(Value::Object(shown).to_string())))
        })
    }
}

/// Answers 500 to reads of objects that were stored with bad meta fields below the root.
#[derive(Debug)]
struct Unreadable {
    server: InProcess,
    /// Their names, which are never used twice.
    bad: Mutex<BTreeSet<String>>,
}

impl Transport for Unreadable {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let body = serde_json::from_slice::<Value>(request.body()).unwrap_or_default();
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        if request.method() == Method::GET && self.bad.lock().unwrap().contains(name) {
            return Box::pin(async {
                Ok(http::Response::builder().status(500).body(Bytes::from_static(b"{}")).unwrap_or_default())
            });
        }
        let is_bad = body
            .as_object()
            .is_some_and(|body| body.iter().any(|(key, value)| key != "metadata" && has_bad_meta_fields(value)));
        if let (Some(name), true) =
            (body.pointer("/metadata/name").and_then(Value::as_str), is_bad && !is_about_definitions(&request))
        {
            self.bad.lock().unwrap().insert(name.to_owned());
        }
        self.server.send(request)
    }
}

fn has_bad_meta_fields(value: &Value) -> bool {
    let is_bad = |key: &str, value: &Value| match key {
        "apiVersion" | "kind" => !value.is_string(),
        "metadata" => !value.is_object(),
        _ => false,
    };
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| is_bad(key, value) || has_bad_meta_fields(value)),
        Value::Array(elements) => elements.iter().any(has_bad_meta_fields),
        _ => false,
    }
}

/// Reads no bodies of deletions.
#[derive(Debug)]
struct Bodiless(InProcess);

impl Transport for Bodiless {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        if request.method() == Method::DELETE {
            *request.body_mut() = Bytes::new();
        }
        self.0.send(request)
    }
}

/// Lists the versions of a group in the order of its definition.
#[derive(Debug)]
struct AsDefined {
    server: InProcess,
    /// The names of the versions of each group, in the order of the last write.
    orders: Mutex<BTreeMap<String, Vec<String>>>,
}

impl Transport for AsDefined {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let written = serde_json::from_slice::<Value>(request.body()).ok().filter(|_| is_about_definitions(&request));
        if let Some((group, versions)) = written.as_ref().and_then(order_of) {
            self.orders.lock().unwrap().insert(group, versions);
        }
        let group = request.uri().path().strip_prefix("/apis/").unwrap_or_default();
        let order = self.orders.lock().unwrap().get(group).cloned();
        Box::pin(async move {
            let answer = self.server.send(request).await?;
            let Some(order) = order else { return Ok(answer) };
            let (head, body) = answer.into_parts();
            let mut listing: Value = serde_json::from_slice(&body).unwrap_or_default();
            if let Some(versions) = listing.get_mut("versions").and_then(Value::as_array_mut) {
                versions.sort_by_key(|version| order.iter().position(|name| version["version"] == name.as_str()));
            }
            Ok(http::Response::from_parts(head, Bytes::from(listing.to_string())))
        })
    }
}

fn order_of(definition: &Value) -> Option<(String, Vec<String>)> {
    let group = definition.pointer("/spec/group")?.as_str()?.to_owned();
    let versions = definition.pointer("/spec/versions")?.as_array()?;
    Some((group, versions.iter().filter_map(|version| version["name"].as_str().map(str::to_owned)).collect()))
}

/// Adds to the items of a list what the objects were created with and have no more.
#[derive(Debug)]
struct Unfiltered {
    server: InProcess,
    /// The answers to creates, by the group and the name of the object.
    created: Mutex<BTreeMap<(String, String), Value>>,
}

impl Transport for Unfiltered {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_create = request.method() == Method::POST && request.uri().query().is_none();
        let is_read = request.method() == Method::GET;
        let group = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
        if is_about_definitions(&request) || !(is_create || is_read) {
            return self.server.send(request);
        }
        Box::pin(async move {
            let answer = self.server.send(request).await?;
            let (head, body) = answer.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            let key = |object: &Value| (group.clone(), object["metadata"]["name"].to_string());
            if is_create && head.status.is_success() {
                self.created.lock().unwrap().insert(key(&shown), shown);
                return Ok(http::Response::from_parts(head, body));
            }
            for item in shown.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(created) = self.created.lock().unwrap().get(&key(item)) {
                    add(item, created);
                }
            }
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

/// Adds the keys of another value that are absent, at any depth.
fn add(value: &mut Value, other: &Value) {
    match (value, other) {
        (Value::Object(object), Value::Object(other)) => {
            for (key, other) in other {
                match object.get_mut(key) {
                    Some(value) => add(value, other),
                    None => _ = object.insert(key.clone(), other.clone()),
                }
            }
        }
        (Value::Array(elements), Value::Array(others)) => {
            elements.iter_mut().zip(others).for_each(|(value, other)| add(value, other));
        }
        _ => {}
    }
}

/// Refuses merge patches with a null for a key that is absent from an object that is there.
#[derive(Debug)]
struct NullRefusing(InProcess);

impl Transport for NullRefusing {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_merge = request
            .headers()
            .get(http::header::CONTENT_TYPE)
            .is_some_and(|kind| kind == "application/merge-patch+json");
        if !is_merge || is_about_definitions(&request) {
            return self.0.send(request);
        }
        Box::pin(async move {
            let mut read = HttpRequest::new(Bytes::new());
            *read.uri_mut() = request.uri().clone();
            let current = self.0.send(read).await?;
            let current: Value = serde_json::from_slice(current.body()).unwrap_or_default();
            let patch: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            if !deletes_nothing_absent(&patch, &current) {
                let body =
                    serde_json::json!({ "kind": "Status", "status": "Failure", "reason": "Invalid", "code": 422 });
                return Ok(http::Response::builder()
                    .status(422)
                    .body(Bytes::from(body.to_string()))
                    .unwrap_or_default());
            }
            self.0.send(request).await
        })
    }
}

fn deletes_nothing_absent(patch: &Value, current: &Value) -> bool {
    let (Some(patch), Some(current)) = (patch.as_object(), current.as_object()) else { return true };
    patch.iter().all(|(key, patch)| match current.get(key) {
        None => !patch.is_null(),
        Some(current) => deletes_nothing_absent(patch, current),
    })
}
