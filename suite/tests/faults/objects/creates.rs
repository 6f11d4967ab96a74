//! Faults in creates.

use crdible::connection::HttpRequest;
use http::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::{
    json::text,
    sent::{
        MERGE_PATCH, body_of, header_of, is_about_definitions, is_object, parameter, query_contains, send_without,
        set_parameter, set_type, with_body,
    },
    server::{Answer, Asked, error, success},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("creates-take-the-uid", "a new object gets the uid that the client sent")
        .breaks(TAKES, &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "uid")),
    fault("creates-take-the-creation-time", "a new object gets the creationTimestamp that the client sent")
        .breaks(TAKES, &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "creationTimestamp")),
    fault("creates-take-a-generation", "a new object gets the generation that the client sent")
        .breaks(TAKES, &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "generation")),
    fault(
        "long-prefixes-are-cut-early",
        "20 characters are left of a long generateName, although there is room for more",
    )
    .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
    .answers(|asked, answer| {
        rename_generated(
            asked,
            answer,
            |name| if name.len() > 40 { name.replacen(&"p".repeat(38), "", 1) } else { name },
        );
    }),
    obvious_fault("generated-names-are-invalid", "a generated name has letters that no name may have")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .answers(|asked, answer| rename_generated(asked, answer, |name| name.to_uppercase())),
    obvious_fault("generated-names-begin-otherwise", "a generated name has no prefix")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .answers(|asked, answer| rename_generated(asked, answer, |name| format!("0{name}"))),
    obvious_fault("generated-names-are-no-longer-than-prefixes", "nothing is added to a generateName")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .answers(|asked, answer| {
            let prefix = text(&asked.body, "/metadata/generateName").to_owned();
            rename_generated(asked, answer, |_| prefix);
        }),
    obvious_fault("generated-names-are-used-again", "two objects get the same generated name")
        .breaks(&["INV-073"], &["rest-013-creates"])
        .answers(|asked, answer| {
            let prefix: String = text(&asked.body, "/metadata/generateName").chars().take(58).collect();
            rename_generated(asked, answer, |_| format!("{prefix}2b4c6"));
        }),
    obvious_fault("creates-answer-200", "a create is answered with 200")
        .breaks(&["REST-013", "REST-058"], &["rest-013-creates", "rest-040-writes", "rest-043-recreation"])
        .blamed(&["REST-013"])
        .within_lines(120)
        .answers(|asked, answer| {
            if asked.method == Method::POST && answer.is_success() {
                answer.head.status = StatusCode::OK;
            }
        }),
    obvious_fault("shows-a-null-namespace", "the namespace of an object that has none is shown as null")
        .breaks(&["REST-013"], &["rest-013-creates"])
        .answers(|_, answer| {
            let metadata = answer.body.pointer_mut("/metadata").and_then(Value::as_object_mut);
            if let Some(metadata) = metadata.filter(|metadata| metadata.contains_key("uid")) {
                metadata.entry("namespace").or_insert(Value::Null);
            }
        }),
    obvious_fault(
        "creates-of-taken-names-show-the-object",
        "a create of a name that is taken answers with the object that has it",
    )
    .breaks(&["REST-016", "REST-042", "INV-070"], &["rest-013-creates", "rest-044-deletion"])
    .blamed(&["REST-016"])
    .within_lines(80)
    .around(act!(|server, request| {
        let path = path_of_new(&request);
        let is_create = *request.method() == Method::POST;
        let answered = server.pass(request).await?;
        if !is_create || answered.status() != 409 {
            return Ok(answered);
        }
        Ok(success(&server.get(&path).await?))
    })),
    fault("taken-names-before-schemas", "whether a name is taken is looked at before the content is validated")
        .breaks(&["REST-016"], &["rest-013-creates", "rest-044-deletion"])
        .within_lines(80)
        .around(act!(|server, request| {
            let path = path_of_new(&request);
            if *request.method() == Method::POST && !path.ends_with('/') && server.get(&path).await?.is_object() {
                return Ok(error(409, "AlreadyExists"));
            }
            server.pass(request).await
        })),
    fault("creates-name-what-has-no-name", "a create without name and generateName gets a name")
        .breaks(&["REST-017"], &["rest-013-creates"])
        .requests(|request| {
            let body = body_of(request);
            let has_none = |name: &str| text(&body, &format!("/metadata/{name}")).is_empty();
            let is_create = *request.method() == Method::POST && !is_about_definitions(request);
            if is_create && body["metadata"].is_object() && has_none("name") && has_none("generateName") {
                with_body(request, |body| body["metadata"]["name"] = json!("made"));
            }
        }),
    fault("creates-overlook-the-revision", "a resourceVersion in a create is ignored")
        .breaks(&["REST-015"], &["rest-013-creates"])
        .requests(|request| {
            if *request.method() == Method::POST && !is_about_definitions(request) {
                send_without(request, "/metadata/resourceVersion");
            }
        }),
    fault("managers-have-any-length", "a fieldManager may be longer than 128 bytes")
        .breaks(&["REST-012"], &["rest-013-creates"])
        .requests(|request| {
            if parameter(request, "fieldManager").is_some_and(|manager| manager.len() > 128) {
                set_parameter(request, "fieldManager", None);
            }
        }),
    fault("dry-runs-in-any-case", "`dryRun=all` is a dry run").breaks(&["REST-012"], &["rest-013-creates"]).requests(
        |request| {
            if query_contains(request, "dryRun=all") {
                set_parameter(request, "dryRun", Some("All"));
            }
        },
    ),
    fault("creates-fill-in-the-kind", "a create without a kind is one of the kind of its URL")
        .breaks(&["REST-008"], &["rest-013-creates"])
        .requests(|request| {
            if *request.method() == Method::POST && !is_about_definitions(request) && body_of(request)["kind"] == "" {
                with_body(request, |body| body["kind"] = json!("Thing"));
            }
        }),
    fault("creates-by-patch-type", "a create with the content type of a merge patch is accepted")
        .breaks(&["REST-006"], &["rest-013-creates"])
        .requests(|request| {
            let is_create = *request.method() == Method::POST && !is_object(request);
            if is_create && header_of(request, &header::CONTENT_TYPE) == MERGE_PATCH {
                set_type(request, "application/json");
            }
        }),
    fault("option-errors-are-about-the-object", "a wrong option is reported as an error of the object")
        .breaks(&["REST-005", "REST-012"], &["rest-013-creates"])
        .answers(|_, answer| {
            if text(&answer.body, "/details/kind").ends_with("Options") {
                answer.body["details"]["kind"] = json!("Thing");
            }
        }),
];

/// Shows another generated name of a new object.
fn rename_generated(asked: &Asked, answer: &mut Answer, rename: impl FnOnce(String) -> String) {
    let is_generated = asked.body.pointer("/metadata/generateName").is_some();
    let name = text(&answer.body, "/metadata/name").to_owned();
    if asked.method == Method::POST && is_generated && answer.is_success() {
        answer.body["metadata"]["name"] = json!(rename(name));
    }
}

/// What a new object breaks that takes what only the server sets.
const TAKES: &[&str] = &["REST-013", "REST-014", "INV-079"];

/// Shows what the client sent in this field of the metadata of a new object.
fn take(asked: &Asked, answer: &mut Answer, field: &str) {
    let sent = asked.body.pointer(&format!("/metadata/{field}")).cloned();
    if let (Some(sent), true) = (sent, asked.method == Method::POST && answer.is_success()) {
        answer.body["metadata"][field] = sent;
    }
}

/// The path of the object that a request would create.
fn path_of_new(request: &HttpRequest) -> String {
    format!("{}/{}", request.uri().path(), text(&body_of(request), "/metadata/name"))
}
