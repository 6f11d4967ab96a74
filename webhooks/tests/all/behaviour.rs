//! What a webhook answers, right and wrong.

use std::time::Duration;

use crdible_webhooks::{
    Behaviour, Chain, Converter, Edit, Ending, HookAnswer, ListEdit, ObjectEdit, Transport, When, Which,
};
use rstest::rstest;
use serde_json::{Value, json};

fn object(number: usize, version: &str) -> Value {
    json!({ "apiVersion": format!("g/{version}"), "kind": "K", "metadata": { "name": number.to_string() } })
}

fn answer(behaviour: Behaviour, objects: usize, desired: &str) -> HookAnswer {
    let objects: Vec<Value> = (0..objects).map(|number| object(number, "v1")).collect();
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": { "uid": "u", "desiredAPIVersion": desired, "objects": objects },
    });
    let converter = Converter::right(Chain::identity(["v1", "v2", "v3"])).with(behaviour);
    converter.answer(review.to_string().as_bytes())
}

fn response(behaviour: Behaviour, objects: usize) -> Value {
    let answer = answer(behaviour, objects, "g/v2");
    assert_eq!((answer.status, answer.ending), (200, Ending::Whole));
    serde_json::from_slice::<Value>(&answer.body).unwrap()["response"].take()
}

fn names(response: &Value) -> Vec<&str> {
    response["convertedObjects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| object["metadata"]["name"].as_str().unwrap())
        .collect()
}

#[test]
fn a_right_one_repeats_the_envelope() {
    let answer = answer(Behaviour::default(), 2, "g/v2");
    let review: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(
        review,
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "response": {
                "uid": "u", "result": { "status": "Success" }, "convertedObjects": [object(0, "v2"), object(1, "v2")],
            },
        })
    );
}

#[test]
fn an_unknown_version_is_refused_within_the_protocol() {
    let answer = answer(Behaviour::default(), 1, "g/v9");
    let review: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(review["response"]["result"], json!({ "status": "Failed", "message": "unknown version `v9`" }));
}

#[rstest]
#[case::no_json("{")]
#[case::no_review("{}")]
#[case::list("[]")]
fn what_is_no_review_is_answered_with_400(#[case] body: &str) {
    assert_eq!(Converter::right(Chain::identity(["v1"])).answer(body.as_bytes()).status, 400);
}

#[rstest]
#[case(ListEdit::DropLast, &["0", "1"])]
#[case(ListEdit::RepeatLast, &["0", "1", "2", "2"])]
#[case(ListEdit::Reverse, &["2", "1", "0"])]
#[case(ListEdit::Empty, &[])]
#[case(ListEdit::AllFirst, &["0", "0", "0"])]
fn the_list_is_wrong(#[case] list: ListEdit, #[case] expected: &[&str]) {
    assert_eq!(names(&response(Behaviour { list: Some(list), ..Behaviour::default() }, 3)), expected);
}

#[rstest]
#[case(Which::All, &["x", "x", "x"])]
#[case(Which::Nth(1), &["0", "x", "2"])]
#[case(Which::Nth(7), &["0", "1", "2"])]
#[case(Which::Last, &["0", "1", "x"])]
fn some_objects_are_wrong(#[case] which: Which, #[case] expected: &[&str]) {
    let edit = ObjectEdit { which, edit: Edit::Set("/metadata/name".into(), json!("x")) };
    assert_eq!(names(&response(Behaviour { objects: vec![edit], ..Behaviour::default() }, 3)), expected);
}

#[rstest]
#[case::set(Edit::Set("/response/uid".into(), json!(1)), "/response/uid", Some(json!(1)))]
#[case::removed(Edit::Remove("/response/uid".into()), "/response/uid", None)]
#[case::element(Edit::Remove("/response/convertedObjects/0".into()), "/response/convertedObjects", Some(json!([])))]
#[case::whole(Edit::Set(String::new(), json!(null)), "", Some(json!(null)))]
#[case::nowhere(Edit::Set("/a/b".into(), json!(1)), "/a", None)]
fn the_review_is_wrong(#[case] edit: Edit, #[case] pointer: &str, #[case] expected: Option<Value>) {
    let answer = answer(Behaviour { review: vec![edit], ..Behaviour::default() }, 1, "g/v2");
    let review: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(review.pointer(pointer).cloned(), expected);
}

#[rstest]
#[case::to_another(When::To("v3".into()), false)]
#[case::to_this(When::To("v2".into()), true)]
#[case::holds(When::Holds("/metadata/name".into(), json!("1")), true)]
#[case::holds_not(When::Holds("/metadata/name".into(), json!("7")), false)]
#[case::as_many(When::MoreThan(2), false)]
#[case::more(When::MoreThan(1), true)]
fn some_calls_are_wrong(#[case] when: When, #[case] is_wrong: bool) {
    let behaviour = Behaviour { when, list: Some(ListEdit::Empty), ..Behaviour::default() };
    assert_eq!(names(&response(behaviour, 2)).is_empty(), is_wrong);
}

#[test]
fn the_way_is_wrong() {
    let sent = |transport| answer(Behaviour { transport, ..Behaviour::default() }, 1, "g/v2");
    let status = sent(Transport::Status { code: 503, headers: vec![("Retry-After".into(), "1".into())], body: None });
    assert_eq!((status.status, status.headers.len(), status.body.first()), (503, 1, Some(&b'{')));
    let body = Some("x".to_owned());
    assert_eq!(sent(Transport::Status { code: 500, headers: Vec::new(), body }).body, b"x");
    assert_eq!(sent(Transport::Body("<html>".into())).body, b"<html>");
    let around = sent(Transport::Around { before: "\u{feff}".into(), after: "x".into() }).body;
    assert!(around.starts_with("\u{feff}{".as_bytes()) && around.ends_with(b"}x"));
    assert_eq!(sent(Transport::Truncated(7)).ending, Ending::CutAfter(7));
    assert_eq!(sent(Transport::Closed).ending, Ending::Closed);
    assert_eq!(sent(Transport::Silent).ending, Ending::Silent);
    assert_eq!(sent(Transport::Late(20)).delay, Duration::from_millis(20));
}

#[test]
fn behaviour_is_plain_in_files() {
    let converter = Converter::right(Chain::identity(["v1"])).with(Behaviour {
        when: When::To("v2".into()),
        objects: vec![ObjectEdit { which: Which::Nth(1), edit: Edit::Remove("/metadata".into()) }],
        transport: Transport::Late(5),
        ..Behaviour::default()
    });
    let file = json!({
        "chain": { "versions": ["v1"] },
        "behaviour": {
            "when": { "to": "v2" },
            "objects": [{ "which": { "nth": 1 }, "remove": "/metadata" }],
            "transport": { "late": 5 },
        },
    });
    assert_eq!(serde_json::to_value(&converter).unwrap(), file);
    assert_eq!(serde_json::from_value::<Converter>(file).unwrap(), converter);
    let right = Converter::right(Chain::identity(["v1"]));
    assert_eq!(serde_json::to_value(right).unwrap(), json!({ "chain": { "versions": ["v1"] } }));
}
