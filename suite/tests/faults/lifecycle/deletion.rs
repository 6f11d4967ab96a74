//! Faults in the deletion of definitions, and in what comes after it.

use crdible::connection::TransportError;
use http::{HeaderValue, Method, StatusCode, header};
use serde_json::{Value, json};

use super::{collection_of, conditions, definition_of, is_definition, is_deletion, objects_of};
use crate::{
    hooked::{Hooked, is_object},
    server::{error, is_about_definitions, replace_body},
    table::{Fault, fault, obvious_fault},
};

const CAUGHT: &[&str] = &["life-015-deletion"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("answers-deletions-with-a-status", "DELETE of a definition is answered with a Status")
        .breaks(&["LIFE-014", "LIFE-015"], CAUGHT)
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer) {
                answer.body = json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" });
            }
        }),
    fault("counts-deletions-of-definitions", "DELETE of a definition counts as a change of its content")
        .breaks(&["LIFE-015"], CAUGHT)
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer) {
                let generation = answer.body["metadata"]["generation"].as_i64().unwrap_or_default();
                answer.body["metadata"]["generation"] = json!(generation + 1);
            }
        }),
    fault("puts-its-finalizer-first", "the finalizer of the server comes before those of others")
        .breaks(&["LIFE-015"], CAUGHT)
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer)
                && let Some(finalizers) = answer.body["metadata"]["finalizers"].as_array_mut()
            {
                finalizers.reverse();
            }
        }),
    obvious_fault("tells-nothing-of-its-deletion", "a definition that is being deleted has no condition Terminating")
        .breaks(&["LIFE-014", "LIFE-016", "LIFE-026", "INV-100"], CAUGHT)
        .within_lines(60)
        .definition_answers(|_, answer| {
            if let Some(conditions) = answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut) {
                conditions.retain(|condition| condition["type"] != "Terminating");
            }
        }),
    fault("is-terminating-until-the-end", "Terminating stays True when all objects are gone")
        .breaks(&["LIFE-014", "LIFE-026"], CAUGHT)
        .within_lines(60)
        .definition_answers(|_, answer| {
            for condition in conditions(answer).filter(|condition| condition["type"] == "Terminating") {
                condition["status"] = json!("True");
            }
        }),
    fault("fails-to-clean-up", "a deleted definition stays until the second DELETE, and says that its cleanup failed")
        .breaks(&["LIFE-015", "LIFE-016", "INV-100"], CAUGHT)
        .within_lines(60)
        .around(act_everywhere!(|server, request| {
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            let is_definition = is_definition(&request);
            let answered = server.server.send(request).await?;
            if !is_definition {
                return Ok(answered);
            }
            let is_of_it = |kept: &&String| kept.split_once('\n').is_some_and(|(of, _)| of == path);
            let kept = server.missed.lock().unwrap().iter().find(is_of_it).cloned();
            match (method, answered.status(), kept) {
                (Method::DELETE, _, Some(kept)) => {
                    server.missed.lock().unwrap().remove(&kept);
                }
                (Method::DELETE, StatusCode::OK, None) => {
                    let definition = String::from_utf8_lossy(answered.body()).into_owned();
                    server.missed.lock().unwrap().insert(format!("{path}\n{definition}"));
                }
                (Method::GET, StatusCode::NOT_FOUND, Some(kept)) => {
                    return Ok(crate::server::changed(answered, |answer| {
                        let definition = kept.split_once('\n').map_or("", |(_, definition)| definition);
                        answer.head.status = StatusCode::OK;
                        answer.body = serde_json::from_str(definition).unwrap_or_default();
                        for condition in conditions(answer).filter(|condition| condition["type"] == "Terminating") {
                            condition["reason"] = json!("InstanceDeletionFailed");
                            condition["message"] = json!("could not list instances: the disk is full");
                        }
                    }));
                }
                _ => {}
            }
            Ok(answered)
        })),
    fault("gives-no-period-at-the-second-deletion", "the second DELETE of a definition shows no grace period")
        .breaks(&["LIFE-015"], CAUGHT)
        .definition_answers(|_, answer| {
            if let Some(metadata) = answer.body.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("deletionGracePeriodSeconds");
            }
        }),
    obvious_fault("updates-nothing-while-terminating", "objects of a terminating definition cannot be patched")
        .breaks(&["LIFE-016", "LIFE-017", "LIFE-021", "REST-071", "INV-100"], CAUGHT)
        .around(act!(|server, request| {
            if *request.method() == Method::PATCH && is_object(&request) {
                let definition = definition_of(server, request.uri().path()).await?;
                if definition["metadata"]["deletionTimestamp"].is_string() {
                    return Ok(error(403, "Forbidden"));
                }
            }
            server.server.send(request).await
        })),
    fault("tries-creates-while-terminating", "a dry run of a create under a terminating definition is accepted")
        .breaks(&["LIFE-017", "REST-071", "INV-100"], CAUGHT)
        .answers(|asked, answer| {
            let is_refused = [StatusCode::FORBIDDEN, StatusCode::METHOD_NOT_ALLOWED].contains(&answer.head.status);
            if asked.method == Method::POST && asked.has("dryRun=All") && is_refused {
                answer.head.status = StatusCode::CREATED;
                answer.body = asked.body.clone();
            }
        }),
    fault("refuses-creates-as-conflicts", "a create under a terminating definition is a conflict")
        .breaks(&["LIFE-017", "REST-071", "INV-100"], CAUGHT)
        .answers(|asked, answer| {
            let is_refused = [StatusCode::FORBIDDEN, StatusCode::METHOD_NOT_ALLOWED].contains(&answer.head.status);
            if asked.method == Method::POST && is_refused {
                answer.head.status = StatusCode::CONFLICT;
                answer.body["reason"] = json!("Conflict");
                answer.body["code"] = json!(409);
            }
        }),
    fault(
        "makes-terminating-definitions-again",
        "POST of a terminating definition is a conflict, and no AlreadyExists",
    )
    .breaks(&["LIFE-020"], CAUGHT)
    .definition_answers(|asked, answer| {
        if asked.method == Method::POST && answer.head.status == StatusCode::CONFLICT {
            answer.body["reason"] = json!("Conflict");
        }
    }),
    fault("takes-finalizers-late", "a terminating definition takes further finalizers")
        .breaks(&["LIFE-021"], CAUGHT)
        .definition_answers(|asked, answer| {
            let is_about_finalizers = answer.body["details"]["causes"][0]["field"] == "metadata.finalizers";
            if asked.method == Method::PATCH && is_about_finalizers {
                answer.head.status = StatusCode::OK;
                answer.body = json!({ "kind": "CustomResourceDefinition" });
            }
        }),
    fault("renews-the-time-of-deletion", "an update of a terminating definition renews the time of its deletion")
        .breaks(&["LIFE-021", "LIFE-026"], CAUGHT)
        .definition_answers(|asked, answer| {
            if asked.method == Method::PATCH && answer.body.pointer("/metadata/deletionTimestamp").is_some() {
                answer.body["metadata"]["deletionTimestamp"] = json!("2001-01-01T00:00:00Z");
            }
        }),
    fault("updates-no-terminating-definitions", "a terminating definition cannot be changed")
        .breaks(&["LIFE-021"], CAUGHT)
        .around(act_everywhere!(|server, request| {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            if is_definition(&request) && *request.method() == Method::PATCH && body[0]["path"] == "/spec/versions" {
                let read = server.server.send(crate::hooked::read(request.uri().path())).await?;
                let definition: Value = serde_json::from_slice(read.body()).unwrap_or_default();
                if definition["metadata"]["deletionTimestamp"].is_string() {
                    return Ok(error(409, "Conflict"));
                }
            }
            server.server.send(request).await
        })),
    fault("keeps-groups-in-discovery", "the group of a deleted definition stays, without versions")
        .breaks(&["LIFE-018"], CAUGHT)
        .within_lines(60)
        .answers(|asked, answer| {
            let group = asked.uri.path().strip_prefix("/apis/g").filter(|group| !group.contains('/'));
            if group.is_some() && answer.head.status == StatusCode::NOT_FOUND {
                answer.head.status = StatusCode::OK;
                answer.body = json!({ "kind": "APIGroup", "apiVersion": "v1", "name": "g", "versions": [] });
            }
        }),
    fault("leaves-objects-behind", "a deleted definition leaves its objects behind, and the next of its name has them")
        .breaks(&["LIFE-015", "LIFE-018", "LIFE-019", "INV-099"], &["life-019-recreation"])
        .within_lines(100)
        .around(act_everywhere!(|server, request| {
            if *request.method() == Method::DELETE && is_definition(&request) {
                let read = server.server.send(crate::hooked::read(request.uri().path())).await?;
                let definition: Value = serde_json::from_slice(read.body()).unwrap_or_default();
                let left = objects_of(server, &definition).await?;
                server.missed.lock().unwrap().extend(left.iter().map(Value::to_string));
            }
            let is_create = *request.method() == Method::POST && is_about_definitions(&request);
            let answered = server.server.send(request).await?;
            let made: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
            if is_create && answered.status() == StatusCode::CREATED {
                let left: Vec<Value> = {
                    let left = server.missed.lock().unwrap();
                    left.iter().filter_map(|object| serde_json::from_str(object).ok()).collect()
                };
                for object in left {
                    keep(server, &made, object).await?;
                }
            }
            Ok(answered)
        })),
    fault("gives-uids-to-names", "a definition that is made again has the uid of the former")
        .breaks(&["LIFE-019", "INV-099"], &["life-019-recreation"])
        .definition_answers(|_, answer| {
            let name = answer.body["metadata"]["name"].clone();
            if answer.body["kind"] == "CustomResourceDefinition" {
                answer.body["metadata"]["uid"] = name;
            }
        }),
    fault("counts-former-lives", "the generation goes on where the former definition of that name ended")
        .breaks(&["LIFE-019", "INV-099"], &["life-019-recreation"])
        .around(act_everywhere!(|server, request| {
            let (is_deletion, path) = (*request.method() == Method::DELETE, request.uri().path().to_owned());
            let is_definition = is_definition(&request);
            let answered = server.server.send(request).await?;
            if !is_definition {
                return Ok(answered);
            }
            if is_deletion {
                server.missed.lock().unwrap().insert(path);
                return Ok(answered);
            }
            let was_deleted = server.missed.lock().unwrap().contains(&path);
            Ok(crate::server::changed(answered, |answer| {
                if was_deleted && answer.body["kind"] == "CustomResourceDefinition" {
                    answer.body["metadata"]["generation"] = json!(2);
                }
            }))
        })),
    obvious_fault("derives-singulars-from-plurals", "a singular that is left out is the plural")
        .breaks(&["INV-097", "CRDVAL-007", "LIFE-002", "LIFE-006", "LIFE-019"], &["life-019-recreation"])
        .requests(|request| {
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let names = body.pointer_mut("/spec/names").and_then(Value::as_object_mut);
            if let Some(names) = names.filter(|names| !names.contains_key("singular"))
                && *request.method() == Method::POST
            {
                let plural = names.get("plural").cloned().unwrap_or_default();
                names.insert("singular".into(), plural);
                replace_body(request, &body);
            }
        }),
    obvious_fault("ignores-preconditions-of-deletions", "a definition is deleted whatever the preconditions say")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| drop_option(request, "preconditions")),
    fault("checks-only-uids", "a precondition on the resourceVersion of a definition is ignored")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| {
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let preconditions = body.get_mut("preconditions").and_then(Value::as_object_mut);
            if let Some(preconditions) = preconditions.filter(|_| is_definition(request)) {
                preconditions.remove("resourceVersion");
                replace_body(request, &body);
            }
        }),
    fault("tries-deletions-only-in-queries", "a DELETE with dryRun in its body deletes a definition")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| drop_option(request, "dryRun")),
    fault("tries-no-conditions", "a dry run of a deletion does not show that the definition would be terminating")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer)
                && (asked.has("dryRun=All") || asked.body["dryRun"][0] == "All")
                && let Some(conditions) = answer.body.pointer_mut("/status/conditions").and_then(Value::as_array_mut)
            {
                conditions.retain(|condition| condition["type"] != "Terminating");
            }
        }),
    fault("lists-objects-of-equal-names-together", "a list holds the objects of all definitions with these names")
        .breaks(&["INV-103"], &["inv-103-independent-groups"])
        .answers(|asked, answer| {
            // Not after few requests: what it holds of others does not matter.
            let is_list = asked.method == Method::GET && answer.body["kind"] == "ThingList";
            if let (true, Some(items)) = (is_list, answer.body.get_mut("items").and_then(Value::as_array_mut))
                && let Some(mut other) = items.first().cloned()
            {
                let name = other["metadata"]["name"].as_str().unwrap_or_default();
                other["metadata"]["name"] = json!(format!("{name}9"));
                items.push(other);
            }
        }),
];

/// Creates an object again that a former definition had.
async fn keep(server: &Hooked, definition: &Value, mut object: Value) -> Result<(), TransportError> {
    let collection = collection_of(definition);
    let group = collection.split('/').nth(2).unwrap_or_default().to_owned();
    if object["apiVersion"].as_str().is_none_or(|version| version != format!("{group}/v1")) {
        return Ok(());
    }
    object["metadata"] = json!({ "name": object["metadata"]["name"] });
    let mut create = crate::hooked::read(&collection);
    *create.method_mut() = Method::POST;
    create.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    replace_body(&mut create, &object);
    server.server.send(create).await?;
    Ok(())
}

/// Drops an option of a deletion of a definition.
fn drop_option(request: &mut crdible::connection::HttpRequest, option: &str) {
    let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
    if let (true, Some(options)) = (is_definition(request) && *request.method() == Method::DELETE, body.as_object_mut())
        && options.remove(option).is_some()
    {
        replace_body(request, &body);
    }
}
