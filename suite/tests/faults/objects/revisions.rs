//! Faults in reads of a revision.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{Method, Response};
use serde_json::{Value, json};

use super::{answer, body_in};
use crate::{
    hooked::{Hooked, has, is_list, is_watch, items, read},
    server::set_parameter,
    table::{Fault, fault, obvious_fault},
};

const CAUGHT: &[&str] = &["rest-026-revisions"];
/// A revision that never was.
const NEVER: &str = "resourceVersion=9223372036854775807";

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("exact-lists-show-the-present", "a list of exactly a revision shows what is there now")
        .breaks(&["REST-026"], CAUGHT)
        .requests(|request| {
            if is_list(request) && has(request, "resourceVersionMatch=Exact") {
                set_parameter(request, "resourceVersionMatch", None);
                set_parameter(request, "resourceVersion", None);
            }
        }),
    fault("exact-lists-lack-what-is-gone", "a list of exactly a revision leaves out what was deleted since")
        .breaks(&["REST-026"], CAUGHT)
        .around(act!(|server, request| {
            with_the_present(server, request, |list, now| {
                if let Some(shown) = list["items"].as_array_mut() {
                    let uid = |item: &Value| item["metadata"]["uid"].clone();
                    shown.retain(|item| items(now).any(|now| uid(now) == uid(item)));
                }
            })
            .await
        })),
    fault("exact-lists-name-the-present", "a list of exactly a revision has the present one as its own")
        .breaks(&["REST-026"], CAUGHT)
        .around(act!(|server, request| {
            with_the_present(server, request, |list, now| {
                list["metadata"]["resourceVersion"] = now["metadata"]["resourceVersion"].clone();
            })
            .await
        })),
    fault("lists-are-older-than-asked", "a list that must not be older than a revision is one write older")
        .breaks(&["REST-019"], CAUGHT)
        .requests(|request| {
            let query = request.uri().query().unwrap_or_default().to_owned();
            let revision = query.split('&').find_map(|part| part.strip_prefix("resourceVersion=")?.parse::<u64>().ok());
            let is_plain = is_list(request) && !has(request, "Exact") && !has(request, "limit");
            if let Some(revision) = revision.filter(|revision| is_plain && (2..1 << 60).contains(revision)) {
                set_parameter(request, "resourceVersionMatch", Some("Exact"));
                set_parameter(request, "resourceVersion", Some(&(revision - 1).to_string()));
            }
        }),
    fault("revisions-that-never-were-are-the-present", "a revision that never was is ignored")
        .breaks(&["REST-019"], CAUGHT)
        .requests(|request| {
            if *request.method() == Method::GET && !is_watch(request) && has(request, NEVER) {
                set_parameter(request, "resourceVersion", None);
            }
        }),
    fault("revisions-that-never-were-are-gone", "a read of a revision that never was is 410")
        .breaks(&["REST-019"], CAUGHT)
        .answers(|asked, answer| {
            if asked.uri.query().is_some_and(|query| query.contains(NEVER)) {
                answer.head.status = http::StatusCode::GONE;
                answer.body = json!({ "kind": "Status", "status": "Failure", "reason": "Expired", "code": 410, "message": "gone" });
            }
        }),
];

/// A list of exactly a revision, changed by what a list of now is.
async fn with_the_present(
    server: &Hooked,
    request: HttpRequest,
    change: impl FnOnce(&mut Value, &Value),
) -> Result<Response<Bytes>, TransportError> {
    let (is_exact, path) = (has(&request, "resourceVersionMatch=Exact"), request.uri().path().to_owned());
    let answered = server.server.send(request).await?;
    if !is_exact || !answered.status().is_success() {
        return Ok(answered);
    }
    let now = body_in(&server.server.send(read(&path)).await?);
    let mut list = body_in(&answered);
    change(&mut list, &now);
    Ok(answer(200, &list))
}
