//! The check of a watch that begins with the objects that exist.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{Mismatch, evaluate::accepted},
    Given,
    events::{compare, short, stream, wanted},
};

/// The annotation of the bookmark that ends the initial events.
const END: &str = "/object/metadata/annotations/k8s.io~1initial-events-end";

/// `{"version": text, "events": [{"type", "object", "labels", "content"}, …], "end": flag}`: the watch reported exactly these, in this
/// order, whatever their revisions are. If `end` is true, a bookmark follows that marks the end of them; else there is no such mark.
/// Other bookmarks are allowed.
pub(super) fn events(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.answer.is_accepted() {
        return accepted(given.answer);
    }
    let Some(events) = stream(given.answer) else {
        let summary = "the answer to a watch is not a stream of events".to_owned();
        return Err(Mismatch::new(json!("events"), given.answer.body.clone(), "", "no-stream", summary));
    };
    let is_bookmark = |event: &&Value| event["type"] == "BOOKMARK";
    let reported: Vec<Value> = events.iter().filter(|event| !is_bookmark(event)).map(short).collect();
    compare(&wanted(given, &reported), &reported)?;
    let ends = |event: &Value| is_bookmark(&event) && event.pointer(END).is_some_and(|mark| mark == "true");
    let marks: Vec<usize> = (0..events.len()).filter(|&at| ends(&events[at])).collect();
    let before = events.iter().take_while(|event| !ends(event)).filter(|event| !is_bookmark(event)).count();
    let (reason, summary) = match (given.arguments["end"] == true, marks.len()) {
        (true, 0) => ("end-missing", "no bookmark marks the end of the initial events"),
        (true, 1) if before < reported.len() => ("end-too-early", "the end of the initial events is marked before it"),
        (true, 1) | (false, 0) => return Ok(()),
        _ => ("end-unexpected", "the end of the initial events is marked, where it must not be or again"),
    };
    Err(Mismatch::new(given.arguments["end"].clone(), json!(marks), "", reason, summary.to_owned()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::transcript::Answer;

    fn added(number: usize, revision: &str) -> Value {
        let metadata = json!({ "name": format!("$object-{number}"), "resourceVersion": revision });
        json!({ "type": "ADDED", "object": { "apiVersion": "$group/v1", "kind": "$kind", "metadata": metadata, "spec": 1 } })
    }

    fn bookmark(marks: bool) -> Value {
        let annotations = if marks { json!({ "k8s.io/initial-events-end": "true" }) } else { json!({}) };
        json!({ "type": "BOOKMARK", "object": { "metadata": { "annotations": annotations } } })
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
        let wanted =
            [0, 1].map(|number| json!({ "type": "ADDED", "object": number, "labels": {}, "content": { "spec": 1 } }));
        let arguments = json!({ "version": "v1", "events": wanted, "end": end });
        let answer = Answer { status: 200, body: json!({ "events": events }), ..Answer::default() };
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("initial-events@1", &given).err().map(|found| found.reason).as_deref(), expected);
    }
}
