//! Converters with one fault each.

mod answers;
mod contents;
mod reviews;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crdible_webhooks::{Chain, HookAnswer};
use serde_json::{Value, json};

use crate::{
    converters::subject::{different_shapes, plain, right},
    json::{self, fields, list, parsed, remove},
};

/// A fault, and the property and check that find it.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) property: &'static str,
    pub(crate) check: &'static str,
    /// Whether it depends on earlier calls.
    pub(crate) has_state: bool,
    what: What,
}

/// What is wrong.
enum What {
    /// Each converted object; also given: the object before, the wanted version, its position, and the number
    /// of objects.
    Object(fn(&mut Value, &Given<'_>)),
    /// The whole answer to a review.
    Answer(fn(&Value, HookAnswer) -> HookAnswer),
}

/// What a fault may depend on.
pub(crate) struct Given<'a> {
    before: &'a Value,
    to: &'a str,
    at: usize,
    count: usize,
    /// How many calls came before.
    call: usize,
}

impl Fault {
    /// The converter.
    pub(crate) fn converter(&'static self, chain: Chain) -> impl Fn(&[u8]) -> HookAnswer + Send + Sync + 'static {
        let right = right(&different_shapes().0, chain);
        let calls = Arc::new(AtomicUsize::new(0));
        move |body: &[u8]| {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            let answered = right(body);
            let review = parsed(body);
            let change = match self.what {
                What::Answer(change) => return change(&review, answered),
                What::Object(change) => change,
            };
            let mut changed = parsed(&answered.body);
            let Some(objects) = list(&mut changed, CONVERTED) else { return answered };
            let count = objects.len();
            let to = json::text(&review, "/request/desiredAPIVersion").rsplit('/').next();
            for (at, (object, before)) in objects.iter_mut().zip(sent(&review)).enumerate() {
                change(object, &Given { before, to: to.unwrap_or_default(), at, count, call });
            }
            plain(200, changed.to_string().into_bytes())
        }
    }
}

const fn object(
    name: &'static str,
    (property, check): (&'static str, &'static str),
    change: fn(&mut Value, &Given<'_>),
) -> Fault {
    Fault { name, property, check, has_state: false, what: What::Object(change) }
}

const fn whole(
    name: &'static str,
    (property, check): (&'static str, &'static str),
    change: fn(&Value, HookAnswer) -> HookAnswer,
) -> Fault {
    Fault { name, property, check, has_state: false, what: What::Answer(change) }
}

const fn remembering(fault: Fault) -> Fault {
    Fault { has_state: true, ..fault }
}

/// Where an answer has the objects.
const CONVERTED: &str = "/response/convertedObjects";

/// The check of the answer to any review.
const PROTOCOL: (&str, &str) = ("conv-030-protocol", "v1");

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Fault> {
    [answers::FAULTS, contents::FAULTS, reviews::FAULTS].into_iter().flatten()
}

/// The answer with a changed body, if it is JSON.
fn edited(answer: HookAnswer, edit: impl FnOnce(&mut Value)) -> HookAnswer {
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else { return answer };
    edit(&mut body);
    HookAnswer { body: body.to_string().into_bytes(), ..answer }
}

/// The answer with a changed list of objects.
fn with_objects(answer: HookAnswer, edit: impl FnOnce(&mut Vec<Value>)) -> HookAnswer {
    edited(answer, |body| {
        if let Some(objects) = list(body, CONVERTED) {
            edit(objects);
        }
    })
}

/// The objects of a review.
fn sent(review: &Value) -> &[Value] {
    review["request"]["objects"].as_array().map_or(&[], Vec::as_slice)
}

/// Another answer to reviews that hold this text.
fn when(review: &Value, text: &str, answer: HookAnswer, change: impl FnOnce(HookAnswer) -> HookAnswer) -> HookAnswer {
    if review["request"]["objects"].to_string().contains(text) { change(answer) } else { answer }
}

/// Sets a field of the object there.
fn set(document: &mut Value, pointer: &str, value: Value) {
    if let Some((parent, key)) = pointer.rsplit_once('/')
        && let Some(parent) = fields(document, parent)
    {
        parent.insert(key.to_owned(), value);
    }
}

/// Drops a property of `spec` that has this value.
fn drop_if(object: &mut Value, property: &str, value: &Value) {
    if object["spec"].get(property) == Some(value) {
        remove(object, &format!("/spec/{property}"));
    }
}

/// Adds an empty object, if there is none.
fn add_empty(object: &mut Value, property: &str) {
    if object["spec"].is_object() && object["spec"].get(property).is_none() {
        object["spec"][property] = json!({});
    }
}

/// Changes a text in `spec`.
fn change_text(object: &mut Value, property: &str, change: impl FnOnce(&str) -> String) {
    if let Some(text) = object["spec"].get(property).and_then(Value::as_str) {
        object["spec"][property] = json!(change(text));
    }
}
