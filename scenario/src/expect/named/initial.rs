//! The checks of watches that begin with the objects that exist.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{Mismatch, evaluate::same_value},
    Given,
    events::{compare, row_of, short, stream, wanted},
    outcomes::accepted_with_any_body,
};
use crate::scenario::{Event, TableRow};

/// The annotation of the bookmark that ends the initial events, in an event and in the row of a table.
const END: &str = "/object/metadata/annotations/k8s.io~1initial-events-end";

/// The codes with which clients try again.
const TRY_AGAIN: [u16; 2] = [429, 504];
/// What kube-apiserver says with 500 if its store does not answer within `timeoutSeconds`.
const STORE_TOO_SLOW: &str = "context deadline exceeded";

pub(super) fn begins(given: &Given<'_>) -> Result<(), Mismatch> {
    let first = stream(given.answer).and_then(<[Value]>::first).filter(|event| event["type"] == "ERROR");
    let is_busy = |status: &Value| {
        let is_too_slow = |message: &str| status["code"] == 500 && message.contains(STORE_TOO_SLOW);
        TRY_AGAIN.iter().any(|code| status["code"] == *code) || status["message"].as_str().is_some_and(is_too_slow)
    };
    first.filter(|event| is_busy(&event["object"])).map_or(Ok(()), |error| {
        let summary = "the server cannot begin the watch yet".to_owned();
        Err(Mismatch::new(Value::Null, error.clone(), "/events/0", "not-begun", summary))
    })
}

pub(super) fn events(
    given: &Given<'_>,
    version: &str,
    expected: &[Event],
    end: bool,
    any_order: bool,
) -> Result<(), Mismatch> {
    accepted_with_any_body(given)?;
    let Some(events) = stream(given.answer) else {
        let summary = "the answer to a watch is not a stream of events".to_owned();
        return Err(Mismatch::new(json!("events"), given.answer.body.clone(), "", "no-stream", summary));
    };
    let is_bookmark = |event: &&Value| event["type"] == "BOOKMARK";
    let mut reported: Vec<Value> = events.iter().filter(|event| !is_bookmark(event)).map(short).collect();
    let mut expected = wanted(version, expected, &reported);
    if any_order {
        for events in [&mut expected, &mut reported] {
            events.sort_by_cached_key(|event| event["object"].to_string());
        }
    }
    compare(&expected, &reported)?;
    let ends = |event: &Value| is_bookmark(&event) && event.pointer(END).is_some_and(|mark| mark == "true");
    let marks: Vec<usize> = (0..events.len()).filter(|&at| ends(&events[at])).collect();
    let before = events.iter().take_while(|event| !ends(event)).filter(|event| !is_bookmark(event)).count();
    let (reason, summary) = match (end, marks.len()) {
        (true, 0) => ("end-missing", "no bookmark marks the end of the initial events"),
        (true, 1) if before < reported.len() => ("end-too-early", "the end of the initial events is marked before it"),
        (true, 1) | (false, 0) => return Ok(()),
        _ => ("end-unexpected", "the end of the initial events is marked, where it must not be or again"),
    };
    Err(Mismatch::new(json!(end), json!(marks), "", reason, summary.to_owned()))
}

pub(super) fn rows(given: &Given<'_>, wanted: &[TableRow]) -> Result<(), Mismatch> {
    accepted_with_any_body(given)?;
    let reported = given.answer.body["events"].as_array().map_or(&[][..], Vec::as_slice);
    let (bookmarks, events): (Vec<&Value>, Vec<&Value>) =
        reported.iter().partition(|event| event["type"] == "BOOKMARK");
    let row = |event: &Value| event["object"]["rows"][0].clone();
    let sorted = |mut rows: Vec<Value>| {
        rows.sort_by_cached_key(|row| row[1][0].to_string());
        rows
    };
    let found = sorted(events.iter().map(|event| json!([event["type"], row(event)["cells"]])).collect());
    let wanted = wanted.iter().map(|row| json!(["ADDED", row_of(row.object, &row.cells)]));
    same_value(&json!(sorted(wanted.collect())), &json!(found), "/events")?;
    let ends = |event: &&&Value| row(event).pointer(END).is_some_and(|mark| mark == "true");
    let marks: Vec<&&Value> = bookmarks.iter().filter(ends).collect();
    let begun = reported.iter().take_while(|event| !ends(&event)).filter(|event| event["type"] != "BOOKMARK").count();
    let ([end], true) = (&marks[..], begun == events.len()) else {
        let summary =
            "no bookmark, or more than one, marks the end of the initial events, or one does it before the end"
                .to_owned();
        return Err(Mismatch::new(json!("one bookmark at the end"), json!(marks), "/events", "end", summary));
    };
    let cells = row(end)["cells"].as_array().cloned().unwrap_or_default();
    let is_empty = |(number, cell): (usize, &Value)| match number {
        0 => *cell == "",
        _ => cell.is_null() || *cell == "<no value>",
    };
    if end["object"]["kind"] == "Table" && !cells.is_empty() && cells.iter().enumerate().all(is_empty) {
        return Ok(());
    }
    let summary = "the bookmark is not a table of one row without a name and values".to_owned();
    Err(Mismatch::new(json!(["", null]), json!(cells), "/events/-1/object/rows/0/cells", "bookmark", summary))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::{
        scenario::{Event, Happened, NamedCheck, TableRow},
        transcript::Answer,
    };

    fn two(end: bool, any_order: bool) -> NamedCheck {
        let (r#type, labels, content) = (Happened::Added, serde_json::Map::new(), json!({ "spec": 1 }));
        let added = |object| Event { r#type, object, labels: labels.clone(), content: content.clone(), perhaps: false };
        NamedCheck::InitialEvents { version: "v1".to_owned(), events: vec![added(0), added(1)], end, any_order }
    }

    fn reason(check: &NamedCheck, events: &[Value]) -> Option<String> {
        let answer = Answer { status: 200, body: json!({ "events": events }), ..Answer::default() };
        evaluate(check, &Given::of(&answer)).err().map(|found| found.reason)
    }

    fn added(number: usize, revision: &str) -> Value {
        let metadata = json!({ "name": format!("$object-{number}"), "resourceVersion": revision });
        json!({ "type": "ADDED", "object": { "apiVersion": "$group/v1", "kind": "$kind", "metadata": metadata, "spec": 1 } })
    }

    fn bookmark(marks: bool) -> Value {
        let annotations = if marks { json!({ "k8s.io/initial-events-end": "true" }) } else { json!({}) };
        json!({ "type": "BOOKMARK", "object": { "metadata": { "annotations": annotations } } })
    }

    #[rstest]
    #[case::begun(vec![added(0, "9")], None)]
    #[case::nothing(vec![], None)]
    #[case::too_slow(vec![error(504)], Some("not-begun"))]
    #[case::too_busy(vec![error(429)], Some("not-begun"))]
    #[case::store_too_slow(vec![error_saying(500, "context deadline exceeded")], Some("not-begun"))]
    #[case::broken(vec![error_saying(500, "nil map")], None)]
    #[case::gone(vec![error(410)], None)]
    #[case::later(vec![added(0, "9"), error(504)], None)]
    fn watches_that_do_not_begin_yet(#[case] events: Vec<Value>, #[case] expected: Option<&str>) {
        assert_eq!(reason(&NamedCheck::WatchBegins, &events).as_deref(), expected);
    }

    fn error(code: u16) -> Value {
        error_saying(code, "not now")
    }

    fn error_saying(code: u16, message: &str) -> Value {
        json!({ "type": "ERROR", "object": { "kind": "Status", "code": code, "message": message } })
    }

    #[rstest]
    #[case::right(vec![added(0, "9"), added(1, "5")], false, None)]
    #[case::marked(vec![added(0, "9"), added(1, "5"), bookmark(true)], true, None)]
    #[case::another_bookmark(vec![added(0, "9"), added(1, "5"), bookmark(true), bookmark(false)], true, None)]
    #[case::another_order(vec![added(1, "5"), added(0, "9")], false, Some("other-event"))]
    #[case::too_few(vec![added(0, "9")], false, Some("event-missing"))]
    #[case::not_marked(vec![added(0, "9"), added(1, "5"), bookmark(false)], true, Some("end-missing"))]
    #[case::too_early(vec![added(0, "9"), bookmark(true), added(1, "5")], true, Some("end-too-early"))]
    #[case::twice(vec![added(0, "9"), added(1, "5"), bookmark(true), bookmark(true)], true, Some("end-unexpected"))]
    #[case::unwanted(vec![added(0, "9"), added(1, "5"), bookmark(true)], false, Some("end-unexpected"))]
    fn initial_events(#[case] events: Vec<Value>, #[case] end: bool, #[case] expected: Option<&str>) {
        assert_eq!(reason(&two(end, false), &events).as_deref(), expected);
    }

    #[rstest]
    #[case::in_any_order(false, None)]
    #[case::without_order(true, Some("other-event"))]
    fn the_order_may_not_matter(#[case] matters: bool, #[case] expected: Option<&str>) {
        assert_eq!(reason(&two(false, !matters), &[added(1, "5"), added(0, "9")]).as_deref(), expected);
    }

    fn row(kind: &str, cells: Value, marks: bool) -> Value {
        let annotations = if marks { json!({ "k8s.io/initial-events-end": "true" }) } else { json!({}) };
        let rows = json!([{ "cells": cells, "object": { "metadata": { "annotations": annotations } } }]);
        json!({ "type": kind, "object": { "kind": "Table", "rows": rows } })
    }

    fn shown(number: usize) -> Value {
        row("ADDED", json!([format!("$object-{number}"), number]), false)
    }

    fn end() -> Value {
        row("BOOKMARK", json!(["", null]), true)
    }

    #[rstest]
    #[case::right(vec![shown(0), shown(1), end()], None)]
    #[case::in_another_order(vec![shown(1), shown(0), end()], None)]
    #[case::with_another_bookmark(vec![shown(0), shown(1), end(), row("BOOKMARK", json!(["", null]), false)], None)]
    #[case::without_values(vec![shown(0), shown(1), row("BOOKMARK", json!(["", "<no value>"]), true)], None)]
    #[case::one_is_missing(vec![shown(0), end()], Some("changed"))]
    #[case::no_end(vec![shown(0), shown(1)], Some("end"))]
    #[case::ends_too_early(vec![shown(0), end(), shown(1)], Some("end"))]
    #[case::ends_twice(vec![shown(0), shown(1), end(), end()], Some("end"))]
    #[case::with_a_name(vec![shown(0), shown(1), row("BOOKMARK", json!(["x", null]), true)], Some("bookmark"))]
    #[case::with_a_value(vec![shown(0), shown(1), row("BOOKMARK", json!(["", 1]), true)], Some("bookmark"))]
    fn tables_of_what_exists(#[case] events: Vec<Value>, #[case] expected: Option<&str>) {
        let rows = [0, 1].map(|object| TableRow { object, cells: vec![json!(object)] }).into();
        let reason = reason(&NamedCheck::TableInitial { rows }, &events);
        assert_eq!(reason.is_some(), expected.is_some(), "{reason:?}");
        assert!(expected == Some("changed") || reason.as_deref() == expected, "{reason:?}");
    }
}
