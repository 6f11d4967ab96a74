//! Faults in what the documents of discovery say.

use crdible::connection::HttpRequest;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{entries, is_of_resources, of_groups, of_versions, shown};
use crate::{
    json::{elements, list, parsed, remove, text},
    sent::read,
    server::{Answer, Asked, changed, error, success},
    table::{Fault, fault, obvious_fault},
};

const CAUGHT: &[&str] = &["disc-001-documents"];
const WAITING: &[&str] = &["disc-005-terminating"];
const RENAMED: &[&str] = &["disc-010-names"];
/// What is wrong if only aggregated discovery is.
const AGGREGATED: &[&str] = &["DISC-011", "DISC-012", "INV-050"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault(
        "lists-versions-that-are-not-served",
        "each version of a group has the resources of the preferred one",
    )
    .breaks(&["DISC-001", "DISC-003", "DISC-014", "VER-007"], CAUGHT)
    .around(act!(|server, request| {
        let answered = server.pass(request.clone()).await?;
        if answered.status() != StatusCode::NOT_FOUND || !is_of_resources(request.uri().path()) {
            return Ok(answered);
        }
        let path = request.uri().path().to_owned();
        let (group, version) = path.rsplit_once('/').unwrap_or_default();
        let document = server.get(group).await?;
        let Some(preferred) = document["preferredVersion"]["version"].as_str() else { return Ok(answered) };
        let listed = server.pass(read(&format!("{group}/{preferred}"))).await?;
        let name = document["name"].as_str().unwrap_or_default().to_owned();
        Ok(changed(listed, |answer| answer.body["groupVersion"] = json!(format!("{name}/{version}"))))
    })),
    fault("lists-what-was-served", "a version that is not served any more is listed as before")
        .breaks(&["DISC-001", "DISC-003", "DISC-014", "VER-007"], CAUGHT)
        .within_lines(120)
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let answered = server.pass(request).await?;
            if !is_of_resources(&path) {
                return Ok(answered);
            }
            if answered.status().is_success() {
                server.note(&path, parsed(answered.body()));
                return Ok(answered);
            }
            Ok(server.noted(&path).map_or(answered, |listed| success(&listed)))
        })),
    fault("lists-resources-at-every-version", "a version lists what any version of its group serves")
        .breaks(&["DISC-001", "VER-007"], CAUGHT)
        .within_lines(120)
        .around(act!(|server, request| {
            let answered = server.pass(request.clone()).await?;
            if !answered.status().is_success() || !is_of_resources(request.uri().path()) {
                return Ok(answered);
            }
            let (group, _) = request.uri().path().rsplit_once('/').unwrap_or_default();
            let document = server.get(group).await?;
            let mut all = Vec::new();
            for version in document["versions"].as_array().into_iter().flatten() {
                let path = format!("{group}/{}", version["version"].as_str().unwrap_or_default());
                let list = server.get(&path).await?;
                all.extend(list["resources"].as_array().cloned().unwrap_or_default());
            }
            Ok(changed(answered, |answer| {
                let Some(own) = list(&mut answer.body, "/resources") else { return };
                let is_main = |entry: &Value| entry["name"].as_str().is_some_and(|name| !name.contains('/'));
                for entry in all.into_iter().filter(is_main) {
                    if own.iter().all(|known| known["name"] != entry["name"]) {
                        own.push(entry);
                    }
                }
            }))
        })),
    obvious_fault("loses-scales", "no list of resources has an entry for a scale")
        .breaks(&["DISC-007"], CAUGHT)
        .answers(|asked, answer| retain(asked, answer, |entry| !text(entry, "/name").ends_with("/scale"))),
    fault("loses-a-status-beside-a-scale", "a resource with a scale has no entry for its status")
        .breaks(&["DISC-006"], CAUGHT)
        .within_lines(120)
        .answers(|asked, answer| {
            if entries(asked, answer).any(|entry| entry["kind"] == "Scale") {
                retain(asked, answer, |entry| !text(entry, "/name").ends_with("/status"));
            }
        }),
    fault("lists-a-status-everywhere", "a resource with a scale has an entry for its status, too")
        .breaks(&["DISC-006"], CAUGHT)
        .answers(|asked, answer| {
            let has_scale = entries(asked, answer).any(|entry| entry["kind"] == "Scale");
            let has_status = entries(asked, answer).any(|entry| entry["name"] == "things/status");
            if let (true, false, Some(list)) = (has_scale, has_status, list(&mut answer.body, "/resources")) {
                let mut status = list[0].clone();
                status["name"] = json!("things/status");
                list.push(status);
            }
        }),
    fault("a-status-has-a-hash", "the entry of a status has the hash of the storage version, too")
        .breaks(&["DISC-006"], CAUGHT)
        .within_lines(120)
        .answers(|asked, answer| parts(asked, answer, |part| part["storageVersionHash"] = json!("AAAAAAAAAAA="))),
    fault("parts-have-the-singular", "the entry of a subresource has the singular name of its resource")
        .breaks(&["DISC-006", "DISC-007"], CAUGHT)
        .answers(|asked, answer| parts(asked, answer, |part| part["singularName"] = json!("thing"))),
    fault("parts-are-not-namespaced", "the entry of a subresource is never namespaced")
        .breaks(&["DISC-006", "DISC-007"], CAUGHT)
        .within_lines(80)
        .answers(|asked, answer| parts(asked, answer, |part| part["namespaced"] = json!(false))),
    fault("scales-are-of-their-own-group", "the entry of a scale does not say that it is of another group")
        .breaks(&["DISC-007"], CAUGHT)
        .answers(|asked, answer| {
            for entry in entries(asked, answer) {
                remove(entry, "/group");
                remove(entry, "/version");
            }
        }),
    obvious_fault("forgets-categories", "no list of resources has categories").breaks(&["DISC-004"], CAUGHT).answers(
        |asked, answer| {
            entries(asked, answer).for_each(|entry| drop(remove(entry, "/categories")));
        },
    ),
    fault("sorts-short-names", "a list of resources has short names in the order of letters")
        .breaks(&["DISC-004"], CAUGHT)
        .answers(|asked, answer| {
            for entry in entries(asked, answer) {
                if let Some(names) = list(entry, "/shortNames") {
                    names.sort_by_key(ToString::to_string);
                }
            }
        }),
    fault("shows-empty-lists-of-names", "a resource without short names shows an empty list of them")
        .breaks(&["DISC-004", "DISC-006"], CAUGHT)
        .answers(|asked, answer| {
            for entry in entries(asked, answer).filter(|entry| entry.get("shortNames").is_none()) {
                entry["shortNames"] = json!([]);
            }
        }),
    obvious_fault("knows-no-singulars", "no list of resources has singular names")
        .breaks(&["DISC-004"], CAUGHT)
        .answers(|asked, answer| entries(asked, answer).for_each(|entry| entry["singularName"] = json!(""))),
    fault("announces-no-deletion-of-all", "the verbs of a resource are without deletecollection")
        .breaks(&["DISC-005"], CAUGHT)
        .answers(|asked, answer| {
            for verbs in entries(asked, answer).filter_map(|entry| entry["verbs"].as_array_mut()) {
                verbs.retain(|verb| verb != "deletecollection");
            }
        }),
    fault("lists-versions-as-text", "the versions of a group are in the order of letters, and the first is preferred")
        .breaks(&["DISC-002", "DISC-003"], CAUGHT)
        .answers(|_, answer| {
            for group in of_groups(answer) {
                if let Some(versions) = list(group, "/versions") {
                    versions.sort_by_key(|version| version["version"].to_string());
                }
                group["preferredVersion"] = group["versions"][0].clone();
            }
        }),
    fault("prefers-the-last-version", "the preferred version of a group is the last")
        .breaks(&["DISC-002", "DISC-003"], CAUGHT)
        .answers(|_, answer| {
            for group in of_groups(answer) {
                let last = group["versions"].as_array().and_then(|versions| versions.last()).cloned();
                group["preferredVersion"] = last.unwrap_or_default();
            }
        }),
    fault("keeps-groups-without-versions", "a group that serves nothing is there, without versions")
        .breaks(&["DISC-003", "DISC-014", "VER-006"], CAUGHT)
        .within_lines(80)
        .answers(|asked, answer| {
            let path = asked.uri.path();
            let is_group = path.starts_with("/apis/g") && path.matches('/').count() == 2;
            if is_group && asked.method == Method::GET && answer.head.status == StatusCode::NOT_FOUND {
                answer.head.status = StatusCode::OK;
                let name = path.trim_start_matches("/apis/");
                answer.body = json!({ "kind": "APIGroup", "apiVersion": "v1", "name": name, "versions": [] });
            }
        }),
    fault("explains-what-is-not-there", "what discovery does not know is a 404 with a Status")
        .breaks(&["DISC-003"], CAUGHT)
        .answers(|asked, answer| {
            if answer.head.status == StatusCode::NOT_FOUND && is_of_resources(asked.uri.path()) {
                answer.body = json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404 });
            }
        }),
    fault(
        "aggregates-in-the-order-of-letters",
        "aggregated discovery has the versions of a group in the order of letters",
    )
    .breaks(AGGREGATED, CAUGHT)
    .answers(|_, answer| {
        for group in shown(answer) {
            if let Some(versions) = list(group, "/versions") {
                versions.sort_by_key(|version| version["version"].to_string());
            }
        }
    }),
    fault("aggregates-resources-in-any-order", "aggregated discovery does not sort resources by their names")
        .breaks(AGGREGATED, CAUGHT)
        .within_lines(130)
        .answers(|_, answer| {
            for resources in of_versions(answer).filter_map(|version| version["resources"].as_array_mut()) {
                resources.reverse();
            }
        }),
    obvious_fault("aggregates-no-scopes", "aggregated discovery says of each resource that it is namespaced")
        .breaks(AGGREGATED, CAUGHT)
        .answers(|_, answer| aggregated(answer, |resource| resource["scope"] = json!("Namespaced"))),
    fault("aggregates-no-categories", "aggregated discovery has no categories").breaks(AGGREGATED, CAUGHT).answers(
        |_, answer| {
            aggregated(answer, |resource| drop(remove(resource, "/categories")));
        },
    ),
    fault("aggregates-scales-of-the-group", "a scale in aggregated discovery has the kind of its resource")
        .breaks(AGGREGATED, CAUGHT)
        .answers(|_, answer| {
            aggregated(answer, |resource| {
                let kind = resource["responseKind"].clone();
                for part in elements(resource, "/subresources") {
                    part["responseKind"] = kind.clone();
                }
            });
        }),
    fault("keeps-verbs-while-terminating", "a definition that is being deleted has all its verbs")
        .breaks(&["DISC-005"], WAITING)
        .within_lines(80)
        .answers(|asked, answer| {
            entries(asked, answer).for_each(add_verbs);
        }),
    fault(
        "aggregates-all-verbs-while-terminating",
        "aggregated discovery has all verbs of a definition that is being deleted",
    )
    .breaks(AGGREGATED, WAITING)
    .within_lines(80)
    .answers(|_, answer| {
        aggregated(answer, add_verbs);
    }),
    fault("hides-what-is-terminating", "a definition that is being deleted is in no list of resources")
        .breaks(&["DISC-001", "DISC-004", "DISC-005", "VER-007"], WAITING)
        .within_lines(80)
        .answers(|asked, answer| {
            retain(asked, answer, |entry| !has_terminating_verbs(entry));
        }),
    fault("parts-lose-verbs-while-terminating", "a status of a definition that is being deleted can only be read")
        .breaks(&["DISC-005", "DISC-006", "DISC-007"], WAITING)
        .within_lines(80)
        .answers(|asked, answer| {
            if entries(asked, answer).any(|entry| has_terminating_verbs(entry)) {
                parts(asked, answer, |part| part["verbs"] = json!(["get"]));
            }
        }),
    fault("refuses-writes-while-terminating", "what a terminating definition does not announce is not served")
        .breaks(&["DISC-005"], WAITING)
        .within_lines(80)
        .around(act!(|server, request| {
            if ![Method::PATCH, Method::PUT].contains(request.method()) || takes_finalizers(&request) {
                return server.pass(request).await;
            }
            let list: Vec<&str> = request.uri().path().split('/').take(4).collect();
            let document = server.get(&list.join("/")).await?;
            if document["resources"].as_array().into_iter().flatten().any(has_terminating_verbs) {
                return Ok(error(405, "MethodNotAllowed"));
            }
            server.pass(request).await
        })),
    fault("shows-requested-names", "a list of resources has the names that a definition requests")
        .breaks(&["DISC-004", "DISC-010"], RENAMED)
        .within_lines(90)
        .around(act!(|server, request| {
            let answered = server.pass(request.clone()).await?;
            let path = request.uri().path().to_owned();
            if !is_of_resources(&path) || !answered.status().is_success() {
                return Ok(answered);
            }
            let group = path.split('/').nth(2).unwrap_or_default();
            let mut list = parsed(answered.body());
            for entry in list["resources"].as_array_mut().into_iter().flatten() {
                let plural = entry["name"].as_str().unwrap_or_default();
                let own = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}");
                let names = server.get(&own).await?["spec"]["names"].take();
                if names["singular"].is_string() {
                    entry["singularName"] = names["singular"].clone();
                }
            }
            Ok(changed(answered, |answer| answer.body = list))
        })),
    fault("lists-have-the-first-kind", "a list has the kind that follows from that of its objects")
        .breaks(&["DISC-010"], RENAMED)
        .within_lines(90)
        .answers(|asked, answer| {
            let is_of_all = ["/things", "/thing1s"].iter().any(|end| asked.ends_with(end));
            if is_of_all && asked.method == Method::GET && answer.body["items"].is_array() {
                let kind = if asked.ends_with("/things") { "ThingList" } else { "Thing1List" };
                answer.body["kind"] = json!(kind);
            }
        }),
];

/// Whether a resource has the verbs of a definition that is being deleted.
fn has_terminating_verbs(entry: &Value) -> bool {
    let verbs = entry["verbs"].as_array().map_or(&[][..], Vec::as_slice);
    verbs.iter().any(|verb| verb == "delete") && verbs.iter().all(|verb| verb != "create")
}

/// Adds the verbs that such a resource lacks.
fn add_verbs(entry: &mut Value) {
    if has_terminating_verbs(entry)
        && let Some(verbs) = list(entry, "/verbs")
    {
        verbs.extend(["create", "patch", "update"].map(Value::from));
    }
}

/// Whether it removes finalizers, without which nothing could be cleaned up.
fn takes_finalizers(request: &HttpRequest) -> bool {
    String::from_utf8_lossy(request.body()).contains("finalizers")
}

/// Keeps such entries.
fn retain(asked: &Asked, answer: &mut Answer, is_kept: impl Fn(&Value) -> bool) {
    if is_of_resources(asked.uri.path())
        && let Some(resources) = list(&mut answer.body, "/resources")
    {
        resources.retain(is_kept);
    }
}

/// Changes the entries of subresources.
fn parts(asked: &Asked, answer: &mut Answer, change: impl Fn(&mut Value)) {
    let is_part = |entry: &&mut Value| entry["name"].as_str().is_some_and(|name| name.contains('/'));
    entries(asked, answer).filter(is_part).for_each(change);
}

/// Changes the resources in aggregated discovery.
fn aggregated(answer: &mut Answer, change: impl Fn(&mut Value)) {
    for version in of_versions(answer) {
        elements(version, "/resources").for_each(&change);
    }
}
