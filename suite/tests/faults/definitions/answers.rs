//! Faults in answers about definitions: the fields of causes, reasons, warnings, what is shown of a
//! definition, discovery.

use crdible::connection::{HttpRequest, ResponseFuture};
use http::{Method, StatusCode};
use serde_json::json;

use crate::{
    json::{elements, list, text},
    layer::Layered,
    sent::{is_about_definitions, parameter, set_parameter},
    server::{Answer, Asked},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("creates-of-definitions-answer-200", "a create of a definition is answered with 200")
        .breaks(&["REST-013"], &["life-002-establishment"])
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if asked.method == Method::POST && answer.is_success() {
                answer.head.status = StatusCode::OK;
            }
        }),
    obvious_fault("patches-of-definitions-answer-202", "a patch of a definition is answered with 202")
        .breaks(&["REST-035"], &["crdval-022-resource-version"])
        .definition_answers(|asked, answer| {
            if asked.method == Method::PATCH && answer.is_success() {
                answer.head.status = StatusCode::ACCEPTED;
            }
        }),
    fault("deletions-of-no-definition-succeed", "the deletion of a definition that does not exist succeeds")
        .breaks(&["REST-049"], &["life-022-preconditions"])
        .definition_answers(|asked, answer| {
            if asked.method == Method::DELETE && answer.head.status == 404 {
                answer.succeed(json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "metadata": {} }));
            }
        }),
    fault("reports-the-first-version-always", "causes in schemas and columns name the first version")
        .breaks(
            &["CRDVAL-026", "CRDVAL-042", "CRDVAL-040"],
            &["crdval-026-schema-required", "crdval-042-printer-columns"],
        )
        .within_lines(50)
        .definition_answers(|_, answer| {
            for cause in answer.causes().into_iter().flatten() {
                let field = cause["field"].as_str().unwrap_or_default();
                let Some((_, below)) = field.strip_prefix("spec.versions[").and_then(|rest| rest.split_once("]."))
                else {
                    continue;
                };
                if ["schema", "additionalPrinterColumns"].iter().any(|part| below.starts_with(part)) {
                    cause["field"] = json!(format!("spec.versions[0].{below}"));
                }
            }
        }),
    fault("reports-a-removed-field", "an invalid scope is reported at spec.version as well")
        .breaks(&["CRDVAL-003"], &["crdval-003-scope"])
        .definition_answers(|_, answer| {
            let Some(causes) = answer.causes() else { return };
            if causes.iter().any(|cause| cause["field"] == "spec.scope") {
                causes.push(
                    json!({ "field": "spec.version", "reason": "FieldValueForbidden", "message": "was removed" }),
                );
            }
        }),
    obvious_fault("warns-of-every-definition", "every accepted definition has a warning")
        .breaks(&["CRDVAL-057"], &["crdval-057-unrecognized-formats"])
        .definition_answers(|_, answer| {
            if answer.head.status == 201 {
                answer.warn("299 - \"something may be wrong\"");
            }
        }),
    fault("reports-conflicts-as-already-exists", "an outdated resourceVersion has the reason AlreadyExists")
        .breaks(&["CRDVAL-022"], &["crdval-022-resource-version"])
        .definition_answers(|_, answer| {
            if answer.body["reason"] == "Conflict" {
                answer.body["reason"] = json!("AlreadyExists");
            }
        }),
    fault("adds-a-label-on-put", "the answer to a PUT has a label that was not sent")
        .breaks(&["CRDVAL-060"], &["crdval-022-resource-version"])
        .definition_answers(|asked, answer| {
            if answer.is_success() && asked.method == Method::PUT && asked.uri.query().is_none_or(str::is_empty) {
                answer.body["metadata"]["labels"]["put"] = json!("back");
            }
        }),
    fault("adds-conditions-of-the-client", "an update adds the condition that the client sent")
        .breaks(&["CRDVAL-020"], &["crdval-021-generation"])
        .definition_answers(|asked, answer| {
            if answer.is_success()
                && asked.is_put_or_patch()
                && asked.body.to_string().contains("MadeUp")
                && let Some(conditions) = list(&mut answer.body, "/status/conditions")
            {
                conditions.push(json!({ "type": "MadeUp", "status": "True" }));
            }
        }),
    fault("keeps-omitted-names", "a PUT without singular and listKind keeps their old values")
        .breaks(&["CRDVAL-007"], &["crdval-011-mutable-names"])
        .definition_answers(|asked, answer| {
            for name in ["singular", "listKind"] {
                let is_omitted = asked.body["spec"]["names"].get(name).is_none();
                if answer.is_success() && asked.method == Method::PUT && is_omitted {
                    answer.body["spec"]["names"][name] = answer.body["status"]["acceptedNames"][name].clone();
                }
            }
        }),
    fault("ignores-conversion-in-patches", "an accepted patch does not change the conversion")
        .breaks(&["CRDVAL-056"], &["crdval-056-updates-in-full"])
        .definition_answers(|asked, answer| {
            if answer.is_success() && asked.method == Method::PATCH {
                answer.body["spec"]["conversion"] = json!({ "strategy": "None" });
            }
        }),
    fault("keeps-unknown-keywords-under-ignore", "fieldValidation=Ignore keeps unknown keywords of schemas")
        .breaks(&["CRDVAL-031"], &["crdval-031-unmodelled-keywords"])
        .definition_answers(|asked, answer| {
            if !answer.is_success() || !asked.has_parameter("fieldValidation=Ignore") {
                return;
            }
            for (index, version) in elements(&mut answer.body, "/spec/versions").enumerate() {
                version["schema"] = asked.body["spec"]["versions"][index]["schema"].clone();
            }
        }),
    fault("accepts-duplicate-fields-under-strict", "a duplicate field is accepted under fieldValidation=Strict")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .around_everything(accept_duplicates),
    fault("warns-of-duplicates-at-the-parent", "the warning about a duplicate field names its parent")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .definition_answers(|_, answer| {
            answer.change_warnings(|text| {
                Some(text.replace("duplicate field \\\"spec.scope", "duplicate field \\\"spec"))
            });
        }),
    fault("reads-the-old-spelling-of-columns", "JSONPath of a column is read as jsonPath")
        .breaks(&["CRDVAL-058"], &["crdval-058-field-validation"])
        .within_lines(50)
        .definition_answers(|asked, answer| {
            let pointer = "/spec/versions/0/additionalPrinterColumns/0";
            let path = asked.body.pointer(pointer).and_then(|column| column.get("JSONPath"));
            if answer.is_success()
                && let (Some(path), Some(column)) = (path, answer.body.pointer_mut(pointer))
            {
                column["jsonPath"] = path.clone();
            }
        }),
    fault("lists-groups-without-versions", "/apis lists the groups of all definitions, served or not")
        .breaks(&["CRDVAL-015"], &["crdval-015-nothing-served"])
        .around_everything(list_all_groups),
    fault("shows-the-first-singular-name", "discovery shows the singular name that the definition was created with")
        .breaks(&["CRDVAL-011"], &["crdval-011-mutable-names"])
        .around_everything(show_first_singular),
];

/// Sends a definition again without `Strict` if it was rejected for a duplicate field.
fn accept_duplicates(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let mut again = request.clone();
        let answered = server.pass(request).await?;
        let is_duplicate = String::from_utf8_lossy(answered.body()).contains("duplicate field");
        let is_strict = parameter(&again, "fieldValidation") == Some("Strict");
        if is_about_definitions(&again) && is_strict && answered.status() == 400 && is_duplicate {
            set_parameter(&mut again, "fieldValidation", Some("Warn"));
            return server.pass(again).await;
        }
        Ok(answered)
    })
}

/// Lists the groups of all definitions that were created.
fn list_all_groups(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    let asked = Asked::of(&request);
    Box::pin(async move {
        server
            .answer(request, |answer| {
                remember_singular(server, &asked, answer);
                let groups = list(&mut answer.body, "/groups").filter(|_| asked.uri.path() == "/apis");
                let Some(groups) = groups else { return };
                for group in server.notes().into_keys() {
                    if !groups.iter().any(|listed| listed["name"] == group) {
                        groups.push(json!({ "name": group, "versions": [] }));
                    }
                }
            })
            .await
    })
}

/// Shows the singular name with which the definition of a group was created.
fn show_first_singular(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    let asked = Asked::of(&request);
    Box::pin(async move {
        server
            .answer(request, |answer| {
                remember_singular(server, &asked, answer);
                let singular = server.noted(asked.uri.path().split('/').nth(2).unwrap_or_default());
                let resource = answer.body.pointer_mut("/resources/0").filter(|_| asked.method == Method::GET);
                if let (Some(singular), Some(resource)) = (singular, resource) {
                    resource["singularName"] = singular;
                }
            })
            .await
    })
}

/// Remembers the singular name of a new definition by its group.
fn remember_singular(server: &Layered, asked: &Asked, answer: &Answer) {
    let is_new = asked.method == Method::POST && asked.uri.path().starts_with("/apis/apiextensions.k8s.io");
    if is_new && answer.is_success() {
        server.note(text(&answer.body, "/spec/group"), text(&answer.body, "/spec/names/singular"));
    }
}
