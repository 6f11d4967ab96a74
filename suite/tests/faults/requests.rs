//! Faults in what a server reads, stores and lists, outside of the functions.

use bytes::Bytes;
use crdible::connection::{HttpRequest, ResponseFuture};
use crdible_generators::json::Json;
use http::{Method, header};
use serde_json::Value;

use crate::{
    json::{elements, list, parsed, text},
    layer::Layered,
    metadata::was_stored,
    sent::{MERGE_PATCH, body_of, header_of, is_about_definitions},
    server::{error, show_sent_fields},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("drops-keys-out-of-order", "keys of a body that are out of order are dropped")
        .breaks(&["INV-004"], &["inv-004-key-order"])
        .requests(|request| {
            let text = std::str::from_utf8(request.body()).ok().filter(|_| !is_about_definitions(request));
            let Some(Json::Object(mut fields)) = text.and_then(|text| Json::parse(text).ok()) else { return };
            // Below the fields of the root.
            fields.iter_mut().filter(|(name, _)| name != "metadata").for_each(|(_, value)| keep_ascending_keys(value));
            *request.body_mut() = Bytes::from(Json::Object(fields).to_text());
        }),
    fault("writes-on-read", "every read stores what it shows")
        .breaks(
            &["INV-016", "INV-017", "DEFAULT-011", "DEFAULT-014", "DEFAULT-015", "PRUNE-022", "LIFE-024"],
            &["inv-017-tighten-and-loosen", "default-014-reading-persists-nothing"],
        )
        .blamed(&["PRUNE-022", "DEFAULT-014"])
        .around(write_on_read),
    fault("prunes-nothing-under-ignore", "fieldValidation=Ignore turns pruning off")
        .breaks(&["INV-020"], &["inv-020-modes-store-the-same"])
        .within_lines(30)
        .answers(|asked, answer| {
            if asked.has_parameter("fieldValidation=Ignore") {
                show_sent_fields(asked, answer);
            }
        }),
    fault("prunes-at-one-version-only", "what is created at v2 is not pruned")
        .breaks(&["PRUNE-020"], &["prune-020-requested-version"])
        .answers(|asked, answer| {
            if asked.method == Method::POST && asked.uri.path().contains("/v2/") {
                show_sent_fields(asked, answer);
            }
        }),
    fault("fails-to-read-invalid-embedded-objects", "a new embedded object with invalid meta fields cannot be read")
        .breaks(
            &["PRUNE-019"],
            &["prune-019-defect-no-object", "prune-019-defect-other-version", "prune-019-metadata-at-rest"],
        )
        .around(fail_to_read),
    obvious_fault("lists-versions-in-definition-order", "/apis/<group> lists versions in the order of the definition")
        .breaks(&["VER-004", "VER-005", "INV-037"], &["ver-004-spec-order", "inv-037-permutation-invariant"])
        .within_lines(30)
        .around(list_in_definition_order),
    obvious_fault("ignores-delete-options", "the body of a delete is ignored")
        .breaks(&["REST-047"], &["prune-026-delete-options"])
        .within_lines(20)
        .requests(|request| {
            if *request.method() == Method::DELETE {
                *request.body_mut() = Bytes::new();
            }
        }),
    fault(
        "prunes-delete-options",
        "options of a delete that carry the group of the definition are treated as one of its objects",
    )
    .breaks(&["PRUNE-026"], &["prune-026-delete-options"])
    .within_lines(30)
    .requests(|request| {
        // The schema of the definition does not declare the preconditions.
        if *request.method() == Method::DELETE && text(&body_of(request), "/apiVersion").contains('/') {
            *request.body_mut() = Bytes::new();
        }
    }),
    fault("lists-fields-no-longer-declared", "a list shows fields that the schema no longer declares")
        .breaks(&["PRUNE-019", "PRUNE-022"], &["prune-019-metadata-at-rest", "prune-022-storage-read"])
        .around(list_created_fields),
    fault("rejects-merge-nulls-for-missing-keys", "a merge patch that deletes a missing key is rejected")
        .breaks(&["INV-011"], &["inv-011-null-equals-absent"])
        .within_lines(40)
        .around(reject_merge_nulls),
];

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
fn write_on_read(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let mut written = request.clone();
        let answered = server.pass(request).await?;
        let shown = parsed(answered.body());
        if *written.method() == Method::GET && was_stored(&shown) && shown.get("items").is_none() {
            *written.method_mut() = Method::PUT;
            *written.body_mut() = answered.body().clone();
            server.pass(written).await?;
        }
        Ok(answered)
    })
}

/// Answers 500 to reads of objects that were stored with invalid meta fields below the root. Their names, which are
/// never used twice, are remembered.
fn fail_to_read(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        if *request.method() == Method::GET && server.noted(name).is_some() {
            return Ok(error(500, "InternalError"));
        }
        let body = body_of(&request);
        let fields = body.as_object().into_iter().flatten();
        let is_invalid = { fields }.any(|(key, value)| key != "metadata" && has_invalid_meta_fields(value));
        if let (Some(name), true) = (body.pointer("/metadata/name").and_then(Value::as_str), is_invalid) {
            server.note(name, true);
        }
        server.pass(request).await
    })
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

/// Lists the versions of a group in the order of its definition.
fn list_in_definition_order(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let group = request.uri().path().strip_prefix("/apis/").unwrap_or_default();
        let known = server.definition(group);
        server
            .answer(request, |answer| {
                if let (Some(known), Some(versions)) = (known, list(&mut answer.body, "/versions")) {
                    versions.sort_by_key(|version| known.versions.iter().position(|name| version["version"] == *name));
                }
            })
            .await
    })
}

/// Adds to the items of a list the fields that the objects were created with. The answers to creates are remembered.
fn list_created_fields(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let is_create = *request.method() == Method::POST && request.uri().query().is_none();
        let is_read = *request.method() == Method::GET;
        let group = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
        let key = |object: &Value| format!("{group} {}", object["metadata"]["name"]);
        server
            .answer(request, |answer| {
                if is_create && answer.is_success() {
                    server.note(&key(&answer.body), answer.body.clone());
                }
                for item in elements(&mut answer.body, "/items").filter(|_| is_read) {
                    if let Some(created) = server.noted(&key(item)) {
                        add_missing(item, &created);
                    }
                }
            })
            .await
    })
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
fn reject_merge_nulls(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let is_merge = header_of(&request, &header::CONTENT_TYPE) == MERGE_PATCH;
        if is_merge && !deletes_nothing_absent(&body_of(&request), &server.object(&request).await?) {
            return Ok(error(422, "Invalid"));
        }
        server.pass(request).await
    })
}

fn deletes_nothing_absent(patch: &Value, current: &Value) -> bool {
    let (Some(patch), Some(current)) = (patch.as_object(), current.as_object()) else { return true };
    patch.iter().all(|(key, patch)| match current.get(key) {
        None => !patch.is_null(),
        Some(current) => deletes_nothing_absent(patch, current),
    })
}
