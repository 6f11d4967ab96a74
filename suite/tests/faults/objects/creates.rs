//! Faults in creates.

use crdible::connection::HttpRequest;
use http::{Method, header};
use serde_json::{Value, json};

use crate::{
    json::{parsed, text},
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
    fault("long-prefixes-are-cut-late", "59 characters are left of a long generateName, and not 58")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .around(act!(|server, request| {
            let mut request = request;
            let prefix = text(&body_of(&request), "/metadata/generateName").to_owned();
            if *request.method() == Method::POST && prefix.len() >= 59 {
                // The suffix of a name that the server makes.
                let made = server.try_out(request.clone()).await?;
                let suffix: String = text(&parsed(made.body()), "/metadata/name").chars().skip(58).collect();
                with_body(&mut request, |body| body["metadata"]["name"] = json!(format!("{}{suffix}", &prefix[..59])));
            }
            server.pass(request).await
        })),
    obvious_fault("generated-names-end-in-any-letters", "a generated name may end in vowels")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .answers(|asked, answer| {
            let name = answer.body.pointer("/metadata/name").and_then(Value::as_str);
            let is_generated = asked.body.pointer("/metadata/generateName").is_some();
            if let (Some(name), true) = (name, is_generated && asked.method == Method::POST) {
                let name = name.replace(['b', 'c', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'm', 'n'], "a");
                answer.body["metadata"]["name"] = json!(name);
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
