//! Faults in the conditions of definitions, and in what changes of them leave alone.

use crdible_semantics::with;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{conditions, is_definition, touch_all};
use crate::{
    hooked::{has, merge},
    server::{is_about_definitions, replace_body},
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
            let conditions = answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut);
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
            let sent =
                asked.body.get("status").filter(|_| asked.method == Method::PUT && answer.head.status.is_success());
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
            for condition in conditions(answer).filter(|condition| condition["type"] == "NamesAccepted") {
                condition["status"] = json!("False");
            }
        }),
    obvious_fault("rewrites-objects-with-schemas", "a changed schema rewrites all objects")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around(act_everywhere!(|server, request| {
            let is_update = is_definition(&request) && *request.method() == Method::PUT;
            let answered = server.server.send(request).await?;
            if is_update && answered.status().is_success() {
                let definition: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
                touch_all(server, &definition, &definition["metadata"]["generation"].to_string()).await?;
            }
            Ok(answered)
        })),
    fault("rewrites-objects-of-unserved-versions", "objects are rewritten when a version is not served any more")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .around(act_everywhere!(|server, request| {
            let is_update = is_definition(&request) && *request.method() == Method::PUT;
            let answered = server.server.send(request).await?;
            let definition: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
            let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
            if is_update && versions.into_iter().flatten().any(|version| version["served"] == false) {
                touch_all(server, &definition, "unserved").await?;
            }
            Ok(answered)
        })),
    fault("forgets-managers-when-read", "managedFields are shown in answers to writes only")
        .breaks(&["LIFE-024"], &["life-024-changes-keep-objects"])
        .within_lines(100)
        .answers(|asked, answer| {
            if let (&Method::GET, Some(metadata)) =
                (&asked.method, answer.body.get_mut("metadata").and_then(Value::as_object_mut))
            {
                metadata.remove("managedFields");
            }
        }),
    obvious_fault("approves-all", "every definition has the condition about its approval")
        .breaks(&["LIFE-013"], &["life-013-approval"])
        .definition_answers(|_, answer| {
            let is_there =
                conditions(answer).any(|condition| condition["type"] == "KubernetesAPIApprovalPolicyConformant");
            let first = conditions(answer).next().cloned();
            let conditions = answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut);
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
            let is_tried = is_definition(request) && *request.method() == Method::PATCH && has(request, "dryRun");
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let client = body.pointer_mut("/spec/conversion/webhook/clientConfig").and_then(Value::as_object_mut);
            if let Some(client) = client.filter(|_| is_tried) {
                client.remove("caBundle");
                replace_body(request, &body);
            }
        }),
    obvious_fault("checks-stored-versions-of-a-status", "a status write with a version that does not exist is refused")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .definition_answers(|asked, answer| {
            let stored = asked.body.pointer("/status/storedVersions").and_then(Value::as_array);
            let is_unknown = |version: &Value| version == "v8" || version == "v9";
            if asked.uri.path().ends_with("/status") && stored.into_iter().flatten().any(is_unknown) {
                answer.head.status = StatusCode::UNPROCESSABLE_ENTITY;
                answer.body = json!({ "kind": "Status", "status": "Failure", "reason": "Invalid", "code": 422 });
            }
        }),
    fault("sorts-stored-versions-of-a-status", "a status write sorts the stored versions")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .requests(|request| {
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let is_meant = is_about_definitions(request) && request.uri().path().ends_with("/status");
            if let Some(stored) = body.pointer_mut("/status/storedVersions").and_then(Value::as_array_mut)
                && is_meant
            {
                stored.sort_by_key(ToString::to_string);
                replace_body(request, &body);
            }
        }),
    fault("writes-the-spec-through-the-status", "a status write takes the spec, too")
        .breaks(&["CRDVAL-020"], &["crdval-019-status-writes"])
        .around(act_everywhere!(|server, request| {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let path = request.uri().path();
            if let (true, Some(main), Some(spec)) =
                (is_about_definitions(&request), path.strip_suffix("/status"), body.get("spec"))
            {
                server.server.send(merge(main, &json!({ "spec": spec }))).await?;
            }
            server.server.send(request).await
        })),
    fault("updates-with-unknown-stored-versions", "an update is accepted though a stored version does not exist")
        .breaks(&["CRDVAL-019", "VER-017"], &["crdval-019-status-writes"])
        .semantics(with::check_stored_versions(|_, _, _, _| {})),
];
