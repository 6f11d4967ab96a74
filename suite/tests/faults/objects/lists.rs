//! Faults in lists, their pages and selectors.

use http::Method;
use serde_json::{Value, json};

use super::{answer, body_in};
use crate::{
    hooked::{has, is_list, items, read},
    server::set_parameter,
    table::{Fault, fault, obvious_fault},
};

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
            let is_selected = is_list(&request) && has(&request, "labelSelector");
            let answered = server.server.send(request).await?;
            if is_selected && answered.status() == 400 {
                let list = json!({ "kind": "ThingList", "metadata": { "resourceVersion": "1" }, "items": [] });
                return Ok(answer(200, &list));
            }
            Ok(answered)
        })),
    fault("pages-repeat-an-item", "a page begins with the last item of the page before")
        .breaks(&["REST-024", "REST-025", "REST-027", "INV-051", "INV-052"], &["rest-024-pages"])
        .blamed(&["REST-027", "INV-052"])
        .around(act!(|server, request| {
            let is_next = is_list(&request) && has(&request, "continue=e");
            let path = request.uri().path().to_owned();
            let answered = server.server.send(request).await?;
            let mut page = body_in(&answered);
            let first = page["items"][0]["metadata"]["name"].clone();
            if !is_next || !answered.status().is_success() || first.is_null() {
                return Ok(answered);
            }
            let whole = body_in(&server.server.send(read(&path)).await?);
            let before = items(&whole).take_while(|item| item["metadata"]["name"] != first).last().cloned();
            if let (Some(before), Some(items)) = (before, page["items"].as_array_mut()) {
                items.insert(0, before);
            }
            Ok(answer(200, &page))
        })),
    fault("pages-show-the-present", "a page shows its objects as they are now, and not those that are gone")
        .breaks(&["REST-027", "INV-052"], &["rest-024-pages"])
        .within_lines(120)
        .around(act!(|server, request| {
            let is_next = is_list(&request) && has(&request, "continue=e");
            let path = request.uri().path().to_owned();
            let answered = server.server.send(request).await?;
            let mut page = body_in(&answered);
            if !is_next || !answered.status().is_success() {
                return Ok(answered);
            }
            let whole = body_in(&server.server.send(read(&path)).await?);
            if let Some(shown) = page["items"].as_array_mut() {
                let now = |item: &Value| {
                    items(&whole).find(|now| now["metadata"]["name"] == item["metadata"]["name"]).cloned()
                };
                *shown = shown.iter().filter_map(now).collect();
            }
            Ok(answer(200, &page))
        })),
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
            let query = request.uri().query().unwrap_or_default();
            let limit = query.split('&').find_map(|part| part.strip_prefix("limit=")?.parse::<i64>().ok());
            if let Some(limit) = limit.filter(|limit| *limit > 0) {
                set_parameter(request, "limit", Some(&(limit + 1).to_string()));
            }
        }),
    fault("bad-tokens-are-ignored", "a `continue` that is no token is ignored")
        .breaks(&["REST-025"], &["rest-024-pages"])
        .requests(|request| {
            if has(request, "continue=abc") {
                set_parameter(request, "continue", None);
            }
        }),
    fault("matches-need-no-revision", "resourceVersionMatch without resourceVersion is ignored")
        .breaks(&["REST-026"], &["rest-024-pages"])
        .requests(|request| {
            if has(request, "resourceVersionMatch=") && !has(request, "resourceVersion=") {
                set_parameter(request, "resourceVersionMatch", None);
            }
        }),
    fault("limits-need-no-number", "a limit that is no number is ignored")
        .breaks(&["REST-012"], &["rest-024-pages"])
        .requests(|request| {
            if has(request, "limit=x") {
                set_parameter(request, "limit", None);
            }
        }),
];

/// Changes the requirements of the label selector of a list.
fn change_selector(request: &mut crdible::connection::HttpRequest, change: fn(&str) -> String) {
    if *request.method() != Method::GET {
        return;
    }
    let query = request.uri().query().unwrap_or_default().to_owned();
    let Some(text) = query.split('&').find_map(|part| part.strip_prefix("labelSelector=")) else { return };
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
