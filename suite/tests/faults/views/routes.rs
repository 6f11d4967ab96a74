//! Faults in whether discovery and routing agree, and in the forms of discovery.

use crdible::connection::HttpRequest;
use http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::entries;
use crate::{
    sent::{accept, accepted, change_header, read, replace_path},
    server::{Answer, Asked, error},
    table::{Fault, fault, obvious_fault},
};

const ROUTES: &[&str] = &["disc-009-routing"];
const FORMS: &[&str] = &["disc-011-forms"];
const HASHES: &[&str] = &["disc-008-storage-version-hash"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("short-names-are-routes", "objects are also at a short name of their resource")
        .breaks(&["DISC-013"], ROUTES)
        .within_lines(150)
        .requests(|request| lead(request, "/th", "/things")),
    fault("kinds-are-routes", "objects are also at their kind")
        .breaks(&["DISC-013"], ROUTES)
        .within_lines(150)
        .requests(|request| lead(request, "/Thing", "/things")),
    obvious_fault("serves-unlisted-versions", "a list is also served at a version that is not")
        .breaks(&["DISC-009", "INV-049"], ROUTES)
        .within_lines(80)
        .around(act!(|server, request| {
            let answered = server.pass(request.clone()).await?;
            let path = request.uri().path().to_owned();
            let is_list = *request.method() == Method::GET && path.ends_with("/things");
            if answered.status() != StatusCode::NOT_FOUND || !is_list {
                return Ok(answered);
            }
            let parts: Vec<&str> = path.splitn(5, '/').collect();
            let [_, _, group, _, rest] = parts[..] else { return Ok(answered) };
            let document = server.get(&format!("/apis/{group}")).await?;
            match document["preferredVersion"]["version"].as_str() {
                Some(version) => server.pass(read(&format!("/apis/{group}/{version}/{rest}"))).await,
                None => Ok(answered),
            }
        })),
    fault("serves-unlisted-statuses", "GET of a status works at every version")
        .breaks(&["DISC-009", "INV-049"], ROUTES)
        .within_lines(100)
        .requests(|request| {
            if *request.method() == Method::GET {
                lead(request, "/status", "");
            }
        }),
    fault("serves-no-listed-scales", "a scale is not served where there is a status")
        .breaks(&["DISC-009", "INV-049"], ROUTES)
        .within_lines(90)
        .around(act!(|server, request| {
            if let Some(object) = request.uri().path().strip_suffix("/scale")
                && server.get(&format!("{object}/status")).await?.is_object()
            {
                return Ok(error(404, "NotFound"));
            }
            server.pass(request).await
        })),
    fault(
        "a-short-name-belongs-to-one-group",
        "of two groups whose resources have the same short name only one shows it",
    )
    .breaks(&["DISC-013"], ROUTES)
    .within_lines(80)
    .answers(|asked, answer| {
        let is_even = |group: &str| {
            let digits: String = group.chars().skip(1).take_while(char::is_ascii_digit).collect();
            digits.parse::<u64>().is_ok_and(|number| number % 2 == 0)
        };
        let group = asked.uri.path().split('/').nth(2).unwrap_or_default().to_owned();
        if is_even(&group) {
            entries(asked, answer).for_each(|entry| entry["shortNames"] = json!(["th"]));
        }
    }),
    fault("aggregates-only-json", "aggregated discovery is JSON, also if YAML is requested")
        .breaks(&["DISC-011"], FORMS)
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| {
                accept.replace("application/yaml;g=", "application/json;g=")
            });
        }),
    obvious_fault("does-not-name-aggregation", "the Content-Type of aggregated discovery has no parameters")
        .breaks(&["DISC-011"], FORMS)
        .answers(|_, answer| {
            if let Some((bare, _)) = answer.header(&header::CONTENT_TYPE).split_once(";g=") {
                let bare = bare.to_owned();
                answer.set(header::CONTENT_TYPE, &bare);
            }
        }),
    fault("aggregation-does-not-vary", "aggregated discovery does not say that it depends on Accept")
        .breaks(&["DISC-011"], FORMS)
        .answers(|_, answer| drop(answer.head.headers.remove(header::VARY))),
    fault("knows-all-versions-of-aggregation", "an unknown version of aggregated discovery is taken for the known one")
        .breaks(&["DISC-011"], FORMS)
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| accept.replace("v=v9", "v=v2"));
        }),
    fault("takes-the-last-of-alternatives", "of several forms of discovery that a client accepts the last counts")
        .breaks(&["DISC-011"], FORMS)
        .requests(|request| {
            let accepted = accepted(request).to_owned();
            let last = accepted.split(',').rfind(|form| !form.contains("v=v9")).unwrap_or(&accepted);
            accept(request, last);
        }),
    fault("aggregates-no-core", "/api is never aggregated").breaks(&["DISC-011"], FORMS).requests(|request| {
        if request.uri().path() == "/api" && accepted(request).contains("v=v2") {
            accept(request, "application/json");
        }
    }),
    fault("groups-are-only-json", "the document of a group is JSON, also if YAML is requested")
        .breaks(&["DISC-003"], FORMS)
        .requests(|request| {
            if request.uri().path().starts_with("/apis/g") && accepted(request) == "application/yaml" {
                accept(request, "application/json");
            }
        }),
    fault("each-version-has-its-hash", "the hash of the storage version is another one at each version")
        .breaks(&["DISC-008"], HASHES)
        .answers(|asked, answer| {
            let version = asked.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
            change_hash(asked, answer, |_| Some(format!("{version:A<11.11}=")));
        }),
    fault("hashes-what-is-not-served", "there is a hash also if the storage version is not served")
        .breaks(&["DISC-008"], HASHES)
        .within_lines(80)
        .answers(|asked, answer| change_hash(asked, answer, |hash| Some(hash.unwrap_or("AAAAAAAAAAA=").to_owned()))),
    fault("hashes-ignore-the-version", "the hash does not depend on the storage version")
        .breaks(&["DISC-008"], HASHES)
        .within_lines(80)
        .answers(|asked, answer| change_hash(asked, answer, |hash| hash.map(|_| "AAAAAAAAAAA=".to_owned()))),
];

/// Leads requests for what ends like this elsewhere.
fn lead(request: &mut HttpRequest, from: &str, to: &str) {
    replace_path(request, |path| path.strip_suffix(from).map(|start| format!("{start}{to}")));
}

/// Replaces the hash of the storage version of a resource.
fn change_hash(asked: &Asked, answer: &mut Answer, change: impl Fn(Option<&str>) -> Option<String>) {
    let is_main = |entry: &&mut Value| entry["name"] == "things";
    for entry in entries(asked, answer).filter(is_main) {
        if let Some(hash) = change(entry.get("storageVersionHash").and_then(Value::as_str)) {
            entry["storageVersionHash"] = json!(hash);
        }
    }
}
