//! Checks of watches and lists: which objects they report, by their numbers in the scenario.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use crdible_journal::text::plural;
use serde_json::{Value, json};

use super::{
    super::{Mismatch, equal, equality::difference, outcome::accepted},
    Given,
};
use crate::{scenario::Event, transcript::Answer};

pub(super) fn exactly(
    given: &Given<'_>,
    version: &str,
    expected: &[Event],
    expires: bool,
    fewer: bool,
) -> Result<(), Mismatch> {
    if expires && given.answer.status == 410 {
        return Ok(());
    }
    if !given.answer.is_accepted() {
        return accepted(given.answer);
    }
    let Some(events) = stream(given.answer) else {
        let summary = "the answer to a watch is not a stream of events".to_owned();
        return Err(Mismatch::new(json!(expected), given.answer.body.clone(), "", "no-stream", summary));
    };
    let mut reported: Vec<Value> = events.iter().map(short).collect();
    let mut expected = wanted(version, expected, &reported);
    if expires && reported.pop_if(|event| event["type"] == "ERROR" && event["content"]["code"] == 410).is_some() {
        expected.truncate(reported.len());
    }
    if fewer {
        expected.truncate(reported.len());
    }
    // A watch that is out of order is reported as that, and not as missing events.
    in_order(events)?;
    compare(&expected, &reported)
}

/// The codes of a watch that is refused each time: the history is gone (410), or the request itself is not understood.
const REFUSED_FOR_GOOD: [u16; 6] = [400, 405, 406, 410, 415, 501];

/// Whether no more events can come.
pub(super) fn complete(given: &Given<'_>, version: &str, expected: &[Event]) -> Result<(), Mismatch> {
    let Some(events) = stream(given.answer).filter(|_| given.answer.is_accepted()) else {
        let is_refused = REFUSED_FOR_GOOD.contains(&given.answer.status);
        return if is_refused || given.answer.is_accepted() { Ok(()) } else { accepted(given.answer) };
    };
    let reported: Vec<Value> = events.iter().map(short).collect();
    let expected = wanted(version, expected, &reported);
    let is_so_far_right = expected.get(..reported.len()).is_some_and(|begin| compare(begin, &reported).is_ok());
    if is_so_far_right { compare(&expected, &reported) } else { Ok(()) }
}

pub(super) fn namespaces(given: &Given<'_>, wanted: &[String]) -> Result<(), Mismatch> {
    let events = stream(given.answer).unwrap_or_default().iter().filter(|event| event["type"] != "ERROR");
    let shown: Vec<&Value> = events.map(|event| &event["object"]["metadata"]["namespace"]).collect();
    if shown.iter().zip(wanted).all(|(shown, wanted)| **shown == *wanted) {
        return Ok(());
    }
    let summary = "the object of an event is in another namespace".to_owned();
    Err(Mismatch::new(json!(wanted), json!(shown), "metadata.namespace", "other-namespace", summary))
}

/// The events of an answer; `None` if it is no stream. A stream without events is an empty body.
pub(super) fn stream(answer: &Answer) -> Option<&[Value]> {
    match answer.body.get("events").and_then(Value::as_array) {
        Some(events) => Some(events),
        None => (answer.body == json!("")).then_some(&[]),
    }
}

/// Each event has a later revision than the one before it. Revisions that are no numbers cannot be compared.
fn in_order(events: &[Value]) -> Result<(), Mismatch> {
    let revision = |event: &Value| event["object"]["metadata"]["resourceVersion"].as_str()?.parse::<u128>().ok();
    let revisions: Vec<Option<u128>> = events.iter().map(revision).collect();
    let is_earlier = |pair: &&[Option<u128>]| matches!(pair, [Some(before), Some(after)] if after <= before);
    match revisions.windows(2).find(is_earlier) {
        None => Ok(()),
        Some(pair) => {
            let summary = "an event has no later resourceVersion than the one before it".to_owned();
            let shown: Vec<Value> =
                pair.iter().map(|revision| json!(revision.map(|number| number.to_string()))).collect();
            Err(Mismatch::new(
                json!("a later resourceVersion"),
                json!(shown),
                "metadata.resourceVersion",
                "same-revision",
                summary,
            ))
        }
    }
}

pub(super) fn lists(given: &Given<'_>, objects: &[usize]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let sorted = |names: &mut dyn Iterator<Item = Value>| {
        let mut names: Vec<Value> = names.collect();
        names.sort_by_key(ToString::to_string);
        names
    };
    let expected = sorted(&mut objects.iter().map(|number| json!(name_of(*number))));
    let items = given.answer.body["items"].as_array().into_iter().flatten();
    let listed = sorted(&mut items.map(|item| item["metadata"]["name"].clone()));
    if expected == listed {
        return Ok(());
    }
    let is_missing = expected.iter().any(|name| !listed.contains(name));
    let reason = if is_missing { "object-missing" } else { "object-unexpected" };
    let fault = if is_missing { "an object is missing" } else { "an object should not be there" };
    let of = plural(expected.len() as u64, "object");
    let summary = format!("{fault}: the list holds {}, expected {of}", listed.len());
    Err(Mismatch::new(json!(expected), json!(listed), "items", reason, summary))
}

/// The expected events, in the form of [`short`]: of those that may be left out the ones that are reported where
/// they belong.
pub(super) fn wanted(version: &str, events: &[Event], reported: &[Value]) -> Vec<Value> {
    let version = format!("$group/{version}");
    let of = |event: &Event| {
        json!({
            "type": event.r#type, "object": name_of(event.object), "apiVersion": version,
            "labels": event.labels, "content": event.content,
        })
    };
    let mut wanted: Vec<Value> = Vec::new();
    for event in events {
        let expected = of(event);
        if !event.perhaps || reported.get(wanted.len()).is_some_and(|reported| equal(&expected, reported)) {
            wanted.push(expected);
        }
    }
    wanted
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn compare(wanted: &[Value], reported: &[Value]) -> Result<(), Mismatch> {
    let mut pairs = (1..).zip(wanted.iter().zip(reported));
    let differing = pairs.find(|(_, (wanted, event))| !equal(wanted, event));
    let number = differing.map_or(0, |(number, _)| number);
    let differing = differing.map(|(_, pair)| pair);
    if wanted.len() == reported.len() && differing.is_none() {
        return Ok(());
    }
    let is_same = |one: &Value, other: &Value| one["type"] == other["type"] && one["object"] == other["object"];
    let (place, reason) = match differing {
        Some((_, event)) if event["type"] == "ERROR" => (String::new(), "error-event"),
        _ if wanted.len() > reported.len() => (String::new(), "event-missing"),
        _ if wanted.len() < reported.len() => (String::new(), "event-unexpected"),
        // The right event with other content.
        Some((wanted, event)) if is_same(wanted, event) => {
            let place = difference(wanted, event).map(|found| found.pointer);
            (place.unwrap_or_default(), "event-otherwise")
        }
        Some((wanted, event)) if wanted["object"] == event["object"] => ("type".to_owned(), "other-type"),
        _ => (String::new(), "other-event"),
    };
    let of = |event: &Value| format!("{} {}", text(&event["type"]), text(&event["object"]));
    let summary = match differing {
        Some((_, event)) if reason == "error-event" => {
            let message = text(&event["content"]["message"]);
            format!("event {number} of the watch is an error: {message}")
        }
        Some((_, event)) if reason == "event-otherwise" => {
            format!("event {number} of the watch, {}, shows the object otherwise than expected", of(event))
        }
        Some((wanted, event)) if matches!(reason, "other-type" | "other-event") => {
            format!("event {number} of the watch is {}, expected {}", of(event), of(wanted))
        }
        _ => {
            let expected = plural(wanted.len() as u64, "event");
            format!("{}: the watch reports {}, expected {expected}", reason.replace('-', " "), reported.len())
        }
    };
    Err(Mismatch::new(json!(wanted), json!(reported), &place, reason, summary))
}

/// What is compared of an event. An error is shown whole.
pub(super) fn short(event: &Value) -> Value {
    let object = &event["object"];
    if event["type"] == "ERROR" {
        return json!({ "type": "ERROR", "object": null, "content": object });
    }
    let mut content = object.clone();
    if let Some(fields) = content.as_object_mut() {
        fields.retain(|name, _| !["apiVersion", "kind", "metadata"].contains(&name.as_str()));
    }
    let metadata = &object["metadata"];
    let labels = metadata.get("labels").cloned().unwrap_or_else(|| json!({}));
    json!({
        "type": event["type"], "object": metadata["name"], "apiVersion": object["apiVersion"], "labels": labels, "content": content,
    })
}

/// The name that a transcript has for an object.
pub(super) fn name_of(number: usize) -> String {
    format!("$object-{number}")
}

/// The row of a table about an object.
pub(super) fn row_of(object: usize, cells: &[Value]) -> Value {
    std::iter::once(json!(name_of(object))).chain(cells.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::{
        scenario::{Event, Happened, NamedCheck},
        transcript::Answer,
    };

    fn happened(r#type: Happened, spec: i64) -> Event {
        let (labels, content) = (serde_json::Map::new(), json!({ "spec": spec }));
        Event { r#type, object: 0, labels, content, perhaps: false }
    }

    /// It is created with 1, and then changed to 2.
    fn two() -> Vec<Event> {
        vec![happened(Happened::Added, 1), happened(Happened::Modified, 2)]
    }

    fn exactly(events: impl Into<Vec<Event>>) -> NamedCheck {
        NamedCheck::Events { version: "v2".to_owned(), events: events.into(), expires: false, fewer: false }
    }

    fn complete(events: impl Into<Vec<Event>>) -> NamedCheck {
        NamedCheck::EventsComplete { version: "v2".to_owned(), events: events.into() }
    }

    fn event(kind: &str, name: &str, spec: i64) -> Value {
        json!({ "type": kind, "object": { "apiVersion": "$group/v2", "kind": "$kind", "metadata": { "name": name }, "spec": spec } })
    }

    fn reason(check: &NamedCheck, status: u16, body: Value) -> Option<String> {
        let answer = Answer { status, body, ..Answer::default() };
        evaluate(check, &Given::of(&answer)).err().map(|found| found.reason)
    }

    #[rstest]
    #[case::right(vec![event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 2)], None)]
    #[case::too_few(vec![event("ADDED", "$object-0", 1)], Some("event-missing"))]
    #[case::none(vec![], Some("event-missing"))]
    #[case::too_many(
        vec![event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 2), event("DELETED", "$object-0", 2)],
        Some("event-unexpected")
    )]
    #[case::twice(
        vec![event("ADDED", "$object-0", 1), event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 2)],
        Some("event-unexpected")
    )]
    #[case::another_order(vec![event("MODIFIED", "$object-0", 2), event("ADDED", "$object-0", 1)], Some("other-type"))]
    #[case::another_object(vec![event("ADDED", "$object-1", 1), event("MODIFIED", "$object-0", 2)], Some("other-event"))]
    #[case::other_content(vec![event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 1)], Some("event-otherwise"))]
    #[case::error(
        vec![event("ADDED", "$object-0", 1), json!({ "type": "ERROR", "object": { "kind": "Status", "code": 410 } })],
        Some("error-event")
    )]
    fn events_are_compared_in_order(#[case] events: Vec<Value>, #[case] expected: Option<&str>) {
        assert_eq!(reason(&exactly(two()), 200, json!({ "events": events })).as_deref(), expected);
    }

    #[rstest]
    #[case::another_version("/apiVersion", json!("$group/v1"), "/apiVersion")]
    #[case::a_label("/metadata/labels", json!({ "a": "b" }), "/labels/a")]
    #[case::content("/spec", json!(2), "/content/spec")]
    fn the_whole_object_is_compared(#[case] pointer: &str, #[case] value: Value, #[case] place: &str) {
        let mut event = event("ADDED", "$object-0", 1);
        event["object"]["metadata"]["labels"] = json!({});
        *event["object"].pointer_mut(pointer).expect("a place") = value;
        let check = exactly([happened(Happened::Added, 1)]);
        let answer = Answer { status: 200, body: json!({ "events": [event] }), ..Answer::default() };
        assert_eq!(evaluate(&check, &Given::of(&answer)).err().map(|found| found.place).as_deref(), Some(place));
    }

    #[rstest]
    #[case::none(&[], None)]
    #[case::one(&[1], None)]
    #[case::a_wrong_one(&[2], Some("event-otherwise"))]
    #[case::too_many(&[1, 3, 3], Some("event-unexpected"))]
    fn fewer_events_may_do(#[case] specs: &[i64], #[case] expected: Option<&str>) {
        let events: Vec<Value> = specs.iter().map(|spec| event("ADDED", "$object-0", *spec)).collect();
        let wanted = [1, 3].map(|spec| happened(Happened::Added, spec)).into();
        let check = NamedCheck::Events { version: "v2".to_owned(), events: wanted, expires: false, fewer: true };
        assert_eq!(reason(&check, 200, json!({ "events": events })).as_deref(), expected);
    }

    #[rstest]
    #[case::there(&[1, 2, 3], None, false)]
    #[case::left_out(&[1, 3], None, false)]
    #[case::too_late(&[1, 3, 2], Some("event-unexpected"), false)]
    #[case::twice(&[1, 2, 2, 3], Some("event-unexpected"), false)]
    #[case::not_yet_all(&[1, 2], Some("event-missing"), true)]
    #[case::only_the_first(&[1], Some("event-missing"), true)]
    #[case::another_is_left_out(&[2, 3], Some("event-otherwise"), false)]
    fn an_event_may_be_left_out(#[case] specs: &[i64], #[case] expected: Option<&str>, #[case] waits: bool) {
        let events: Vec<Value> = specs.iter().map(|spec| event("MODIFIED", "$object-0", *spec)).collect();
        let wanted = [1, 2, 3].map(|spec| Event { perhaps: spec == 2, ..happened(Happened::Modified, spec) });
        let body = json!({ "events": events });
        assert_eq!(reason(&exactly(wanted.clone()), 200, body.clone()).as_deref(), expected);
        assert_eq!(reason(&complete(wanted), 200, body).is_some(), waits);
    }

    #[rstest]
    #[case::nothing_yet(vec![], true)]
    #[case::one_yet(vec![event("ADDED", "$object-0", 1)], true)]
    #[case::all(vec![event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 2)], false)]
    #[case::wrong_at_first(vec![event("ADDED", "$object-0", 2)], false)]
    #[case::too_many(
        vec![event("ADDED", "$object-0", 1), event("MODIFIED", "$object-0", 2), event("DELETED", "$object-0", 2)],
        false
    )]
    #[case::gone(vec![json!({ "type": "ERROR", "object": { "kind": "Status", "code": 410 } })], false)]
    fn more_is_waited_for_only_where_all_is_right_so_far(#[case] events: Vec<Value>, #[case] waits: bool) {
        assert_eq!(reason(&complete(two()), 200, json!({ "events": events })).is_some(), waits);
        assert!(reason(&complete(two()), 504, json!({ "kind": "Status" })).is_some());
        assert!(reason(&complete(two()), 400, json!({ "kind": "Status" })).is_none(), "it is refused each time");
    }

    #[rstest]
    #[case::right(&["a", "b"], None)]
    #[case::fewer(&["a"], None)]
    #[case::another(&["a", "a"], Some("other-namespace"))]
    fn objects_are_in_their_namespaces(#[case] shown: &[&str], #[case] expected: Option<&str>) {
        let events = shown.iter().map(|namespace| {
            let mut event = event("ADDED", "$object-0", 1);
            event["object"]["metadata"]["namespace"] = json!(namespace);
            event
        });
        let body = json!({ "events": events.collect::<Vec<_>>() });
        let check = NamedCheck::EventNamespaces { namespaces: ["a", "b"].map(str::to_owned).into() };
        assert_eq!(reason(&check, 200, body).as_deref(), expected);
    }

    #[rstest]
    #[case::rising(&["9", "10"], None)]
    #[case::the_same(&["9", "9"], Some("same-revision"))]
    #[case::falling(&["10", "9"], Some("same-revision"))]
    #[case::no_numbers(&["b", "a"], None)]
    fn revisions_rise(#[case] revisions: &[&str], #[case] expected: Option<&str>) {
        let revised = |revision: &&str| {
            let mut event = event("ADDED", "$object-0", 1);
            event["object"]["metadata"]["resourceVersion"] = json!(revision);
            event
        };
        let events: Vec<Value> = revisions.iter().map(revised).collect();
        let check = exactly([1, 1].map(|spec| happened(Happened::Added, spec)));
        assert_eq!(reason(&check, 200, json!({ "events": events })).as_deref(), expected);
    }

    #[rstest]
    #[case::at_once(&[], true, None)]
    #[case::later(&[1], true, None)]
    #[case::after_a_wrong_event(&[2], true, Some("event-otherwise"))]
    #[case::must_not(&[1], false, Some("error-event"))]
    fn history_may_be_gone(#[case] specs: &[i64], #[case] expires: bool, #[case] expected: Option<&str>) {
        let mut events: Vec<Value> = specs.iter().map(|spec| event("ADDED", "$object-0", *spec)).collect();
        events.push(json!({ "type": "ERROR", "object": { "kind": "Status", "code": 410 } }));
        let wanted = [1, 3].map(|spec| happened(Happened::Added, spec)).into();
        let check = NamedCheck::Events { version: "v2".to_owned(), events: wanted, expires, fewer: false };
        assert_eq!(reason(&check, 200, json!({ "events": events })).as_deref(), expected);
    }

    #[rstest]
    #[case::empty(200, json!(""), None)]
    #[case::a_list(200, json!({ "kind": "ThingList", "items": [] }), Some("no-stream"))]
    #[case::refused(410, json!({ "kind": "Status" }), Some("refused-410"))]
    fn what_is_no_stream_is_told(#[case] status: u16, #[case] body: Value, #[case] expected: Option<&str>) {
        assert_eq!(reason(&exactly([]), status, body).as_deref(), expected);
    }

    #[rstest]
    #[case::right(&["$object-1", "$object-0"], None)]
    #[case::one_less(&["$object-0"], Some("object-missing"))]
    #[case::one_more(&["$object-0", "$object-1", "$object-2"], Some("object-unexpected"))]
    fn lists_hold_these_objects(#[case] names: &[&str], #[case] expected: Option<&str>) {
        let items: Vec<Value> = names.iter().map(|name| json!({ "metadata": { "name": name } })).collect();
        let body = json!({ "kind": "ThingList", "items": items });
        assert_eq!(reason(&NamedCheck::Lists { objects: vec![0, 1] }, 200, body).as_deref(), expected);
    }
}
