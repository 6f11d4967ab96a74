//! Faults in reads of a revision.

use crdible::connection::HttpRequest;
use http::Method;
use serde_json::Value;

use crate::{
    json::{items, list},
    sent::{is_list, is_watch, parameter, query_contains, set_parameter},
    table::{Fault, fault, obvious_fault},
};

const CAUGHT: &[&str] = &["rest-026-revisions"];
/// A revision that never was.
const NEVER: &str = "resourceVersion=9223372036854775807";

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("exact-lists-show-the-present", "a list of exactly a revision shows what is there now")
        .breaks(&["REST-026"], CAUGHT)
        .requests(|request| {
            if is_list(request) && is_exact(request) {
                set_parameter(request, "resourceVersionMatch", None);
                set_parameter(request, "resourceVersion", None);
            }
        }),
    fault("exact-lists-lack-what-is-gone", "a list of exactly a revision leaves out what was deleted since")
        .breaks(&["REST-026"], CAUGHT)
        .results(is_exact, |now, list| {
            if let Some(shown) = list["items"].as_array_mut() {
                let uid = |item: &Value| item["metadata"]["uid"].clone();
                shown.retain(|item| items(now).any(|now| uid(now) == uid(item)));
            }
        }),
    fault("exact-lists-name-the-present", "a list of exactly a revision has the present one as its own")
        .breaks(&["REST-026"], CAUGHT)
        .results(is_exact, |now, list| {
            list["metadata"]["resourceVersion"] = now["metadata"]["resourceVersion"].clone();
        }),
    fault("lists-are-older-than-asked", "a list that must not be older than a revision is one write older")
        .breaks(&["REST-019"], CAUGHT)
        .requests(|request| {
            let revision = parameter(request, "resourceVersion").and_then(|revision| revision.parse::<u64>().ok());
            let is_plain = is_list(request) && !query_contains(request, "Exact") && !query_contains(request, "limit");
            if let Some(revision) = revision.filter(|revision| is_plain && (2..1 << 60).contains(revision)) {
                set_parameter(request, "resourceVersionMatch", Some("Exact"));
                set_parameter(request, "resourceVersion", Some(&(revision - 1).to_string()));
            }
        }),
    fault("lists-of-any-state-lack-an-object", "a list with resourceVersion 0 never shows the first object")
        .breaks(&["REST-019"], &["rest-019-any-revision"])
        .answers(|asked, answer| {
            let is_of_any_state = asked.uri.query().is_some_and(|query| query == "resourceVersion=0");
            if let Some(items) = list(&mut answer.body, "/items").filter(|items| is_of_any_state && !items.is_empty()) {
                items.remove(0);
            }
        }),
    fault("writes-of-others-hide-objects", "a list right after a write of another resource shows no objects")
        .breaks(&["REST-020", "REST-019", "INV-104", "REST-022"], &["rest-019-any-revision"])
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let is_plain = is_list(&request) && request.uri().query().is_none();
            let is_write = *request.method() != Method::GET && !query_contains(&request, "dryRun");
            let group = path.split('/').nth(2).unwrap_or_default().to_owned();
            let before = if is_write { server.note("written", group.clone()) } else { server.noted("written") };
            let is_of_another = before.is_some_and(|before| before != Value::String(group));
            server
                .answer(request, |answer| {
                    if let Some(items) = list(&mut answer.body, "/items").filter(|_| is_plain && is_of_another) {
                        items.clear();
                    }
                })
                .await
        })),
    fault("revisions-that-never-were-are-the-present", "a revision that never was is ignored")
        .breaks(&["REST-019"], CAUGHT)
        .requests(|request| {
            if *request.method() == Method::GET && !is_watch(request) && query_contains(request, NEVER) {
                set_parameter(request, "resourceVersion", None);
            }
        }),
    fault("revisions-that-never-were-are-gone", "a read of a revision that never was is 410")
        .breaks(&["REST-019"], CAUGHT)
        .answers(|asked, answer| {
            if asked.uri.query().is_some_and(|query| query.contains(NEVER)) {
                answer.fail(410, "Expired");
            }
        }),
];

/// Whether it is about exactly a revision.
fn is_exact(request: &HttpRequest) -> bool {
    query_contains(request, "resourceVersionMatch=Exact")
}
