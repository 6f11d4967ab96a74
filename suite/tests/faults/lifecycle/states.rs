//! Faults in the conditions of definitions, and in what changes of them leave alone.

use crdible_semantics::with;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{conditions, conditions_of, definition_of, is_definition, touch_all, touch_others};
use crate::{
    json::{list, parsed, remove, text},
    sent::{body_of, is_about_definitions, merge, query_contains, send_without, with_body},
    server::error,
    table::{Fault, fault, obvious_fault},
};

const ESTABLISHMENT: &[&str] = &["life-002-establishment"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("gives-no-reasons", "conditions of definitions have no reason")
        .breaks(&["LIFE-001", "LIFE-002", "LIFE-004", "LIFE-010"], ESTABLISHMENT)
        .definition_answers(|_, answer| {
            for condition in conditions(answer) {
                condition["reason"] = Value::Null;
            }
        }),
    fault("gives-conditions-twice", "a condition that changed is listed beside what it was before")
        .breaks(&["LIFE-001", "LIFE-005"], ESTABLISHMENT)
        .definition_answers(|asked, answer| {
            let first = conditions(answer).next().cloned();
            let conditions = list(&mut answer.body, "/status/conditions");
            if let (&Method::GET, Some(first), Some(conditions)) = (&asked.method, first, conditions) {
                conditions.push(first);
            }
        }),
    fault("renews-conditions", "every change of a definition renews the time since when its conditions hold")
        .breaks(&["LIFE-005"], ESTABLISHMENT)
        .definition_answers(|_, answer| {
            let generation = answer.body["metadata"]["generation"].as_i64().unwrap_or_default();
            for condition in conditions(answer) {
                condition["lastTransitionTime"] = json!(format!("2026-01-01T00:00:{:02}Z", generation % 60));
            }
        }),
    fault("renews-conditions-with-labels", "a change of labels renews the time since when conditions hold")
        .breaks(&["LIFE-005"], ESTABLISHMENT)
        .definition_answers(|_, answer| {
            if answer.body.pointer("/metadata/labels/l").is_some() {
                for condition in conditions(answer) {
                    condition["lastTransitionTime"] = json!("2026-01-01T00:00:00Z");
                }
            }
        }),
    fault("shows-the-status-of-updates", "an update of a definition shows the status that was sent")
        .breaks(&["LIFE-005"], ESTABLISHMENT)
        .definition_answers(|asked, answer| {
            let sent = asked.body.get("status").filter(|_| asked.method == Method::PUT && answer.is_success());
            if let Some(status) = sent {
                answer.body["status"] = status.clone();
            }
        }),
    fault("accepts-names-at-once", "the answer to a create shows the accepted names")
        .breaks(&["LIFE-002"], ESTABLISHMENT)
        .definition_answers(|asked, answer| {
            if asked.method == Method::POST && answer.head.status == StatusCode::CREATED {
                answer.body["status"]["acceptedNames"] = answer.body["spec"]["names"].clone();
            }
        }),
    obvious_fault("establishes-before-names", "a definition is established and only then gets its names")
        .breaks(&["LIFE-002", "LIFE-004", "LIFE-010"], ESTABLISHMENT)
        .definition_answers(|_, answer| {
            for condition in conditions_of(answer, "NamesAccepted") {
                condition["status"] = json!("False");
            }
        }),
    obvious_fault("rewrites-objects-with-schemas", "a changed schema rewrites all objects")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around_everything(act!(|server, request| {
            let is_update = is_definition(&request) && *request.method() == Method::PUT;
            let answered = server.pass(request).await?;
            if is_update && answered.status().is_success() {
                let definition = parsed(answered.body());
                touch_all(server, &definition, &definition["metadata"]["generation"].to_string()).await?;
            }
            Ok(answered)
        })),
    fault("rewrites-objects-with-labels", "new labels of a definition rewrite its objects")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around_everything(act!(|server, request| {
            let labels = body_of(&request).pointer("/metadata/labels/l").cloned();
            let is_meant = is_definition(&request) && *request.method() == Method::PATCH;
            let answered = server.pass(request).await?;
            if let (true, true, Some(label)) = (is_meant, answered.status().is_success(), labels) {
                touch_all(server, &parsed(answered.body()), label.as_str().unwrap_or_default()).await?;
            }
            Ok(answered)
        })),
    fault(
        "rewrites-objects-with-the-status-of-definitions",
        "a write of the status of a definition rewrites its objects",
    )
    .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
    .within_lines(100)
    .around_everything(act!(|server, request| {
        let is_meant = is_about_definitions(&request)
            && *request.method() == Method::PATCH
            && request.uri().path().ends_with("/status");
        let answered = server.pass(request).await?;
        if is_meant && answered.status().is_success() {
            touch_all(server, &parsed(answered.body()), "status").await?;
        }
        Ok(answered)
    })),
    fault("rewrites-objects-of-others", "a changed schema rewrites the objects of other definitions")
        .breaks(&["INV-104"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around_everything(act!(|server, request| {
            let is_update = is_definition(&request) && *request.method() == Method::PUT;
            let answered = server.pass(request).await?;
            if is_update && answered.status().is_success() {
                touch_others(server, &parsed(answered.body())).await?;
            }
            Ok(answered)
        })),
    obvious_fault("serves-no-lone-things", "a definition with a certain singular is established, and never served")
        .breaks(&["LIFE-003"], ESTABLISHMENT)
        .within_lines(60)
        .around(act!(|server, request| {
            if *request.method() == Method::GET && request.uri().path().ends_with("/things") {
                let definition = definition_of(server, request.uri().path()).await?;
                if definition["spec"]["names"]["singular"] == "lone" {
                    return Ok(error(404, "NotFound"));
                }
            }
            server.pass(request).await
        })),
    fault("rewrites-objects-of-unserved-versions", "objects are rewritten when a version is not served any more")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around_everything(act!(|server, request| {
            let is_update = is_definition(&request) && *request.method() == Method::PUT;
            let answered = server.pass(request).await?;
            let definition = parsed(answered.body());
            let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
            if is_update && versions.into_iter().flatten().any(|version| version["served"] == false) {
                touch_all(server, &definition, "unserved").await?;
            }
            Ok(answered)
        })),
    fault(
        "rewrites-objects-when-all-is-served",
        "objects are rewritten by an update after which all versions are served",
    )
    .breaks(&["VER-010", "INV-039"], &["ver-009-unserved"])
    .within_lines(100)
    .around_everything(act!(|server, request| {
        let is_update = is_definition(&request) && *request.method() == Method::PUT;
        let answered = server.pass(request).await?;
        if is_update && answered.status().is_success() {
            let definition = parsed(answered.body());
            let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
            if versions.into_iter().flatten().all(|version| version["served"] == true) {
                touch_all(server, &definition, text(&definition, "/metadata/resourceVersion")).await?;
            }
        }
        Ok(answered)
    })),
    fault("forgets-managers-when-read", "managedFields are shown in answers to writes only")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .answers(|asked, answer| {
            if asked.method == Method::GET {
                remove(&mut answer.body, "/metadata/managedFields");
            }
        }),
    obvious_fault("approves-all", "every definition has the condition about its approval")
        .breaks(&["LIFE-013"], &["life-013-approval"])
        .definition_answers(|_, answer| {
            let is_there =
                conditions(answer).any(|condition| condition["type"] == "KubernetesAPIApprovalPolicyConformant");
            let first = conditions(answer).next().cloned();
            let conditions = list(&mut answer.body, "/status/conditions");
            if let (false, Some(mut condition), Some(conditions)) = (is_there, first, conditions) {
                condition["type"] = json!("KubernetesAPIApprovalPolicyConformant");
                conditions.push(condition);
            }
        }),
    fault("approves-what-is-explained", "a definition that is unapproved for a reason counts as approved")
        .breaks(&["LIFE-013"], &["life-013-approval"])
        .definition_answers(|_, answer| {
            let value = &answer.body["metadata"]["annotations"]["api-approved.kubernetes.io"];
            let is_explained = value.as_str().is_some_and(|value| value.starts_with("unapproved,"));
            for condition in conditions(answer).filter(|condition| condition["reason"] == "UnapprovedAnnotation") {
                if is_explained {
                    condition["status"] = json!("True");
                    condition["reason"] = json!("ApprovedAnnotation");
                }
            }
        }),
    obvious_fault("establishes-with-any-bundle", "a definition with an unparsable caBundle is established")
        .breaks(&["LIFE-009"], &["life-009-ca-bundle"])
        .definition_answers(|_, answer| {
            for condition in conditions(answer).filter(|condition| condition["reason"] == "InvalidCABundle") {
                condition["status"] = json!("True");
                condition["reason"] = json!("InitialNamesAccepted");
            }
        }),
    fault("gives-established-definitions-any-bundle", "an established definition may get an unparsable caBundle")
        .breaks(&["LIFE-004", "LIFE-009"], &["life-009-ca-bundle"])
        .requests(|request| {
            if is_definition(request) && *request.method() == Method::PATCH && query_contains(request, "dryRun") {
                send_without(request, "/spec/conversion/webhook/clientConfig/caBundle");
            }
        }),
    obvious_fault("checks-stored-versions-of-a-status", "a status write with a version that does not exist is refused")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .definition_answers(|asked, answer| {
            let stored = asked.body.pointer("/status/storedVersions").and_then(Value::as_array);
            let is_unknown = |version: &Value| version == "v8" || version == "v9";
            if asked.ends_with("/status") && stored.into_iter().flatten().any(is_unknown) {
                answer.fail(422, "Invalid");
            }
        }),
    fault("sorts-stored-versions-of-a-status", "a status write sorts the stored versions")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .requests(|request| {
            if is_about_definitions(request) && request.uri().path().ends_with("/status") {
                with_body(request, |body| {
                    if let Some(stored) = list(body, "/status/storedVersions") {
                        stored.sort_by_key(ToString::to_string);
                    }
                });
            }
        }),
    fault("writes-the-spec-through-the-status", "a status write takes the spec, too")
        .breaks(&["CRDVAL-020"], &["crdval-019-status-writes"])
        .around_everything(act!(|server, request| {
            let body = body_of(&request);
            let path = request.uri().path();
            if let (true, Some(main), Some(spec)) =
                (is_about_definitions(&request), path.strip_suffix("/status"), body.get("spec"))
            {
                server.pass(merge(main, &json!({ "spec": spec }))).await?;
            }
            server.pass(request).await
        })),
    fault("updates-with-unknown-stored-versions", "an update is accepted though a stored version does not exist")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .semantics(with::check_stored_versions(|_, _, _, _| {})),
];
