//! Faults in what becomes of the status.

use std::time::Duration;

use bytes::Bytes;
use crdible::connection::{Ended, HttpRequest, TransportError};
use crdible_semantics::{Defaulting, Reason, with};
use http::{Method, Response};
use serde_json::{Value, json};

use super::{is_method, is_update_of, main_object};
use crate::{
    json::{count_up, fields, list, parsed, remove},
    layer::Layered,
    sent::{is_about_definitions, merge, query_contains, send_without, with_body},
    server::{correct, error},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("status-writes-change-the-spec", "a write of the status takes the spec, too")
        .breaks(&["INV-065", "SUB-005", "SUB-008"], &["sub-004-two-endpoints"])
        .semantics(with::take_status(|_, object, old| take_too(object, old, "/spec"))),
    fault("status-writes-change-other-fields", "a write of the status takes a field beside the spec, too")
        .breaks(&["INV-065", "SUB-005", "SUB-006", "SUB-008"], &["sub-004-two-endpoints"])
        .semantics(with::take_status(|_, object, old| take_too(object, old, "/beside"))),
    fault("status-writes-change-labels", "a write of the status takes the labels, too")
        .breaks(&["INV-065", "SUB-005", "SUB-008"], &["sub-004-two-endpoints"])
        .semantics(with::take_status(|_, object, old| take_too(object, old, "/metadata/labels"))),
    fault("status-writes-change-finalizers", "a write of the status takes the finalizers, too")
        .breaks(&["INV-065", "SUB-005", "SUB-013"], &["sub-004-two-endpoints", "sub-013-during-deletion"])
        .semantics(with::take_status(|_, object, old| take_too(object, old, "/metadata/finalizers"))),
    fault("status-writes-fail-during-deletion", "the status of an object that is being deleted cannot be written")
        .breaks(&["SUB-013", "SUB-005"], &["sub-013-during-deletion"])
        .around(act!(|server, request| {
            if is_update_of(&request, "/status")
                && main_object(server, &request).await?.pointer("/metadata/deletionTimestamp").is_some()
            {
                return Ok(error(409, "Conflict"));
            }
            server.pass(request).await
        })),
    obvious_fault("main-updates-take-the-status", "an update of the object takes the status of the client")
        .breaks(
            &["INV-065", "SUB-004", "SUB-009", "SUB-016", "SUB-018"],
            &["sub-004-two-endpoints", "sub-016-each-version"],
        )
        .within_lines(100)
        .semantics(with::keep_status(|_, object, old| {
            if old.is_none() {
                correct().keep_status(object, old);
            }
        })),
    fault("main-updates-without-status-remove-it", "an update of the object that says no status removes it")
        .breaks(&["INV-065", "SUB-004", "SUB-009", "SUB-016", "SUB-018"], &["sub-004-two-endpoints"])
        .semantics(with::keep_status(|_, object, old| {
            if old.is_none() || object.get("status").is_some() {
                correct().keep_status(object, old);
            }
        })),
    obvious_fault("creates-keep-the-status", "a create keeps the status of the client")
        .breaks(
            &["SUB-003", "SUB-016", "DEFAULT-016"],
            &["sub-004-two-endpoints", "sub-012-only-the-status", "sub-016-each-version"],
        )
        .blamed(&["SUB-003", "SUB-016"])
        .semantics(with::keep_status(|_, object, old| {
            if old.is_some() {
                correct().keep_status(object, old);
            }
        })),
    fault("a-status-cannot-be-removed", "a write without a status keeps the old one")
        .breaks(&["INV-065", "SUB-006", "SUB-008", "SUB-005", "SUB-018"], &["sub-004-two-endpoints"])
        .semantics(with::take_status(|_, object, old| {
            let removes = object.get("status").is_none();
            correct().take_status(object, old);
            if let (true, Some(status)) = (removes, old.get("status")) {
                object["status"] = status.clone();
            }
        })),
    fault("a-status-only-grows", "a field that a new status does not have stays in it")
        .breaks(&["INV-065", "SUB-005", "SUB-008"], &["sub-004-two-endpoints"])
        .semantics(with::take_status(|_, object, old| {
            correct().take_status(object, old);
            let before = old.get("status").and_then(Value::as_object);
            if let Some(status) = object.get_mut("status").and_then(Value::as_object_mut) {
                for (name, value) in before.into_iter().flatten() {
                    status.entry(name).or_insert_with(|| value.clone());
                }
            }
        })),
    obvious_fault("status-writes-count", "a write of the status counts as a change of the content")
        .breaks(&["INV-065", "SUB-008"], &["sub-004-two-endpoints"])
        .answers(|asked, answer| {
            if asked.ends_with("/status") && asked.method != Method::GET && answer.is_success() {
                count_up(&mut answer.body);
            }
        }),
    fault("labels-count", "a patch of labels counts as a change of the content")
        .breaks(&["SUB-009"], &["sub-004-two-endpoints"])
        .answers(|asked, answer| {
            let is_labels = asked.body.get("spec").is_none() && asked.body.pointer("/metadata/labels").is_some();
            let is_meant = is_labels && asked.method == Method::PATCH && !asked.ends_with("/status");
            if is_meant && answer.is_success() {
                count_up(&mut answer.body);
            }
        }),
    fault("creates-take-the-generation", "a create takes the generation of the client")
        .breaks(&["SUB-009", "SUB-010"], &["sub-004-two-endpoints"])
        .within_lines(40)
        .answers(|asked, answer| {
            if let (&Method::POST, Some(generation)) = (&asked.method, asked.body.pointer("/metadata/generation")) {
                answer.body["metadata"]["generation"] = generation.clone();
            }
        }),
    fault("needs-no-revision-of-a-status", "PUT of a status needs no resourceVersion")
        .breaks(&["SUB-007"], &["sub-004-two-endpoints"])
        .bodies(is_status_put, |body, object| {
            if body.pointer("/metadata/resourceVersion").is_none() {
                body["metadata"]["resourceVersion"] = object["metadata"]["resourceVersion"].clone();
            }
        }),
    obvious_fault("accepts-stale-statuses", "PUT of a status with an old resourceVersion is accepted")
        .breaks(&["SUB-007"], &["sub-004-two-endpoints"])
        .bodies(is_status_put, |body, object| {
            if body.pointer("/metadata/resourceVersion").is_some() {
                body["metadata"]["resourceVersion"] = object["metadata"]["resourceVersion"].clone();
            }
        }),
    fault("patches-statuses-of-any-revision", "the resourceVersion in a patch of a status is ignored")
        .breaks(&["SUB-007"], &["sub-004-two-endpoints"])
        .requests(|request| {
            if is_method(request, &Method::PATCH, "/status") {
                send_without(request, "/metadata/resourceVersion");
            }
        }),
    fault("writes-the-same-status-again", "a write of the status that changes nothing makes a new revision")
        .breaks(&["INV-065", "SUB-005", "SUB-008"], &["sub-004-two-endpoints"])
        .around(act!(|server, request| {
            if !is_update_of(&request, "/status") || query_contains(&request, "dryRun") {
                return server.pass(request).await;
            }
            let before = main_object(server, &request).await?;
            let path = request.uri().path().trim_end_matches("/status").to_owned();
            let answered = server.pass(request).await?;
            let revision = |object: &Value| object["metadata"]["resourceVersion"].clone();
            if !answered.status().is_success() || revision(&before) != revision(&parsed(answered.body())) {
                return Ok(answered);
            }
            let touched = json!({ "metadata": { "annotations": { "touched": revision(&before) } } });
            server.pass(merge(&path, &touched)).await
        })),
    fault(
        "status-is-validated-with-the-rest",
        "a write of the status is rejected if the rest of the object is invalid",
    )
    .breaks(&["SUB-005", "SUB-012", "RATCHET-019"], &["sub-012-only-the-status"])
    .within_lines(100)
    .semantics(with::status_violations(|_, object, schema, _| correct().object_violations(object, schema, None))),
    obvious_fault("status-is-not-validated", "a write of the status is not validated")
        .breaks(&["SUB-012", "RATCHET-019"], &["sub-012-only-the-status"])
        .within_lines(80)
        .semantics(with::status_violations(|_, _, _, _| Vec::new())),
    fault("lists-of-a-status-are-not-validated", "a write of the status may repeat elements of sets")
        .breaks(&["SUB-012"], &["sub-012-only-the-status"])
        .within_lines(80)
        .semantics(with::status_violations(|_, object, schema, old| {
            let mut found = correct().status_violations(object, schema, old);
            found.retain(|violation| violation.reason != Reason::Duplicate);
            found
        })),
    obvious_fault("a-status-is-not-forgiven", "a write of the status is validated like a new status")
        .breaks(&["RATCHET-019"], &["sub-012-only-the-status"])
        .within_lines(100)
        .semantics(with::status_violations(|_, object, schema, _| correct().status_violations(object, schema, None))),
    fault("a-status-is-forgiven-as-a-whole", "a status is not validated if one of its fields is unchanged")
        .breaks(&["RATCHET-019"], &["sub-012-only-the-status"])
        .within_lines(100)
        .semantics(with::status_violations(|_, object, schema, old| {
            let before = old.and_then(|old| old.pointer("/status/note"));
            if before.is_some() && before == object.pointer("/status/note") {
                return Vec::new();
            }
            correct().status_violations(object, schema, old)
        })),
    fault("objects-do-not-forgive-their-status", "a write of an object is refused if its status has become invalid")
        .breaks(&["RATCHET-019"], &["sub-012-only-the-status"])
        .within_lines(100)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            if old.is_some() && object.pointer("/status/part").is_some() {
                let all = correct().object_violations(object, schema, None);
                found.extend(all.into_iter().filter(|violation| violation.field.starts_with("status.")));
            }
            found
        })),
    obvious_fault("a-status-has-no-default-of-its-own", "a default of the status itself is not applied")
        .breaks(&["DEFAULT-016"], &["sub-012-only-the-status"])
        .within_lines(80)
        .semantics(with::default_property(|semantics, object, name, schema| {
            if name != "status" || object.contains_key(name) {
                (Defaulting::CORRECT.default_property)(semantics, object, name, schema);
            }
        })),
    fault("defaults-make-a-status", "defaults below a status that does not exist are shown, too")
        .breaks(&["DEFAULT-016", "SUB-003"], &["sub-012-only-the-status"])
        .blamed(&["DEFAULT-016"])
        .within_lines(80)
        .semantics(with::default_property(|semantics, object, name, schema| {
            let is_missing = name == "status" && !object.contains_key(name) && schema.default.is_none();
            if is_missing && schema.properties.values().any(|property| property.default.is_some()) {
                object.insert(name.to_owned(), json!({}));
            }
            (Defaulting::CORRECT.default_property)(semantics, object, name, schema);
        })),
    fault("creates-store-the-defaults-of-a-status", "a create stores the status that its defaults make")
        .breaks(&["DEFAULT-016"], &["sub-012-only-the-status"])
        .within_lines(100)
        .around(act!(|server, request| {
            let is_create = *request.method() == Method::POST && !query_contains(&request, "dryRun");
            let path = request.uri().path().to_owned();
            let answered = server.pass(request).await?;
            let object = parsed(answered.body());
            let name = object.pointer("/metadata/name").and_then(Value::as_str);
            if let (true, Some(name), Some(status)) = (is_create, name, object.get("status")) {
                let patch = json!({ "status": status });
                server.pass(merge(&format!("{path}/{name}/status"), &patch)).await?;
            }
            Ok(answered)
        })),
    obvious_fault("status-reads-are-partial", "GET of /status shows only metadata and status")
        .breaks(&["SUB-001", "SUB-002", "SUB-014"], &["sub-004-two-endpoints", "sub-015-methods"])
        .answers(|asked, answer| {
            if asked.method == Method::GET && asked.ends_with("/status") {
                remove(&mut answer.body, "/spec");
            }
        }),
    fault("knows-no-watch-of-a-status", "GET of /status with watch=1 is refused")
        .breaks(&["SUB-014"], &["sub-015-methods"])
        .answers(|asked, answer| {
            if asked.has_parameter("watch=1") && asked.ends_with("/status") && answer.is_success() {
                answer.fail(405, "MethodNotAllowed");
            }
        }),
    obvious_fault("posts-to-status-are-not-found", "POST to /status is answered with 404")
        .breaks(&["SUB-014"], &["sub-015-methods"])
        .answers(|asked, answer| {
            if asked.method == Method::POST && asked.ends_with("/status") {
                answer.fail(404, "NotFound");
            }
        }),
    fault("deletes-of-disabled-subresources-are-not-allowed", "DELETE of a subresource that is not enabled is 405")
        .breaks(&["SUB-015", "SUB-016"], &["sub-015-methods"])
        .answers(|asked, answer| {
            let path = asked.uri.path();
            let is_subresource = path.ends_with("/status") || path.ends_with("/scale");
            if asked.method == Method::DELETE && is_subresource {
                answer.fail(405, "MethodNotAllowed");
            }
        }),
    fault("enables-status-at-all-versions", "if one version enables /status, all versions do")
        .breaks(
            &["INV-065", "SUB-003", "SUB-004", "SUB-009", "SUB-011", "SUB-015", "SUB-016", "SUB-018"],
            &["sub-015-methods", "sub-016-each-version"],
        )
        .within_lines(100)
        .requests(|request| {
            if is_about_definitions(request) {
                with_body(request, |body| {
                    let Some(versions) = list(body, "/spec/versions") else { return };
                    if versions.iter().any(|version| version.pointer("/subresources/status").is_some()) {
                        versions.iter_mut().for_each(|version| version["subresources"]["status"] = json!({}));
                    }
                });
            }
        }),
    fault("fails-while-a-subresource-is-switched", "GET of /status or /scale is 500 while the definition is changed")
        .breaks(&["SUB-015"], &["sub-015-defect-switched"])
        .within_lines(400)
        .around_everything(act!(|server, request| {
            if *request.method() == Method::PATCH && is_about_definitions(&request) {
                return change_slowly(server, request).await;
            }
            if is_being_changed(server, &request) {
                return Ok(error(500, "InternalError"));
            }
            server.pass(request).await
        })),
    fault(
        "ends-connections-while-a-subresource-is-switched",
        "the connection of a GET of /status or /scale ends without an answer while the definition is changed",
    )
    .breaks(&["SUB-015"], &["sub-015-defect-switched"])
    .within_lines(400)
    .around_everything(act!(|server, request| {
        if *request.method() == Method::PATCH && is_about_definitions(&request) {
            return change_slowly(server, request).await;
        }
        let is_meant = is_being_changed(server, &request);
        let mut answered = server.pass(request).await?;
        if is_meant {
            // What the transport says of a read that was sent again.
            answered.extensions_mut().insert(Ended { times: 1 });
        }
        Ok(answered)
    })),
];

/// Sends a change of a definition, which takes a moment.
async fn change_slowly(server: &Layered, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
    let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    server.note(&name, true);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let answered = server.pass(request).await;
    server.forget(&name);
    answered
}

/// Whether it reads a subresource of an object whose definition is being changed.
fn is_being_changed(server: &Layered, request: &HttpRequest) -> bool {
    let path = request.uri().path();
    let is_of_subresource = path.ends_with("/status") || path.ends_with("/scale");
    let mut segments = path.split('/').skip(2);
    let (group, plural) = (segments.next().unwrap_or_default(), segments.nth(1).unwrap_or_default());
    *request.method() == Method::GET && is_of_subresource && server.noted(&format!("{plural}.{group}")).is_some()
}

/// Whether it is a PUT of the status of an object.
fn is_status_put(request: &HttpRequest) -> bool {
    is_method(request, &Method::PUT, "/status")
}

/// Takes the status, and something else.
fn take_too(object: &mut Value, old: &Value, pointer: &str) {
    let taken = object.pointer(pointer).cloned();
    correct().take_status(object, old);
    remove(object, pointer);
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    if let (Some(fields), Some(taken)) = (fields(object, parent), taken) {
        fields.insert(name.to_owned(), taken);
    }
}
