//! Answers of a webhook that are wrong, and what a server must make of them.

use crdible_webhooks::{Behaviour, Edit, ListEdit, ObjectEdit, Transport, Which};

use crate::prelude::*;

/// A wrong answer.
pub(super) struct Wrong {
    /// What is wrong, in a word or two.
    pub(super) name: &'static str,
    /// The requirements and edges that forbid it.
    pub(super) asserts: &'static [&'static str],
    /// The answer.
    pub(super) behaviour: Behaviour,
}

/// An answer in which something in the review is wrong.
fn review(name: &'static str, asserts: &'static [&'static str], edits: Vec<Edit>) -> Wrong {
    Wrong { name, asserts, behaviour: Behaviour { review: edits, ..Behaviour::default() } }
}

/// An answer in which the converted objects are wrong.
fn object(name: &'static str, asserts: &'static [&'static str], edit: Edit) -> Wrong {
    Wrong { name, asserts, behaviour: of_objects(vec![edit]) }
}

/// An answer that is wrong as a whole.
fn transport(name: &'static str, asserts: &'static [&'static str], transport: Transport) -> Wrong {
    Wrong { name, asserts, behaviour: Behaviour { transport, ..Behaviour::default() } }
}

fn list(name: &'static str, list: ListEdit) -> Wrong {
    Wrong { name, asserts: &["CONV-013", "INV-044"], behaviour: Behaviour { list: Some(list), ..Behaviour::default() } }
}

/// A webhook that changes all converted objects like this.
pub(super) fn of_objects(edits: Vec<Edit>) -> Behaviour {
    let edit = |edit| ObjectEdit { which: Which::All, edit };
    Behaviour { objects: edits.into_iter().map(edit).collect(), ..Behaviour::default() }
}

/// A webhook that says that it failed.
pub(super) fn failed(message: Option<&str>) -> Behaviour {
    let mut result = json!({ "status": "Failed" });
    if let Some(message) = message {
        result["message"] = json!(message);
    }
    Behaviour { review: vec![set("/response/result", result)], ..Behaviour::default() }
}

pub(super) fn set(pointer: &str, value: impl Into<Value>) -> Edit {
    Edit::Set(pointer.to_owned(), value.into())
}

pub(super) fn remove(pointer: &str) -> Edit {
    Edit::Remove(pointer.to_owned())
}

fn status(code: u16, body: Option<&str>) -> Transport {
    Transport::Status { code, headers: Vec::new(), body: body.map(str::to_owned) }
}

const ENVELOPE: &[&str] = &["CONV-011", "INV-044"];
const REFUSED: &[&str] = &["CONV-011/e4", "INV-044"];
const RESULT: &[&str] = &["CONV-012", "INV-044"];
const VERSION: &[&str] = &["CONV-014", "INV-044"];
const NO_OBJECT: &[&str] = &["CONV-014/e1", "INV-044"];
const IDENTITY: &[&str] = &["CONV-015", "INV-044"];
const NO_METADATA: &[&str] = &["CONV-015/e1", "INV-044"];
const LABELS: &[&str] = &["CONV-016", "INV-044"];

/// All wrong answers, the plainest first. Each makes the conversion fail.
pub(super) fn all() -> Vec<Wrong> {
    vec![
        review("other-uid", ENVELOPE, vec![set("/response/uid", "another")]),
        review("no-uid", ENVELOPE, vec![remove("/response/uid")]),
        review("other-review", ENVELOPE, vec![set("/apiVersion", "apiextensions.k8s.io/v1beta1")]),
        review("no-review-version", ENVELOPE, vec![remove("/apiVersion")]),
        review("other-kind-of-review", ENVELOPE, vec![set("/kind", "AdmissionReview")]),
        review("no-kind-of-review", ENVELOPE, vec![remove("/kind")]),
        review("no-response", ENVELOPE, vec![remove("/response")]),
        review("null-response", ENVELOPE, vec![set("/response", Value::Null)]),
        review("failure", RESULT, vec![set("/response/result", json!({ "status": "Failure", "message": "because" }))]),
        review("lower-case", &["CONV-012/e2", "INV-044"], vec![set("/response/result/status", "success")]),
        review("no-status", RESULT, vec![remove("/response/result/status")]),
        review("no-result", RESULT, vec![remove("/response/result")]),
        list("too-few", ListEdit::Empty),
        list("too-many", ListEdit::RepeatLast),
        review("no-objects", &["CONV-013", "INV-044"], vec![remove("/response/convertedObjects")]),
        object("other-version", VERSION, set("/apiVersion", "other.example/v1")),
        object("no-version", VERSION, remove("/apiVersion")),
        object("other-kind", VERSION, set("/kind", "Other")),
        object("no-kind", NO_OBJECT, remove("/kind")),
        object("null", NO_OBJECT, set("", Value::Null)),
        object("text", NO_OBJECT, set("", "text")),
        object("list", NO_OBJECT, set("", json!([]))),
        object("empty", NO_OBJECT, set("", json!({}))),
        object("no-metadata", NO_METADATA, remove("/metadata")),
        object("null-metadata", NO_METADATA, set("/metadata", Value::Null)),
        object("text-as-metadata", NO_METADATA, set("/metadata", "text")),
        object("other-name", IDENTITY, set("/metadata/name", "another")),
        object("no-name", IDENTITY, remove("/metadata/name")),
        object("other-namespace", IDENTITY, set("/metadata/namespace", "another")),
        object("other-object-uid", IDENTITY, set("/metadata/uid", "another")),
        object("no-object-uid", IDENTITY, remove("/metadata/uid")),
        object("label-key", LABELS, set("/metadata/labels", json!({ "no key": "x" }))),
        object("label-value", LABELS, set("/metadata/labels", json!({ "a": "no value" }))),
        object("label-number", LABELS, set("/metadata/labels", json!({ "a": 1 }))),
        object("labels-as-list", LABELS, set("/metadata/labels", json!(["a"]))),
        object("annotation-key", LABELS, set("/metadata/annotations", json!({ "no key": "x" }))),
        object("annotation-number", LABELS, set("/metadata/annotations", json!({ "a": 1 }))),
        transport("empty-body", ENVELOPE, Transport::Body(String::new())),
        transport("no-json", ENVELOPE, Transport::Body("<html>".to_owned())),
        transport("null-body", ENVELOPE, Transport::Body("null".to_owned())),
        transport("list-as-body", ENVELOPE, Transport::Body("[]".to_owned())),
        transport("empty-object", ENVELOPE, Transport::Body("{}".to_owned())),
        transport("cut-off", REFUSED, Transport::Truncated(20)),
        transport("text-behind", REFUSED, Transport::Around { before: String::new(), after: " x".to_owned() }),
        review("number-as-uid", REFUSED, vec![set("/response/uid", 5)]),
        review("text-as-result", REFUSED, vec![set("/response/result", "Success")]),
        review("object-as-objects", REFUSED, vec![set("/response/convertedObjects", json!({}))]),
        transport("closed", &["CONV-021", "INV-043"], Transport::Closed),
        transport("not-found", &["CONV-011", "INV-044"], status(404, None)),
        transport("bad-request", &["CONV-011", "INV-044"], status(400, Some("no"))),
        transport("server-error", &["CONV-011", "INV-044"], status(500, None)),
        transport("no-content", &["CONV-008/e2", "INV-044"], status(204, Some(""))),
        transport("moved", &["CONV-008/e2", "INV-044"], status(301, None)),
    ]
}
