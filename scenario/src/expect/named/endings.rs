//! Checks of watches that a change of the definition ends.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use serde_json::json;

use super::{
    super::Mismatch,
    Given,
    events::{name_of, stream},
    outcomes::accepted_with_any_body,
};
use crate::transcript::Answer;

pub(super) fn soon(given: &Given<'_>, seconds: u32) -> Result<(), Mismatch> {
    if begins_too_late(given.answer) {
        return Ok(());
    }
    accepted_with_any_body(given)?;
    if let Some(read) = given.answer.unended {
        let summary = format!("the watch had not ended after {read} s, when its time was over");
        return Err(Mismatch::new(
            json!("an end"),
            json!(format!("no end within {read} s")),
            "",
            "never-ends",
            summary,
        ));
    }
    let (limit, took) = (f64::from(seconds), took(given)?);
    if took < limit {
        return Ok(());
    }
    let summary = format!("the watch went on for {took:.0} s, and should have ended within {limit:.0} s");
    Err(Mismatch::new(json!(limit), json!(took.round()), "", "goes-on", summary))
}

pub(super) fn by_deletion(given: &Given<'_>, objects: &[usize], seconds: u32) -> Result<(), Mismatch> {
    if begins_too_late(given.answer) {
        return Ok(());
    }
    accepted_with_any_body(given)?;
    let Some(events) = stream(given.answer) else {
        let summary = "the answer to a watch is not a stream of events".to_owned();
        return Err(Mismatch::new(json!("events"), given.answer.body.clone(), "", "no-stream", summary));
    };
    let (events, is_gone) = match events.split_last() {
        Some((last, others)) if last["type"] == "ERROR" && last["object"]["code"] == 410 => (others, true),
        _ => (events, false),
    };
    let mut missing: BTreeSet<String> = objects.iter().map(|number| name_of(*number)).collect();
    let expected = json!(missing);
    let reported = || events.iter().map(|event| json!([event["type"], event["object"]["metadata"]["name"]])).collect();
    for event in events {
        let metadata = &event["object"]["metadata"];
        let name = metadata["name"].as_str().unwrap_or_default();
        let is_expected = match event["type"].as_str() {
            Some("MODIFIED") => metadata["deletionTimestamp"].is_string() && missing.contains(name),
            Some("DELETED") => missing.remove(name),
            _ => false,
        };
        if !is_expected {
            let summary = "the watch reports something else than that each object was deleted once".to_owned();
            return Err(Mismatch::new(expected, reported(), "", "event-unexpected", summary));
        }
    }
    if missing.is_empty() || is_gone || took(given)? >= f64::from(seconds) {
        return Ok(());
    }
    let summary = format!("the watch ended and did not report that {} objects were deleted", missing.len());
    Err(Mismatch::new(expected, reported(), "", "event-missing", summary))
}

/// Whether the change was made before the watch began.
fn begins_too_late(answer: &Answer) -> bool {
    (400..500).contains(&answer.status)
}

/// How long the watch went on after the change, in seconds. Either may have waited to be sent.
#[expect(clippy::cast_precision_loss, reason = "a watch lasts seconds")]
fn took(given: &Given<'_>) -> Result<f64, Mismatch> {
    let begun = given.answer.timing.sent.max(given.looked_at()?.timing.received);
    Ok(given.answer.timing.received.saturating_sub(begun) as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::{
        scenario::NamedCheck,
        transcript::{Answer, Timing},
    };

    fn reason(check: &NamedCheck, status: u16, seconds: u64, body: Value) -> Option<String> {
        let timing = Timing { sent: 1_000_000, received: 1_000_000 + seconds * 1_000_000 };
        let answer = Answer { status, body, timing, ..Answer::default() };
        let change = Answer { timing: Timing { sent: 1_000_000, received: 2_000_000 }, ..Answer::default() };
        evaluate(check, &Given::against(&answer, &change)).err().map(|found| found.reason)
    }

    #[rstest]
    #[case::at_once(200, 0, None)]
    #[case::in_time(200, 10, None)]
    #[case::later(200, 11, Some("goes-on"))]
    #[case::refused(404, 12, None)]
    #[case::failed(500, 0, Some("refused-500"))]
    fn watches_end(#[case] status: u16, #[case] seconds: u64, #[case] expected: Option<&str>) {
        let check = NamedCheck::Ended { seconds: 10 };
        assert_eq!(reason(&check, status, seconds, json!("")).as_deref(), expected);
    }

    #[test]
    fn a_watch_whose_time_is_over_ends() {
        let answer = Answer { status: 200, body: json!({ "events": [] }), unended: Some(6), ..Answer::default() };
        let found = evaluate(&NamedCheck::Ended { seconds: 10 }, &Given::against(&answer, &Answer::default()));
        assert_eq!(found.err().map(|found| found.reason).as_deref(), Some("never-ends"));
    }

    fn event(kind: &str, number: usize) -> Value {
        json!({ "type": kind, "object": { "metadata": { "name": format!("$object-{number}") } } })
    }

    fn terminating(number: usize) -> Value {
        let mut event = event("MODIFIED", number);
        event["object"]["metadata"]["deletionTimestamp"] = json!("t");
        event
    }

    fn gone() -> Value {
        json!({ "type": "ERROR", "object": { "kind": "Status", "code": 410 } })
    }

    #[rstest]
    #[case::all(vec![event("DELETED", 1), event("DELETED", 0)], 2, None)]
    #[case::to_be_deleted_first(vec![terminating(0), event("DELETED", 0), event("DELETED", 1)], 2, None)]
    #[case::to_be_deleted_afterwards(vec![event("DELETED", 0), terminating(0), event("DELETED", 1)], 2, Some("event-unexpected"))]
    #[case::only_to_be_deleted(vec![terminating(0), event("DELETED", 1)], 2, Some("event-missing"))]
    #[case::one_is_missing(vec![event("DELETED", 1)], 2, Some("event-missing"))]
    #[case::none(vec![], 2, Some("event-missing"))]
    #[case::not_yet(vec![event("DELETED", 1)], 15, None)]
    #[case::history_is_gone(vec![gone()], 2, None)]
    #[case::then_it_is_gone(vec![event("DELETED", 1), gone()], 2, None)]
    #[case::twice(vec![event("DELETED", 1), event("DELETED", 1)], 2, Some("event-unexpected"))]
    #[case::another(vec![event("DELETED", 2)], 2, Some("event-unexpected"))]
    #[case::something_else(vec![event("MODIFIED", 1)], 2, Some("event-unexpected"))]
    fn deletions_are_reported(#[case] events: Vec<Value>, #[case] seconds: u64, #[case] expected: Option<&str>) {
        let check = NamedCheck::EndedByDeletion { objects: vec![0, 1], seconds: 10 };
        assert_eq!(reason(&check, 200, seconds, json!({ "events": events })).as_deref(), expected);
    }
}
