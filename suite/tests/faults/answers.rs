//! Faults in what answers say about an object: metadata, reasons, warnings, the forms of discovery.

use crdible::connection::{HttpRequest, ResponseFuture};
use http::Method;
use serde_json::{Value, json};

use crate::{
    json::{elements, list, remove},
    layer::Layered,
    sent::{body_of, is_about_definitions, query_contains},
    server::error,
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("shows-no-generation", "metadata.generation is missing in every object")
        .breaks(
            &["DEFAULT-014", "DEFAULT-020", "INV-001", "INV-016", "INV-017", "PRUNE-020", "PRUNE-022"],
            &["inv-016-read-defaults-need-no-write", "inv-017-tighten-and-loosen"],
        )
        .answers(|_, answer| {
            remove(&mut answer.body, "/metadata/generation");
        }),
    fault("prefers-no-version", "discovery has no preferred version")
        .breaks(DISCOVERY, &["ver-002-comparison", "inv-037-permutation-invariant"])
        .within_lines(20)
        .answers(|_, answer| {
            remove(&mut answer.body, "/preferredVersion");
            for group in elements(&mut answer.body, "/groups") {
                remove(group, "/preferredVersion");
            }
        }),
    fault("lists-the-storage-version-first", "/apis/<group> lists the storage version first if it is served")
        .breaks(DISCOVERY, &["ver-002-comparison"])
        .within_lines(20)
        .around(storage_first),
    fault("warns-of-no-duplicate-field", "a duplicate field has no warning")
        .breaks(&["INV-019"], &["inv-019-strict-iff-warn-is-silent"])
        .within_lines(20)
        .answers(|_, answer| answer.remove_warnings("duplicate field")),
    fault("always-warns-of-a-duplicate-field", "every accepted create warns about a duplicate field")
        .breaks(&["INV-019"], &["inv-019-strict-iff-warn-is-silent"])
        .within_lines(20)
        .answers(|asked, answer| {
            if asked.has_parameter("fieldValidation=Warn") && answer.is_success() {
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
            if asked.has_parameter("fieldValidation=Strict") && answer.head.status == 400 {
                answer.body["details"] = json!({ "causes": [{ "field": "spec", "reason": "FieldValueInvalid" }] });
            }
        }),
    fault("rejects-valid-definitions", "definitions with oneOf are accepted as a dry run and rejected otherwise")
        .breaks(&["LIFE-002"], &["prune-001-unknown-keys", "inv-009-default-is-idempotent"])
        .around_everything(reject_one_of),
    fault("fails-on-large-dry-runs", "dry runs of objects with more than three fields are answered with 500")
        .breaks(&["INV-004"], &["inv-004-key-order"])
        .around(fail_on_many_fields),
];

const DISCOVERY: &[&str] = &["VER-002", "VER-004", "VER-005", "DISC-002", "DISC-003", "INV-037"];

/// Lists the storage version of a group before all others.
fn storage_first(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let group = request.uri().path().strip_prefix("/apis/").unwrap_or_default();
        let known = server.definition(group);
        server
            .answer(request, |answer| {
                if let (Some(known), Some(versions)) = (known, list(&mut answer.body, "/versions")) {
                    versions.sort_by_key(|version| version["version"] != known.storage);
                    answer.body["preferredVersion"] = answer.body["versions"][0].clone();
                }
            })
            .await
    })
}

/// Rejects definitions with `oneOf`, except as dry runs.
fn reject_one_of(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let is_written = request.uri().query().is_none() && *request.method() != Method::GET;
        let has_one_of = String::from_utf8_lossy(request.body()).contains("\"oneOf\"");
        if is_about_definitions(&request) && is_written && has_one_of {
            return Ok(error(422, "Invalid"));
        }
        server.pass(request).await
    })
}

/// Answers 500 to dry runs of objects with many fields.
fn fail_on_many_fields(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        if query_contains(&request, "dryRun") && count_fields(&body_of(&request)["spec"]) > 3 {
            return Ok(error(500, "InternalError"));
        }
        server.pass(request).await
    })
}

fn count_fields(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.values().map(|value| 1 + count_fields(value)).sum(),
        Value::Array(elements) => elements.iter().map(count_fields).sum(),
        _ => 0,
    }
}
