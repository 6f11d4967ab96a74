//! Faults in selections by fields.

use crdible::connection::HttpRequest;
use http::Method;
use serde_json::{Value, json};

use crate::{
    json::{list, parsed, text},
    sent::{ask_first_version, is_about_definitions, is_watch, parameter, query_contains, set_parameter, with_body},
    server::error,
    table::{Fault, fault, obvious_fault},
};

/// What is asserted of a selection.
const SELECTED: &[&str] = &[
    "FSEL-001", "FSEL-002", "FSEL-003", "FSEL-004", "FSEL-005", "FSEL-006", "FSEL-007", "FSEL-008", "FSEL-009",
    "FSEL-010", "FSEL-011", "FSEL-012", "FSEL-013", "INV-045",
];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("deletes-whatever-its-fields", "the deletion of a collection ignores field selectors")
        .breaks(SELECTED, &["fsel-010-lists"])
        .requests(|request| {
            if *request.method() == Method::DELETE {
                set_parameter(request, "fieldSelector", None);
            }
        }),
    obvious_fault("watches-whatever-its-fields", "a watch ignores field selectors")
        .breaks(SELECTED, &["fsel-009-watch"])
        .requests(|request| {
            if is_watch(request) {
                set_parameter(request, "fieldSelector", None);
            }
        }),
    fault("objects-leave-in-silence", "an object that is no longer selected is not reported as deleted")
        .breaks(SELECTED, &["fsel-009-watch"])
        .blamed(&["FSEL-008", "FSEL-009"])
        .events(|request, events| {
            if query_contains(request, "fieldSelector") {
                events.retain(|event| event["type"] != "DELETED");
            }
        }),
    fault("objects-enter-as-changed", "an object that begins to be selected is reported as modified")
        .breaks(SELECTED, &["fsel-009-watch"])
        .events(|request, events| {
            if query_contains(request, "fieldSelector") {
                for event in events {
                    // A new object has its first generation, unless its spec was changed.
                    if event["type"] == "ADDED" && event["object"]["metadata"]["generation"] != 1 {
                        event["type"] = json!("MODIFIED");
                    }
                }
            }
        }),
    fault(
        "begins-whatever-its-fields",
        "a watch from no revision begins with all objects, whatever its field selector is",
    )
    .breaks(SELECTED, &["fsel-009-watch"])
    .requests(|request| {
        if is_watch(request) && !query_contains(request, "resourceVersion=") {
            set_parameter(request, "fieldSelector", None);
        }
    }),
    obvious_fault("names-are-not-selectable", "metadata.name is no label of a field selector")
        .breaks(&["FSEL-001", "FSEL-004", "FSEL-008"], &["fsel-010-lists"])
        .around(act!(|server, request| {
            let label = selector(&request);
            if label.contains("metadata.name%3D") || label.contains("metadata.name%21%3D") {
                return Ok(error(400, "BadRequest"));
            }
            server.pass(request).await
        })),
    fault("absent-fields-have-no-value", "!= does not select an object without the field")
        .breaks(
            &["FSEL-002", "FSEL-004", "FSEL-005", "FSEL-006", "FSEL-008", "FSEL-010", "FSEL-011", "INV-045"],
            &["fsel-010-lists"],
        )
        .answers(|asked, answer| {
            let selector = asked.uri.query().and_then(|query| query.split("fieldSelector=").nth(1)).unwrap_or_default();
            let label = selector.split_once("%21%3D").map(|(label, _)| format!("/{}", label.replace('.', "/")));
            let Some(pointer) = label.filter(|label| !label.contains(['%', '&'])) else { return };
            if let Some(items) = list(&mut answer.body, "/items") {
                items.retain(|item| item.pointer(&pointer).is_some_and(|value| !value.is_null()));
            }
        }),
    fault("selects-what-was-sent", "a default that is filled in is shown, but not selected")
        .breaks(&["FSEL-002", "FSEL-007", "FSEL-008", "FSEL-012", "FSEL-013"], &["fsel-012-versions"])
        .within_lines(160)
        .around(act!(|server, request| {
            let is_create = *request.method() == Method::POST;
            let is_of_other = selector(&request).starts_with("spec.other");
            let sent = parsed(request.body());
            server
                .answer(request, |answer| {
                    if is_create && sent["spec"]["other"].is_null() {
                        server.note(text(&answer.body, "/metadata/uid"), true);
                    }
                    if let Some(items) = list(&mut answer.body, "/items").filter(|_| is_of_other) {
                        items.retain(|item| {
                            let is_filled = server.noted(text(item, "/metadata/uid")).is_some();
                            !is_filled || item["spec"]["other"].is_null()
                        });
                    }
                })
                .await
        })),
    fault("escapes-are-kept", "a backslash before a comma is part of the value")
        .breaks(SELECTED, &["fsel-010-lists"])
        .requests(|request| replace_in_selector(request, "%5C%2C", "%5C%5C%5C%2C")),
    fault("unequal-is-equal", "!= before an empty value is =").breaks(SELECTED, &["fsel-010-lists"]).requests(
        |request| {
            let selected = selector(request);
            if let Some(label) = selected.strip_suffix("%21%3D") {
                let equal = format!("{label}%3D");
                set_parameter(request, "fieldSelector", Some(&equal));
            }
        },
    ),
    fault("selects-the-first-term", "of two terms only the first counts")
        .breaks(SELECTED, &["fsel-010-lists"])
        .requests(|request| {
            let selected = selector(request);
            // An escaped comma is none.
            if let Some((first, _)) =
                selected.split_once("%2C").filter(|(first, _)| !first.is_empty() && !first.ends_with("%5C"))
            {
                let first = first.to_owned();
                set_parameter(request, "fieldSelector", Some(&first));
            }
        }),
    fault("prefers-fields-to-labels", "a field selector replaces the label selector")
        .breaks(SELECTED, &["fsel-010-lists"])
        .requests(|request| {
            if query_contains(request, "fieldSelector") {
                set_parameter(request, "labelSelector", None);
            }
        }),
    fault("selects-no-fields-with-dashes", "a field with a dash in its name is not selectable")
        .breaks(SELECTED, &["fsel-010-lists"])
        .around(act!(|server, request| {
            if query_contains(&request, "a-b") {
                return Ok(error(400, "BadRequest"));
            }
            server.pass(request).await
        })),
    fault("one-bad-term-is-overlooked", "a term with an unknown label behind another one is ignored")
        .breaks(&["FSEL-003"], &["fsel-010-lists"])
        .around(act!(|server, request| {
            let mut other = request.clone();
            let answered = server.pass(request).await?;
            let selected = selector(&other);
            match selected.rsplit_once("%2C").filter(|_| answered.status() == 400 && !selected.contains("%5C")) {
                Some((rest, _)) => {
                    let rest = rest.to_owned();
                    set_parameter(&mut other, "fieldSelector", Some(&rest));
                    server.pass(other).await
                }
                None => Ok(answered),
            }
        })),
    fault("trims-labels", "blanks around a label are ignored")
        .breaks(&["FSEL-004"], &["fsel-010-lists"])
        .requests(|request| replace_in_selector(request, "%20%3D", "%3D")),
    obvious_fault("unknown-labels-select-nothing", "an unknown label selects nothing")
        .breaks(&["FSEL-002", "FSEL-003", "FSEL-004", "FSEL-012", "FSEL-013"], &["fsel-010-lists", "fsel-012-versions"])
        .within_lines(120)
        .around(act!(|server, request| {
            let is_selecting = query_contains(&request, "fieldSelector") && *request.method() == Method::GET;
            let mut other = request.clone();
            let answered = server.pass(request).await?;
            if !is_selecting || answered.status() != 400 {
                return Ok(answered);
            }
            set_parameter(&mut other, "fieldSelector", Some("metadata.name%3Dnone"));
            server.pass(other).await
        })),
    fault("counts-what-is-left-of-a-selection", "a page of a selection says how many objects remain")
        .breaks(&["FSEL-011"], &["fsel-010-lists"])
        .answers(|asked, answer| {
            let is_selecting = asked.uri.query().is_some_and(|query| query.contains("fieldSelector"));
            if is_selecting && answer.body["metadata"]["continue"].is_string() {
                answer.body["metadata"]["remainingItemCount"] = json!(1);
            }
        }),
    fault(
        "selectable-fields-are-those-of-the-first-version",
        "each version has the selectable fields of the first one",
    )
    .breaks(SELECTED, &["fsel-012-versions"])
    .within_lines(120)
    .requests(|request| {
        if query_contains(request, "fieldSelector") {
            ask_first_version(request);
        }
    }),
    fault("keeps-added-fields-to-itself", "a field that is made selectable later is not")
        .breaks(SELECTED, &["fsel-012-versions"])
        .within_lines(120)
        .requests(|request| {
            // Only a change of a definition is a patch.
            if is_about_definitions(request) && *request.method() != Method::POST {
                with_body(request, drop_last);
            }
        }),
];

/// The field selector of a request, as it is written.
fn selector(request: &HttpRequest) -> String {
    parameter(request, "fieldSelector").unwrap_or_default().to_owned()
}

fn replace_in_selector(request: &mut HttpRequest, part: &str, by: &str) {
    let selected = selector(request);
    if selected.contains(part) {
        set_parameter(request, "fieldSelector", Some(&selected.replace(part, by)));
    }
}

/// Drops the last of several selectable fields of each version.
fn drop_last(value: &mut Value) {
    if let Some(selectable) = list(value, "/selectableFields").filter(|selectable| selectable.len() > 1) {
        selectable.pop();
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(drop_last),
        Value::Array(elements) => elements.iter_mut().for_each(drop_last),
        _ => {}
    }
}
