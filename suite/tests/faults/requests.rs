//! Faults in what a server reads, stores and lists, outside of the functions.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, InProcess, ResponseFuture, Transport},
    webhook::Registry,
};
use crdible_generators::json::Json;
use http::Method;
use serde_json::Value;

use crate::{
    metadata::was_stored,
    server::{Answer, Asked, behind, error, is_about_definitions, show_sent_fields},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("drops-keys-out-of-order", "keys of a body that are out of order are dropped")
        .breaks(&["INV-004"], &["inv-004-key-order"])
        .requests(drop_keys_out_of_order),
    fault("writes-on-read", "every read stores what it shows")
        .breaks(
            &["INV-016", "INV-017", "DEFAULT-011", "DEFAULT-014", "DEFAULT-015", "PRUNE-022", "LIFE-024"],
            &["inv-017-tighten-and-loosen", "default-014-reading-persists-nothing"],
        )
        .blamed(&["PRUNE-022", "DEFAULT-014"])
        .server(|| behind(WritesOnRead)),
    fault("prunes-nothing-under-ignore", "fieldValidation=Ignore turns pruning off")
        .breaks(&["INV-020"], &["inv-020-modes-store-the-same"])
        .within_lines(30)
        .answers(show_sent_fields_under_ignore),
    fault("prunes-at-one-version-only", "what is created at v2 is not pruned")
        .breaks(&["PRUNE-020"], &["prune-020-requested-version"])
        .answers(show_sent_fields_at_v2),
    fault("fails-to-read-invalid-embedded-objects", "a new embedded object with invalid meta fields cannot be read")
        .breaks(
            &["PRUNE-019"],
            &["prune-019-defect-no-object", "prune-019-defect-other-version", "prune-019-metadata-at-rest"],
        )
        .server(|| behind(|server| FailsToRead { server, invalid: Mutex::default() })),
    obvious_fault("lists-versions-in-definition-order", "/apis/<group> lists versions in the order of the definition")
        .breaks(&["VER-004", "VER-005", "INV-037"], &["ver-004-spec-order", "inv-037-permutation-invariant"])
        .within_lines(30)
        .server(|| behind(|server| ListsInDefinitionOrder { server, orders: Mutex::default() })),
    obvious_fault("ignores-delete-options", "the body of a delete is ignored")
        .breaks(&["REST-047"], &["prune-026-delete-options"])
        .within_lines(20)
        .requests(drop_delete_options),
    fault(
        "prunes-delete-options",
        "options of a delete that carry the group of the definition are treated as one of its objects",
    )
    .breaks(&["PRUNE-026"], &["prune-026-delete-options"])
    .within_lines(30)
    .requests(prune_delete_options),
    fault("lists-fields-no-longer-declared", "a list shows fields that the schema no longer declares")
        .breaks(&["PRUNE-019", "PRUNE-022"], &["prune-019-metadata-at-rest", "prune-022-storage-read"])
        .server(|| behind(|server| ListsCreatedFields { server, created: Mutex::default() })),
    fault("rejects-merge-nulls-for-missing-keys", "a merge patch that deletes a missing key is rejected")
        .breaks(&["INV-011"], &["inv-011-null-equals-absent"])
        .within_lines(40)
        .server(|| behind(RejectsMergeNulls)),
];

/// Drops keys that are out of order, below the fields of the root.
fn drop_keys_out_of_order(request: &mut HttpRequest) {
    let text = std::str::from_utf8(request.body()).ok().filter(|_| !is_about_definitions(request));
    let Some(Json::Object(mut fields)) = text.and_then(|text| Json::parse(text).ok()) else { return };
    for (name, value) in &mut fields {
        if name != "metadata" {
            keep_ascending_keys(value);
        }
    }
    *request.body_mut() = Bytes::from(Json::Object(fields).to_text());
}

fn keep_ascending_keys(value: &mut Json) {
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
            fields.iter_mut().for_each(|(_, value)| keep_ascending_keys(value));
        }
        Json::Array(elements) => elements.iter_mut().for_each(keep_ascending_keys),
        _ => {}
    }
}

/// Writes each object that it reads.
#[derive(Debug)]
struct WritesOnRead(InProcess);

impl Transport for WritesOnRead {
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

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

/// Shows all that was sent under `fieldValidation=Ignore`.
fn show_sent_fields_under_ignore(asked: &Asked, answer: &mut Answer) {
    if asked.has("fieldValidation=Ignore") {
        show_sent_fields(asked, answer);
    }
}

/// Shows all that was sent in a create at `v2`.
fn show_sent_fields_at_v2(asked: &Asked, answer: &mut Answer) {
    if asked.method == Method::POST && asked.uri.path().contains("/v2/") {
        show_sent_fields(asked, answer);
    }
}

/// Answers 500 to reads of objects that were stored with invalid meta fields below the root.
#[derive(Debug)]
struct FailsToRead {
    server: InProcess,
    /// Their names, which are never used twice.
    invalid: Mutex<BTreeSet<String>>,
}

impl Transport for FailsToRead {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let body = serde_json::from_slice::<Value>(request.body()).unwrap_or_default();
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        if request.method() == Method::GET && self.invalid.lock().unwrap().contains(name) {
            return Box::pin(async { Ok(error(500, "InternalError")) });
        }
        let is_invalid = body
            .as_object()
            .is_some_and(|body| body.iter().any(|(key, value)| key != "metadata" && has_invalid_meta_fields(value)));
        if let (Some(name), true) =
            (body.pointer("/metadata/name").and_then(Value::as_str), is_invalid && !is_about_definitions(&request))
        {
            self.invalid.lock().unwrap().insert(name.to_owned());
        }
        self.server.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

fn has_invalid_meta_fields(value: &Value) -> bool {
    let is_invalid = |key: &str, value: &Value| match key {
        "apiVersion" | "kind" => !value.is_string(),
        "metadata" => !value.is_object(),
        _ => false,
    };
    match value {
        Value::Object(object) => {
            object.iter().any(|(key, value)| is_invalid(key, value) || has_invalid_meta_fields(value))
        }
        Value::Array(elements) => elements.iter().any(has_invalid_meta_fields),
        _ => false,
    }
}

/// Drops the preconditions of options that carry the group of a definition, which its schema does not declare.
fn prune_delete_options(request: &mut HttpRequest) {
    let options: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    let is_of_group = options["apiVersion"].as_str().is_some_and(|version| version.contains('/'));
    if request.method() == Method::DELETE && is_of_group {
        *request.body_mut() = Bytes::new();
    }
}

/// Drops the bodies of deletes.
fn drop_delete_options(request: &mut HttpRequest) {
    if request.method() == Method::DELETE {
        *request.body_mut() = Bytes::new();
    }
}

/// Lists the versions of a group in the order of its definition.
#[derive(Debug)]
struct ListsInDefinitionOrder {
    server: InProcess,
    /// The names of the versions of each group, in the order of the last write.
    orders: Mutex<BTreeMap<String, Vec<String>>>,
}

impl Transport for ListsInDefinitionOrder {
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

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

fn order_of(definition: &Value) -> Option<(String, Vec<String>)> {
    let group = definition.pointer("/spec/group")?.as_str()?.to_owned();
    let versions = definition.pointer("/spec/versions")?.as_array()?;
    Some((group, versions.iter().filter_map(|version| version["name"].as_str().map(str::to_owned)).collect()))
}

/// Adds to the items of a list the fields that the objects were created with.
#[derive(Debug)]
struct ListsCreatedFields {
    server: InProcess,
    /// The answers to creates, by the group and the name of the object.
    created: Mutex<BTreeMap<(String, String), Value>>,
}

impl Transport for ListsCreatedFields {
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
                    add_missing(item, created);
                }
            }
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// Adds the missing keys of another value, at any depth.
fn add_missing(value: &mut Value, other: &Value) {
    match (value, other) {
        (Value::Object(object), Value::Object(other)) => {
            for (key, other) in other {
                match object.get_mut(key) {
                    Some(value) => add_missing(value, other),
                    None => _ = object.insert(key.clone(), other.clone()),
                }
            }
        }
        (Value::Array(elements), Value::Array(others)) => {
            elements.iter_mut().zip(others).for_each(|(value, other)| add_missing(value, other));
        }
        _ => {}
    }
}

/// Rejects merge patches with a null for a missing key of an existing object.
#[derive(Debug)]
struct RejectsMergeNulls(InProcess);

impl Transport for RejectsMergeNulls {
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
                return Ok(error(422, "Invalid"));
            }
            self.0.send(request).await
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

fn deletes_nothing_absent(patch: &Value, current: &Value) -> bool {
    let (Some(patch), Some(current)) = (patch.as_object(), current.as_object()) else { return true };
    patch.iter().all(|(key, patch)| match current.get(key) {
        None => !patch.is_null(),
        Some(current) => deletes_nothing_absent(patch, current),
    })
}
