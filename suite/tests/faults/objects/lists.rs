//! Faults in lists, their pages and selectors.

use crdible::connection::HttpRequest;
use http::{Method, header};
use serde_json::{Value, json};

use super::namespaces::without_namespace;
use crate::{
    json::{items, list},
    sent::{header_of, is_list, parameter, query_contains, replace_path, set_parameter},
    table::{Fault, fault, obvious_fault},
};

const COMBINED: &[&str] = &["rest-024-combinations"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("unequal-needs-the-key", "a selector with `!=` does not choose objects without the key")
        .breaks(&["REST-023", "INV-053"], &["rest-023-label-selectors"])
        .within_lines(80)
        .requests(|request| {
            change_selector(request, |part| match part.split_once("!=") {
                Some((key, _)) => format!("{part},{}", key.trim()),
                None => part.to_owned(),
            });
        }),
    fault("in-means-the-first", "a selector with `in` chooses the first of its values alone")
        .breaks(&["REST-023", "INV-053"], &["rest-023-label-selectors"])
        .within_lines(80)
        .requests(|request| {
            change_selector(request, |part| match part.split_once(" in (") {
                Some((key, values)) => {
                    format!("{key} in ({})", values.trim_end_matches(')').split(',').next().unwrap_or_default())
                }
                None => part.to_owned(),
            });
        }),
    fault("greater-means-as-great", "a selector with `>` chooses equal numbers")
        .breaks(&["REST-023", "INV-053"], &["rest-023-label-selectors"])
        .within_lines(80)
        .requests(|request| {
            change_selector(request, |part| match part.split_once('>') {
                Some((key, number)) => match number.trim().parse::<i64>() {
                    Ok(number) => format!("{key}>{}", number - 1),
                    Err(_) => part.to_owned(),
                },
                None => part.to_owned(),
            });
        }),
    fault("absent-means-empty", "a selector with `!` chooses objects whose value is empty, too")
        .breaks(&["REST-023", "INV-053"], &["rest-023-label-selectors"])
        .within_lines(80)
        .requests(|request| {
            change_selector(request, |part| match part.trim().strip_prefix('!') {
                Some(key) if !key.contains(['=', '<', '>']) && !key.trim().is_empty() => {
                    format!("{} notin (a,b,7)", key.trim())
                }
                _ => part.to_owned(),
            });
        }),
    fault("selectors-of-any-syntax", "a selector that is none chooses nothing")
        .breaks(&["REST-023"], &["rest-023-label-selectors"])
        .within_lines(80)
        .around(act!(|server, request| {
            let is_selected = is_list(&request) && query_contains(&request, "labelSelector");
            server
                .answer(request, |answer| {
                    if is_selected && answer.head.status == 400 {
                        let metadata = json!({ "resourceVersion": "1" });
                        answer.succeed(json!({ "kind": "ThingList", "metadata": metadata, "items": [] }));
                    }
                })
                .await
        })),
    fault("pages-repeat-an-item", "a page begins with the last item of the page before")
        .breaks(&["REST-024", "REST-025", "REST-027", "INV-051", "INV-052"], &["rest-024-pages"])
        .blamed(&["REST-027", "INV-052"])
        .results(is_next_page, |whole, page| {
            let first = page["items"][0]["metadata"]["name"].clone();
            let before = items(whole).take_while(|item| item["metadata"]["name"] != first).last().cloned();
            if let (false, Some(before), Some(items)) = (first.is_null(), before, list(page, "/items")) {
                items.insert(0, before);
            }
        }),
    fault("pages-show-the-present", "a page shows its objects as they are now, and not those that are gone")
        .breaks(&["REST-027", "INV-052"], &["rest-024-pages"])
        .within_lines(120)
        .results(is_next_page, |whole, page| {
            if let Some(shown) = list(page, "/items") {
                let now = |item: &Value| {
                    items(whole).find(|now| now["metadata"]["name"] == item["metadata"]["name"]).cloned()
                };
                *shown = shown.iter().filter_map(now).collect();
            }
        }),
    fault("remaining-items-are-miscounted", "remainingItemCount is one too small")
        .breaks(&["REST-024", "INV-051"], &["rest-024-pages"])
        .answers(|_, answer| {
            if let Some(count) = answer.body.pointer("/metadata/remainingItemCount").and_then(Value::as_i64) {
                answer.body["metadata"]["remainingItemCount"] = json!(count - 1);
            }
        }),
    obvious_fault("pages-hold-one-more", "a page holds one item more than its limit")
        .breaks(&["REST-024", "REST-025", "REST-027", "INV-051", "INV-052"], &["rest-024-pages"])
        .blamed(&["REST-024", "INV-051"])
        .requests(|request| {
            let limit = parameter(request, "limit").and_then(|limit| limit.parse::<i64>().ok());
            if let Some(limit) = limit.filter(|limit| *limit > 0) {
                set_parameter(request, "limit", Some(&(limit + 1).to_string()));
            }
        }),
    fault("continuations-forget-the-selector", "a page behind the first holds what its selector does not choose")
        .breaks(&["REST-024", "REST-027", "INV-051"], COMBINED)
        .requests(|request| {
            if is_next_page(request) {
                set_parameter(request, "labelSelector", None);
            }
        }),
    fault("continuations-forget-the-namespace", "a page behind the first holds objects of all namespaces")
        .breaks(&["REST-024", "REST-027", "INV-051"], COMBINED)
        .requests(|request| {
            if is_next_page(request) {
                replace_path(request, without_namespace);
            }
        }),
    fault("tables-of-pages-forget-the-selector", "a page of a table holds what its selector does not choose")
        .breaks(&["TABLE-005", "TABLE-007"], COMBINED)
        .requests(|request| {
            if header_of(request, &header::ACCEPT).contains("as=Table") && query_contains(request, "limit=") {
                set_parameter(request, "labelSelector", None);
            }
        }),
    fault("exact-lists-forget-the-selector", "a list at exactly a revision holds what its selector does not choose")
        .breaks(&["REST-022", "REST-023", "REST-026"], COMBINED)
        .requests(|request| {
            if query_contains(request, "=Exact") && !header_of(request, &header::ACCEPT).contains("as=") {
                set_parameter(request, "labelSelector", None);
            }
        }),
    fault("exact-lists-show-all-namespaces", "a list of a namespace at exactly a revision shows the objects of all")
        .breaks(&["REST-022", "REST-023", "REST-026", "INV-054"], COMBINED)
        .blamed(&["REST-022", "REST-026", "INV-054"])
        .requests(|request| {
            let is_selected = query_contains(request, "labelSelector");
            let is_plain = !is_selected && !header_of(request, &header::ACCEPT).contains("as=");
            if is_plain && is_list(request) && query_contains(request, "=Exact") {
                replace_path(request, without_namespace);
            }
        }),
    fault("bad-tokens-are-ignored", "a `continue` that is no token is ignored")
        .breaks(&["REST-025"], &["rest-024-pages"])
        .requests(|request| {
            if query_contains(request, "continue=abc") {
                set_parameter(request, "continue", None);
            }
        }),
    fault("matches-need-no-revision", "resourceVersionMatch without resourceVersion is ignored")
        .breaks(&["REST-026"], &["rest-024-pages"])
        .requests(|request| {
            if query_contains(request, "resourceVersionMatch=") && !query_contains(request, "resourceVersion=") {
                set_parameter(request, "resourceVersionMatch", None);
            }
        }),
    fault("limits-need-no-number", "a limit that is no number is ignored")
        .breaks(&["REST-012"], &["rest-024-pages"])
        .requests(|request| {
            if query_contains(request, "limit=x") {
                set_parameter(request, "limit", None);
            }
        }),
];

/// Whether it is a list that goes on.
fn is_next_page(request: &HttpRequest) -> bool {
    is_list(request) && query_contains(request, "continue=e")
}

/// Changes the requirements of the label selector of a list.
fn change_selector(request: &mut HttpRequest, change: fn(&str) -> String) {
    let Some(text) = parameter(request, "labelSelector").filter(|_| *request.method() == Method::GET) else { return };
    let text = percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0;
    let mut part = String::new();
    for letter in text.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if letter == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(letter);
        }
    }
    parts.push(part);
    let changed: Vec<String> = parts.iter().map(|part| change(part)).collect();
    let changed = changed.join(",");
    let encoded = percent_encoding::utf8_percent_encode(&changed, percent_encoding::NON_ALPHANUMERIC).to_string();
    if changed != text {
        set_parameter(request, "labelSelector", Some(&encoded));
    }
}
