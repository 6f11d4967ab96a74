//! Faults in what one version shows of an object that was written at another.

use http::{Method, Uri};
use serde_json::Value;

use crate::{
    deprecation::DEPRECATION,
    json::{list, remove},
    sent::send_without,
    stored_versions::rename_version,
    table::{Fault, fault, obvious_fault},
};

const SHOWN: &[&str] = &["VER-008", "VER-019", "INV-036", "INV-041", "CONV-001", "CONV-003"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("shows-no-labels-at-other-versions", "labels and annotations are missing at versions other than the first")
        .breaks(SHOWN, &["ver-008-served", "inv-041-mixed-storage"])
        .blamed(&["INV-036", "VER-019"])
        .answers(|asked, answer| {
            let drop = |object: &mut Value| {
                remove(object, "/metadata/labels");
                remove(object, "/metadata/annotations");
            };
            if !is_first(&asked.uri) {
                drop(&mut answer.body);
                answer.items().for_each(drop);
            }
        }),
    fault("lists-items-at-the-first-version", "the items of a list have the first version")
        .breaks(SHOWN, &["inv-041-mixed-storage", "conv-001-strategy-none"])
        .answers(|_, answer| answer.items().for_each(show_v1)),
    fault("lists-unknown-fields", "the items of a list have a field that the version does not declare")
        .breaks(SHOWN, &["inv-041-mixed-storage", "conv-001-strategy-none"])
        .answers(|_, answer| {
            answer.items().for_each(|item| item["left-over"] = Value::Bool(true));
        }),
    fault("lists-one-object-too-few", "lists at versions other than the first omit the last of two or more objects")
        .breaks(&["INV-041", "VER-008", "VER-019", "CONV-001", "CONV-003"], &["inv-041-mixed-storage"])
        .answers(|asked, answer| {
            let items = list(&mut answer.body, "/items");
            if let Some(items) = items.filter(|items| !is_first(&asked.uri) && items.len() > 1) {
                items.pop();
            }
        }),
    obvious_fault("lists-have-no-kind", "a list has no kind")
        .breaks(&["REST-021"], &["inv-041-mixed-storage"])
        .answers(|_, answer| {
            if answer.body["kind"] == "ThingList" {
                remove(&mut answer.body, "/kind");
            }
        }),
    fault("lists-have-no-revision", "a list has no resourceVersion")
        .breaks(&["REST-021"], &["inv-041-mixed-storage"])
        .answers(|_, answer| {
            if answer.body["kind"] == "ThingList" {
                remove(&mut answer.body, "/metadata/resourceVersion");
            }
        }),
    fault("items-have-no-kind", "the items of a list have no kind")
        .breaks(&["REST-021"], &["inv-041-mixed-storage"])
        .answers(|_, answer| answer.items().for_each(|item| drop(remove(item, "/kind")))),
    fault(
        "revisions-belong-to-versions",
        "a PUT at another version than that of the last write overlooks the revision",
    )
    .breaks(&["VER-020"], &["ver-008-served"])
    .around(act!(|server, request| {
        let path = request.uri().path().to_owned();
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let mut again = request.clone();
        let answered = server.pass(request).await?;
        if *again.method() == Method::PUT && answered.status() == 409 {
            let last = server.noted(&name).unwrap_or_default();
            if last.as_str().is_some_and(|last| last != path) {
                send_without(&mut again, "/metadata/resourceVersion");
                return server.pass(again).await;
            }
        } else if *again.method() == Method::PUT && answered.status().is_success() {
            server.note(&name, path);
        }
        Ok(answered)
    })),
    fault("revisions-are-unknown-elsewhere", "a list at another version than the first knows no revision")
        .breaks(&["VER-020"], &["ver-008-served"])
        .answers(|asked, answer| {
            let is_of_revision = asked.uri.query().is_some_and(|query| query.contains("resourceVersion="));
            if is_of_revision && !is_first(&asked.uri) {
                answer.fail(410, "Expired");
            }
        }),
    fault("creates-from-bodies-of-any-version", "the body of a create may name another version than the URL")
        .breaks(&["VER-008"], &["ver-008-served"])
        .requests(|request| rename_version(request, &[Method::POST])),
    fault("warns-of-no-deprecation-on-update", "answers to PUT and PATCH have no deprecation warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .answers(|asked, answer| {
            if asked.is_put_or_patch() {
                answer.remove_warnings("");
            }
        }),
    fault("warns-in-discovery", "discovery documents have a deprecation warning")
        .breaks(DEPRECATION, &["ver-011-deprecation"])
        .within_lines(80)
        .answers(|_, answer| {
            if ["APIGroup", "APIResourceList"].iter().any(|kind| answer.body["kind"] == *kind) {
                answer.warn("299 - \"g/v1 Thing is deprecated\"");
            }
        }),
];

fn is_first(uri: &Uri) -> bool {
    uri.path().split('/').nth(3) == Some("v1")
}

/// Replaces the version of an object, but not its group.
pub(crate) fn show_v1(object: &mut Value) {
    if let Some((group, _)) = object["apiVersion"].as_str().and_then(|text| text.split_once('/')) {
        object["apiVersion"] = Value::String(format!("{group}/v1"));
    }
}
