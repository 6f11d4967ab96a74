//! Faults in what answers say about an object: metadata, reasons, warnings, the forms of discovery.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, InProcess, ResponseFuture, Transport},
    webhook::Registry,
};
use http::Method;
use serde_json::{Value, json};

use crate::{
    server::{behind, error, is_about_definitions},
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("shows-no-generation", "metadata.generation is missing in every object")
        .breaks(
            &["DEFAULT-014", "DEFAULT-020", "INV-001", "INV-016", "INV-017", "PRUNE-020", "PRUNE-022"],
            &["inv-016-read-defaults-need-no-write", "inv-017-tighten-and-loosen"],
        )
        .answers(|_, answer| {
            if let Some(metadata) = answer.body.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("generation");
            }
        }),
    fault("prefers-no-version", "discovery has no preferred version")
        .breaks(DISCOVERY, &["ver-002-comparison", "inv-037-permutation-invariant"])
        .within_lines(20)
        .answers(|_, answer| {
            let drop = |group: &mut Value| group.as_object_mut().and_then(|group| group.remove("preferredVersion"));
            drop(&mut answer.body);
            for group in answer.body.get_mut("groups").and_then(Value::as_array_mut).into_iter().flatten() {
                drop(group);
            }
        }),
    fault("lists-the-storage-version-first", "/apis/<group> lists the storage version first if it is served")
        .breaks(DISCOVERY, &["ver-002-comparison"])
        .within_lines(20)
        .server(|| behind(|server| StorageFirst { server, stored: Mutex::default() })),
    fault("warns-of-no-duplicate-field", "a duplicate field has no warning")
        .breaks(&["INV-019"], &["inv-019-strict-iff-warn-is-silent"])
        .within_lines(20)
        .answers(|_, answer| {
            answer.remove_warnings("duplicate field");
        }),
    fault("always-warns-of-a-duplicate-field", "every accepted create warns about a duplicate field")
        .breaks(&["INV-019"], &["inv-019-strict-iff-warn-is-silent"])
        .within_lines(20)
        .answers(|asked, answer| {
            if asked.has("fieldValidation=Warn") && answer.head.status.is_success() {
                answer.warn(r#"299 - "duplicate field \"spec\"""#);
            }
        }),
    fault("reports-the-wrong-reason", "a missing field is rejected with 422 and the reason BadRequest")
        .breaks(&["DEFAULT-017"], &["default-017-required-checks-presence"])
        .within_lines(30)
        .answers(|_, answer| {
            let is_missing = |cause: &Value| cause["reason"] == "FieldValueRequired";
            if answer.head.status == 422 && answer.causes().is_some_and(|causes| causes.iter().any(is_missing)) {
                answer.body["reason"] = json!("BadRequest");
            }
        }),
    fault("reports-causes-under-strict", "an error under fieldValidation=Strict has causes")
        .breaks(&["PRUNE-028", "PRUNE-020", "INV-019"], &["prune-028-report", "inv-019-strict-iff-warn-is-silent"])
        .within_lines(30)
        .answers(|asked, answer| {
            if asked.has("fieldValidation=Strict") && answer.head.status == 400 {
                answer.body["details"] = json!({ "causes": [{ "field": "spec", "reason": "FieldValueInvalid" }] });
            }
        }),
    fault("rejects-valid-definitions", "definitions with oneOf are accepted as a dry run and rejected otherwise")
        .breaks(&["LIFE-002"], &["prune-001-unknown-keys", "inv-009-default-is-idempotent"])
        .server(|| behind(RejectsOneOf)),
    fault("fails-on-large-dry-runs", "dry runs of objects with more than three fields are answered with 500")
        .breaks(&["INV-004"], &["inv-004-key-order"])
        .server(|| behind(FailsOnManyFields)),
];

const DISCOVERY: &[&str] = &["VER-002", "VER-004", "VER-005", "DISC-002", "DISC-003", "INV-037"];

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

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

fn storage_of(definition: &Value) -> Option<(String, String)> {
    let group = definition.pointer("/spec/group")?.as_str()?.to_owned();
    let stored = definition.pointer("/spec/versions")?.as_array()?.iter().find(|version| version["storage"] == true)?;
    Some((group, stored["name"].as_str()?.to_owned()))
}

/// Rejects definitions with `oneOf`, except as dry runs.
#[derive(Debug)]
struct RejectsOneOf(InProcess);

impl Transport for RejectsOneOf {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_dry_run = request.uri().query().is_some();
        let has_one_of = String::from_utf8_lossy(request.body()).contains("\"oneOf\"");
        if is_about_definitions(&request) && !is_dry_run && request.method() != Method::GET && has_one_of {
            return Box::pin(async { Ok(error(422, "Invalid")) });
        }
        self.0.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

/// Answers 500 to dry runs of objects with many fields.
#[derive(Debug)]
struct FailsOnManyFields(InProcess);

impl Transport for FailsOnManyFields {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_dry_run = request.uri().query().is_some_and(|query| query.contains("dryRun"));
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        if is_dry_run && !is_about_definitions(&request) && count_fields(&body["spec"]) > 3 {
            return Box::pin(async { Ok(error(500, "InternalError")) });
        }
        self.0.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

fn count_fields(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.values().map(|value| 1 + count_fields(value)).sum(),
        Value::Array(elements) => elements.iter().map(count_fields).sum(),
        _ => 0,
    }
}
