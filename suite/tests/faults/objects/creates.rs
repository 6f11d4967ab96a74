//! Faults in creates.

use http::Method;
use serde_json::{Value, json};

use super::{answer, body_in, body_of, with_body};
use crate::{
    hooked::{is_object, read},
    server::{Answer, Asked, error, is_about_definitions, set_parameter},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("creates-take-the-uid", "a new object gets the uid that the client sent")
        .breaks(&["REST-013", "REST-014", "INV-079"], &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "uid")),
    fault("creates-take-the-creation-time", "a new object gets the creationTimestamp that the client sent")
        .breaks(&["REST-013", "REST-014", "INV-079"], &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "creationTimestamp")),
    fault("creates-take-a-generation", "a new object gets the generation that the client sent")
        .breaks(&["REST-013", "REST-014", "INV-079"], &["rest-013-creates"])
        .blamed(&["REST-014", "INV-079"])
        .answers(|asked, answer| take(asked, answer, "generation")),
    fault("long-prefixes-are-cut-late", "59 characters are left of a long generateName, and not 58")
        .breaks(&["REST-018", "INV-073"], &["rest-013-creates"])
        .around(act!(|server, request| {
            let mut body = body_of(&request);
            let prefix = body["metadata"]["generateName"].as_str().unwrap_or_default().to_owned();
            if *request.method() != Method::POST || prefix.len() < 59 {
                return server.server.send(request).await;
            }
            // The suffix of a name that the server makes.
            let mut tried = request.clone();
            set_parameter(&mut tried, "dryRun", Some("All"));
            let made = body_in(&server.server.send(tried).await?);
            let suffix: String = made["metadata"]["name"].as_str().unwrap_or_default().chars().skip(58).collect();
            body["metadata"]["name"] = json!(format!("{}{suffix}", &prefix[..59]));
            let mut request = request;
            crate::server::replace_body(&mut request, &body);
            server.server.send(request).await
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
        let path = request.uri().path().to_owned();
        let name = body_of(&request)["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let is_create = *request.method() == Method::POST;
        let answered = server.server.send(request).await?;
        if !is_create || answered.status() != 409 {
            return Ok(answered);
        }
        let object = server.server.send(read(&format!("{path}/{name}"))).await?;
        Ok(answer(200, &body_in(&object)))
    })),
    fault("taken-names-before-schemas", "whether a name is taken is looked at before the content is validated")
        .breaks(&["REST-016"], &["rest-013-creates", "rest-044-deletion"])
        .within_lines(80)
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let name = body_of(&request)["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            if *request.method() == Method::POST && !name.is_empty() {
                let object = server.server.send(read(&format!("{path}/{name}"))).await?;
                if object.status().is_success() {
                    return Ok(error(409, "AlreadyExists"));
                }
            }
            server.server.send(request).await
        })),
    fault("creates-overlook-the-revision", "a resourceVersion in a create is ignored")
        .breaks(&["REST-015"], &["rest-013-creates"])
        .requests(|request| {
            if *request.method() == Method::POST && !is_about_definitions(request) {
                with_body(request, |body| {
                    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
                        metadata.remove("resourceVersion");
                    }
                });
            }
        }),
    fault("managers-have-any-length", "a fieldManager may be longer than 128 bytes")
        .breaks(&["REST-012"], &["rest-013-creates"])
        .requests(|request| {
            let is_long = |part: &str| part.starts_with("fieldManager=") && part.len() > 13 + 128;
            if request.uri().query().is_some_and(|query| query.split('&').any(is_long)) {
                set_parameter(request, "fieldManager", None);
            }
        }),
    fault("dry-runs-in-any-case", "`dryRun=all` is a dry run").breaks(&["REST-012"], &["rest-013-creates"]).requests(
        |request| {
            if request.uri().query().is_some_and(|query| query.contains("dryRun=all")) {
                set_parameter(request, "dryRun", Some("All"));
            }
        },
    ),
    fault("creates-fill-in-the-kind", "a create without a kind is one of the kind of its URL")
        .breaks(&["REST-008"], &["rest-013-creates"])
        .around(act!(|server, request| {
            let mut body = body_of(&request);
            if *request.method() != Method::POST || body["kind"] != "" {
                return server.server.send(request).await;
            }
            body["kind"] = json!("Thing");
            let mut request = request;
            crate::server::replace_body(&mut request, &body);
            server.server.send(request).await
        })),
    fault("creates-by-patch-type", "a create with the content type of a merge patch is accepted")
        .breaks(&["REST-006"], &["rest-013-creates"])
        .requests(|request| {
            if *request.method() == Method::POST && !is_object(request) {
                let json = http::HeaderValue::from_static("application/json");
                let kind = request.headers().get(http::header::CONTENT_TYPE);
                if kind.is_some_and(|kind| kind == "application/merge-patch+json") {
                    request.headers_mut().insert(http::header::CONTENT_TYPE, json);
                }
            }
        }),
    fault("option-errors-are-about-the-object", "a wrong option is reported as an error of the object")
        .breaks(&["REST-005", "REST-012"], &["rest-013-creates"])
        .answers(|_, answer| {
            let kind = answer.body.pointer_mut("/details/kind");
            if let Some(kind) = kind.filter(|kind| kind.as_str().is_some_and(|kind| kind.ends_with("Options"))) {
                *kind = json!("Thing");
            }
        }),
];

/// Shows what the client sent in this field of the metadata of a new object.
fn take(asked: &Asked, answer: &mut Answer, field: &str) {
    let sent = asked.body.pointer(&format!("/metadata/{field}")).cloned();
    if let (Some(sent), true) = (sent, asked.method == Method::POST && answer.head.status.is_success()) {
        answer.body["metadata"][field] = sent;
    }
}
