//! Faults in the deletion of definitions, and in what comes after it.

use crdible::connection::{HttpRequest, TransportError};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    collection_of, conditions_of, definition_of, is_definition, is_deletion, is_established, objects_of, touch_others,
};
use crate::{
    json::{count_up, fields, list, parsed, remove, text},
    layer::Layered,
    sent::{body_of, create, is_about_definitions, is_object, send_without, with_body},
    server::error,
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
                count_up(&mut answer.body);
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
            if let Some(conditions) = list(&mut answer.body, "/status/conditions") {
                conditions.retain(|condition| condition["type"] != "Terminating");
            }
        }),
    fault("is-terminating-until-the-end", "Terminating stays True when all objects are gone")
        .breaks(&["LIFE-014", "LIFE-026"], CAUGHT)
        .within_lines(60)
        .definition_answers(|_, answer| {
            for condition in conditions_of(answer, "Terminating") {
                condition["status"] = json!("True");
            }
        }),
    fault("fails-to-clean-up", "a deleted definition stays until the second DELETE, and says that its cleanup failed")
        .breaks(&["LIFE-015", "LIFE-016", "INV-100"], CAUGHT)
        .within_lines(60)
        .around_everything(act!(|server, request| {
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            let is_definition = is_definition(&request);
            server
                .answer(request, |answer| match (method, answer.head.status.as_u16(), server.noted(&path)) {
                    _ if !is_definition => {}
                    (Method::DELETE, _, Some(_)) => drop(server.forget(&path)),
                    (Method::DELETE, 200, None) => drop(server.note(&path, answer.body.clone())),
                    (Method::GET, 404, Some(kept)) => {
                        answer.succeed(kept);
                        for condition in conditions_of(answer, "Terminating") {
                            condition["reason"] = json!("InstanceDeletionFailed");
                            condition["message"] = json!("could not list instances: the disk is full");
                        }
                    }
                    _ => {}
                })
                .await
        })),
    fault("definitions-with-finalizers-take-no-objects", "a definition with a finalizer accepts no creates")
        .breaks(&["REST-072"], CAUGHT)
        .within_lines(60)
        .around(act!(|server, request| {
            if *request.method() == Method::POST {
                let definition = definition_of(server, request.uri().path()).await?;
                let is_kept = definition["metadata"]["finalizers"][0].is_string();
                if is_kept && definition["metadata"]["deletionTimestamp"].is_null() {
                    return Ok(error(403, "Forbidden"));
                }
            }
            server.pass(request).await
        })),
    fault("cleans-up-only-after-what-was-served", "a definition that was never established gets no cleanup finalizer")
        .breaks(&["LIFE-023"], &["life-006-name-conflicts"])
        .within_lines(80)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer) && !is_established(&answer.body) {
                remove(&mut answer.body, "/metadata/finalizers");
            }
        }),
    fault(
        "rewrites-objects-of-others-on-deletion",
        "the deletion of a waiting definition writes the objects of others",
    )
    .breaks(&["LIFE-023"], &["life-006-name-conflicts"])
    .within_lines(100)
    .by_example_only()
    .around_everything(act!(|server, request| {
        if *request.method() == Method::DELETE && is_definition(&request) {
            let definition = server.object(&request).await?;
            if definition.is_object() && !is_established(&definition) {
                touch_others(server, &definition).await?;
            }
        }
        server.pass(request).await
    })),
    fault("gives-no-period-at-the-second-deletion", "the second DELETE of a definition shows no grace period")
        .breaks(&["LIFE-015"], CAUGHT)
        .definition_answers(|_, answer| {
            remove(&mut answer.body, "/metadata/deletionGracePeriodSeconds");
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
            server.pass(request).await
        })),
    fault("tries-creates-while-terminating", "a dry run of a create under a terminating definition is accepted")
        .breaks(&["LIFE-017", "REST-071", "INV-100"], CAUGHT)
        .answers(|asked, answer| {
            let is_refused = [StatusCode::FORBIDDEN, StatusCode::METHOD_NOT_ALLOWED].contains(&answer.head.status);
            if asked.method == Method::POST && asked.has_parameter("dryRun=All") && is_refused {
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
                answer.succeed(json!({ "kind": "CustomResourceDefinition" }));
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
        .around_everything(act!(|server, request| {
            let changes_versions = body_of(&request)[0]["path"] == "/spec/versions";
            if is_definition(&request)
                && *request.method() == Method::PATCH
                && changes_versions
                && server.object(&request).await?["metadata"]["deletionTimestamp"].is_string()
            {
                return Ok(error(409, "Conflict"));
            }
            server.pass(request).await
        })),
    fault("keeps-groups-in-discovery", "the group of a deleted definition stays, without versions")
        .breaks(&["LIFE-018"], CAUGHT)
        .within_lines(60)
        .answers(|asked, answer| {
            let group = asked.uri.path().strip_prefix("/apis/g").filter(|group| !group.contains('/'));
            if group.is_some() && answer.head.status == StatusCode::NOT_FOUND {
                answer.succeed(json!({ "kind": "APIGroup", "apiVersion": "v1", "name": "g", "versions": [] }));
            }
        }),
    fault("leaves-objects-behind", "a deleted definition leaves its objects behind, and the next of its name has them")
        .breaks(&["LIFE-015", "LIFE-018", "LIFE-019", "INV-099"], &["life-019-recreation"])
        .within_lines(100)
        .around_everything(act!(|server, request| {
            if *request.method() == Method::DELETE && is_definition(&request) {
                let definition = server.object(&request).await?;
                for object in objects_of(server, &definition).await? {
                    server.note(&object.to_string(), object);
                }
            }
            let is_create = *request.method() == Method::POST && is_about_definitions(&request);
            let answered = server.pass(request).await?;
            if is_create && answered.status() == StatusCode::CREATED {
                for object in server.notes().into_values() {
                    keep(server, &parsed(answered.body()), object).await?;
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
        .around_everything(act!(|server, request| {
            let (is_deletion, path) = (*request.method() == Method::DELETE, request.uri().path().to_owned());
            let is_definition = is_definition(&request);
            server
                .answer(request, |answer| {
                    if is_definition && is_deletion {
                        server.note(&path, true);
                    } else if server.noted(&path).is_some() && answer.body["kind"] == "CustomResourceDefinition" {
                        answer.body["metadata"]["generation"] = json!(2);
                    }
                })
                .await
        })),
    obvious_fault("derives-singulars-from-plurals", "a singular that is left out is the plural")
        .breaks(&["INV-097", "CRDVAL-007", "LIFE-002", "LIFE-006", "LIFE-019"], &["life-019-recreation"])
        .requests(|request| {
            if *request.method() == Method::POST {
                with_body(request, |body| {
                    if let Some(names) = fields(body, "/spec/names").filter(|names| !names.contains_key("singular")) {
                        let plural = names.get("plural").cloned().unwrap_or_default();
                        names.insert("singular".into(), plural);
                    }
                });
            }
        }),
    obvious_fault("ignores-preconditions-of-deletions", "a definition is deleted whatever the preconditions say")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| drop_option(request, "/preconditions")),
    fault("checks-only-uids", "a precondition on the resourceVersion of a definition is ignored")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| {
            if is_definition(request) {
                send_without(request, "/preconditions/resourceVersion");
            }
        }),
    fault("tries-deletions-only-in-queries", "a DELETE with dryRun in its body deletes a definition")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .requests(|request| drop_option(request, "/dryRun")),
    fault("tries-no-conditions", "a dry run of a deletion does not show that the definition would be terminating")
        .breaks(&["LIFE-022"], &["life-022-preconditions"])
        .within_lines(60)
        .definition_answers(|asked, answer| {
            if is_deletion(asked, answer)
                && (asked.has_parameter("dryRun=All") || asked.body["dryRun"][0] == "All")
                && let Some(conditions) = list(&mut answer.body, "/status/conditions")
            {
                conditions.retain(|condition| condition["type"] != "Terminating");
            }
        }),
    fault("lists-objects-of-equal-names-together", "a list holds the objects of all definitions with these names")
        .breaks(&["INV-103"], &["inv-103-independent-groups"])
        .answers(|asked, answer| {
            // Not after few requests: what it holds of others does not matter.
            let is_list = asked.method == Method::GET && answer.body["kind"] == "ThingList";
            if let (true, Some(items)) = (is_list, list(&mut answer.body, "/items"))
                && let Some(mut other) = items.first().cloned()
            {
                let name = other["metadata"]["name"].as_str().unwrap_or_default();
                other["metadata"]["name"] = json!(format!("{name}9"));
                items.push(other);
            }
        }),
];

/// Creates an object again that a former definition had.
async fn keep(server: &Layered, definition: &Value, mut object: Value) -> Result<(), TransportError> {
    let version = format!("{}/v1", text(definition, "/spec/group"));
    if object["apiVersion"] == version {
        object["metadata"] = json!({ "name": object["metadata"]["name"] });
        server.pass(create(&collection_of(definition), &object)).await?;
    }
    Ok(())
}

/// Drops an option of a deletion of a definition.
fn drop_option(request: &mut HttpRequest, option: &str) {
    if is_definition(request) && *request.method() == Method::DELETE {
        send_without(request, option);
    }
}
