//! Converters with one fault each.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crdible_webhooks::{Chain, Ending, HookAnswer};
use serde_json::{Map, Value, json};

use crate::converters::subject::{answer, different_shapes, plain, right};

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
    Answer(fn(&Value, HookAnswer, usize) -> HookAnswer),
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
            let review: Value = serde_json::from_slice(body).unwrap_or_default();
            let change = match self.what {
                What::Answer(change) => return change(&review, answered, call),
                What::Object(change) => change,
            };
            let mut changed: Value = serde_json::from_slice(&answered.body).unwrap_or_default();
            let Some(objects) = changed["response"]["convertedObjects"].as_array_mut() else { return answered };
            let (sent, count) = (review["request"]["objects"].as_array().cloned().unwrap_or_default(), objects.len());
            let to = review["request"]["desiredAPIVersion"].as_str().unwrap_or_default().rsplit('/').next();
            for (at, (object, before)) in objects.iter_mut().zip(&sent).enumerate() {
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
    change: fn(&Value, HookAnswer, usize) -> HookAnswer,
) -> Fault {
    Fault { name, property, check, has_state: false, what: What::Answer(change) }
}

const fn remembering(fault: Fault) -> Fault {
    Fault { has_state: true, ..fault }
}

const FIELDS: (&str, &str) = ("conv-035-round-trips", "fields");
const EMPTINESS: (&str, &str) = ("conv-035-round-trips", "emptiness");
const SCALARS: (&str, &str) = ("conv-035-round-trips", "scalars");
const THERE: (&str, &str) = ("conv-045-every-object", "there");
const PROTOCOL: (&str, &str) = ("conv-030-protocol", "v1");

pub(crate) const FAULTS: &[Fault] = &[
    // How it answers.
    whole("no-uid", PROTOCOL, |review, answer, _| edited(review, answer, |body| drop(remove(body, "/response/uid")))),
    whole("another-uid", PROTOCOL, |review, answer, _| {
        edited(review, answer, |body| set(body, "/response/uid", json!("7")))
    }),
    whole("another-kind-of-review", PROTOCOL, |review, answer, _| {
        edited(review, answer, |body| set(body, "/kind", json!("AdmissionReview")))
    }),
    whole("always-v1", ("conv-030-protocol", "v1beta1"), |review, answer, _| {
        edited(review, answer, |body| set(body, "/apiVersion", json!("apiextensions.k8s.io/v1")))
    }),
    whole("refuses-v1beta1", ("conv-030-protocol", "v1beta1"), |review, right, _| {
        if review["apiVersion"] == "apiextensions.k8s.io/v1" { right } else { plain(400, b"unknown".to_vec()) }
    }),
    whole("no-result", PROTOCOL, |review, answer, _| {
        edited(review, answer, |body| drop(remove(body, "/response/result")))
    }),
    whole("text-behind-the-json", PROTOCOL, |_, answer, _| HookAnswer {
        body: [&answer.body[..], b" ok"].concat(),
        ..answer
    }),
    whole("status-201-and-no-body", PROTOCOL, |_, _, _| plain(201, Vec::new())),
    whole("drops-the-last", ("conv-032-order", "order"), |review, answer, _| {
        list(review, answer, |objects| drop(objects.pop()))
    }),
    whole("reverses", ("conv-032-order", "order"), |review, answer, _| {
        list(review, answer, |objects| objects.reverse())
    }),
    whole("sorts-by-version", ("conv-032-order", "order"), |review, answer, _| {
        let sent = review["request"]["objects"].as_array().cloned().unwrap_or_default();
        list(review, answer, move |objects| {
            let mut pairs: Vec<(String, Value)> =
                sent.iter().map(|object| object["apiVersion"].to_string()).zip(objects.drain(..)).collect();
            pairs.sort_by(|a, b| b.0.cmp(&a.0));
            objects.extend(pairs.into_iter().map(|(_, object)| object));
        })
    }),
    whole("removes-doubles", ("conv-032-order", "order"), |review, answer, _| {
        list(review, answer, |objects| {
            let mut seen = Vec::new();
            objects.retain(|object| {
                let is_new = !seen.contains(object);
                seen.push(object.clone());
                is_new
            });
        })
    }),
    whole("null-for-an-empty-list", ("conv-030-empty-list", "empty"), |review, answer, _| {
        let is_empty = review["request"]["objects"].as_array().is_some_and(Vec::is_empty);
        edited(review, answer, |body| {
            if is_empty {
                set(body, "/response/convertedObjects", Value::Null);
            }
        })
    }),
    object("keeps-the-kind-of-a-list", PROTOCOL, |object, _| object["kind"] = json!("ThingList")),
    // Metadata.
    object("loses-the-uid", ("conv-033-identity", "identity"), |object, _| {
        remove(object, "/metadata/uid");
    }),
    object("sets-a-namespace", ("conv-033-identity", "identity"), |object, _| {
        set(object, "/metadata/namespace", json!("system"));
    }),
    object("loses-finalizers", ("conv-033-other-metadata", "metadata"), |object, _| {
        remove(object, "/metadata/finalizers");
    }),
    object("replaces-annotations", ("conv-034-labels-and-annotations", "there"), |object, given| {
        if given.to == "v2" {
            object["metadata"]["annotations"] = json!({ "example.com/own": "1" });
        }
    }),
    object("overwrites-a-label", ("conv-034-labels-and-annotations", "there"), |object, _| {
        if object["metadata"]["labels"].get("app").is_some() {
            object["metadata"]["labels"]["app"] = json!("thing");
        }
    }),
    object("drops-empty-labels", ("conv-034-labels-and-annotations", "there"), |object, _| {
        if let Some(labels) = object["metadata"]["labels"].as_object_mut() {
            labels.retain(|_, value| value != "");
        }
    }),
    // What is lost.
    object("loses-a-field", FIELDS, |object, _| {
        remove(object, "/spec/size");
    }),
    object("loses-the-status", FIELDS, |object, _| {
        remove(object, "/status");
    }),
    object("loses-undeclared-content", FIELDS, |object, _| {
        if let Some(free) = object["spec"].get_mut("free").and_then(Value::as_object_mut) {
            free.clear();
        }
    }),
    object("loses-the-second-of-a-list", FIELDS, |object, _| {
        if let Some(parts) = object["spec"].get_mut("parts").and_then(Value::as_array_mut) {
            parts.truncate(1);
        }
    }),
    object("sorts-a-list", SCALARS, |object, _| {
        if let Some(tags) = object["spec"].get_mut("tags").and_then(Value::as_array_mut) {
            tags.sort_by_key(ToString::to_string);
        }
    }),
    object("loses-a-field-of-an-element", FIELDS, |object, given| {
        for part in object["spec"].get_mut("parts").and_then(Value::as_array_mut).into_iter().flatten() {
            if given.to == "v3" && part.get("weight").and_then(Value::as_i64).is_some_and(|weight| weight > 2) {
                remove(part, "/weight");
            }
        }
    }),
    // Absent, null and empty.
    object("zero-is-absent", EMPTINESS, |object, _| drop_if(object, "size", &json!(0))),
    object("false-is-absent", EMPTINESS, |object, _| drop_if(object, "on", &json!(false))),
    object("an-empty-text-is-absent", EMPTINESS, |object, _| drop_if(object, "note", &json!(""))),
    object("null-is-absent", EMPTINESS, |object, _| drop_if(object, "note", &Value::Null)),
    object("an-empty-list-is-absent", EMPTINESS, |object, _| drop_if(object, "tags", &json!([]))),
    object("an-empty-map-is-absent", EMPTINESS, |object, _| drop_if(object, "labels", &json!({}))),
    object("an-absent-list-is-empty", EMPTINESS, |object, _| {
        if object["spec"].is_object() && object["spec"].get("tags").is_none() {
            object["spec"]["tags"] = json!([]);
        }
    }),
    object("empty-texts-in-lists-are-gone", EMPTINESS, |object, _| {
        if let Some(tags) = object["spec"].get_mut("tags").and_then(Value::as_array_mut) {
            tags.retain(|tag| tag != "");
        }
    }),
    object("an-absent-object-with-defaults-is-empty", EMPTINESS, |object, _| add_empty(object, "sub")),
    object("an-absent-object-is-empty", ("conv-035-round-trips", "empty-objects"), |object, _| {
        add_empty(object, "plain")
    }),
    // Scalars.
    object("writes-times-in-utc", ("conv-035-round-trips", "forms"), |object, _| {
        text(object, "at", |text| {
            text.parse::<jiff::Timestamp>().map_or_else(|_| text.to_owned(), |time| time.to_string())
        });
    }),
    object("writes-times-of-the-day", SCALARS, |object, _| {
        text(object, "at", |text| text.get(..10).map_or_else(|| text.to_owned(), |day| format!("{day}T00:00:00Z")));
    }),
    object("writes-quantities-as-texts", ("conv-035-round-trips", "forms"), |object, _| {
        if let Some(memory) = object["spec"].get("memory").filter(|memory| memory.is_number()).cloned() {
            object["spec"]["memory"] = json!(memory.to_string());
        }
    }),
    object("doubles-quantities", FIELDS, |object, _| {
        if let Some(memory) = object["spec"].get("memory").and_then(Value::as_i64) {
            object["spec"]["memory"] = json!(format!("{}Mi", memory / 2 + 1));
        }
    }),
    object("integers-through-floats", SCALARS, |object, _| {
        if let Some(size) = object["spec"].get("size").and_then(Value::as_i64) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "that is the fault")]
            let rounded = (size as f64) as i64;
            object["spec"]["size"] = json!(rounded);
        }
    }),
    object("integers-of-32-bits", SCALARS, |object, _| {
        if let Some(size) = object["spec"].get("size").and_then(Value::as_i64) {
            #[expect(clippy::cast_possible_truncation, reason = "that is the fault")]
            let cut = size as i32;
            object["spec"]["size"] = json!(cut);
        }
    }),
    object("fractions-of-single-precision", SCALARS, |object, _| {
        if let Some(ratio) = object["spec"].get("ratio").and_then(Value::as_f64).filter(|ratio| ratio.fract() != 0.0) {
            #[expect(clippy::cast_possible_truncation, reason = "that is the fault")]
            let single = f64::from(ratio as f32);
            object["spec"]["ratio"] = json!(single);
        }
    }),
    object("trims-texts", SCALARS, |object, _| text(object, "note", |text| text.trim().to_owned())),
    object("cuts-texts", SCALARS, |object, _| text(object, "note", |text| text.chars().take(64).collect())),
    object("cuts-lists", FIELDS, |object, _| {
        if let Some(tags) = object["spec"].get_mut("tags").and_then(Value::as_array_mut) {
            tags.truncate(50);
        }
    }),
    object("ascii-only", SCALARS, |object, _| {
        text(object, "note", |text| text.chars().filter(char::is_ascii).collect());
    }),
    object("yaml-guesses-types", FIELDS, |object, _| {
        for tag in object["spec"].get_mut("tags").and_then(Value::as_array_mut).into_iter().flatten() {
            match tag.as_str() {
                Some("true") => *tag = json!(true),
                Some("1") => *tag = json!(1),
                Some("null") => *tag = Value::Null,
                _ => {}
            }
        }
    }),
    object("lower-case-keys", FIELDS, |object, _| {
        if let Some(labels) = object["spec"].get_mut("labels").and_then(Value::as_object_mut) {
            *labels = std::mem::take(labels).into_iter().map(|(key, value)| (key.to_lowercase(), value)).collect();
        }
    }),
    // Kept data.
    object("kept-data-overrides-edits", ("conv-036-edits", "written"), |object, given| {
        if given.to != "v1" {
            object["metadata"]["annotations"]["example.com/kept"] = json!(given.before["spec"]["on"].to_string());
        } else if let Some(kept) = given.before["metadata"]["annotations"]["example.com/kept"].as_str()
            && object["spec"].is_object()
        {
            object["spec"]["on"] = serde_json::from_str(kept).unwrap_or_default();
        }
    }),
    object("kept-list-overrides-edits-of-elements", ("conv-036-edits", "written"), |object, given| {
        let parts = given.before["spec"].get("parts").cloned();
        if given.to != "v1" {
            if let Some(parts) = parts {
                object["metadata"]["annotations"]["example.com/parts"] = json!(parts.to_string());
            }
        } else if let Some(kept) = given.before["metadata"]["annotations"]["example.com/parts"].as_str()
            && let Ok(Value::Array(kept)) = serde_json::from_str::<Value>(kept)
        {
            for part in object["spec"].get_mut("parts").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(before) = kept.iter().find(|kept| kept["name"] == part["name"]) {
                    part.clone_from(before);
                }
            }
        }
    }),
    object("an-annotation-with-an-invalid-key", ("conv-034-labels-and-annotations", "there"), |object, _| {
        object["metadata"]["annotations"]["no key/at all!"] = json!("1");
    }),
    object("an-annotation-that-is-no-text", ("conv-034-labels-and-annotations", "there"), |object, _| {
        object["metadata"]["annotations"]["example.com/own"] = json!({ "a": 1 });
    }),
    object("annotations-grow", ("conv-037-settles", "second"), |object, given| {
        let trips = given.before["metadata"]["annotations"]["example.com/trips"].as_str().unwrap_or("");
        object["metadata"]["annotations"]["example.com/trips"] = json!(format!("{trips}x"));
    }),
    object("another-default-on-long-ways", ("conv-038-long-ways", "long-way"), |object, given| {
        if given.before["apiVersion"] == "example.com/v1" && given.to == "v3" {
            object["spec"]["port"] = json!(80);
        }
    }),
    // The target's schema.
    object("writes-an-undeclared-field", ("conv-041-declared", "declared"), |object, given| {
        if given.to == "v2" && object["spec"].is_object() {
            object["spec"]["extra"] = json!(1);
        }
    }),
    object("writes-a-text-for-a-number", ("conv-041-declared", "declared"), |object, _| {
        if let Some(size) = object["spec"].get("size").cloned() {
            object["spec"]["size"] = json!(size.to_string());
        }
    }),
    object("writes-an-unknown-mode", ("conv-042-valid", "valid"), |object, given| {
        if given.to == "v3" && object["spec"].get("mode") == Some(&json!("manual")) {
            object["spec"]["mode"] = json!("by-hand");
        }
    }),
    // Batches and state.
    object("only-the-second-is-wrong", ("conv-043-one-by-one", "singly"), |object, given| {
        if given.at == 1 {
            remove(object, "/spec/mode");
        }
    }),
    object("wrong-beyond-a-hundred", ("conv-043-one-by-one", "singly"), |object, given| {
        if given.count > 100 && given.at >= 100 {
            remove(object, "/spec/mode");
        }
    }),
    remembering(object("depends-on-the-time", ("conv-044-no-state", "again"), |object, given| {
        object["metadata"]["annotations"]["example.com/call"] = json!(given.call.to_string());
    })),
    remembering(object("every-third-call-is-wrong", ("conv-044-no-state", "again"), |object, given| {
        if given.call % 3 == 2 {
            remove(object, "/spec/mode");
        }
    })),
    whole("v1beta1-converts-otherwise", ("conv-044-no-state", "other-review-version"), |review, answer, _| {
        let is_beta = review["apiVersion"] == "apiextensions.k8s.io/v1beta1";
        list(review, answer, |objects| {
            if is_beta {
                objects.iter_mut().for_each(|object| drop(remove(object, "/spec/mode")));
            }
        })
    }),
    // Every object.
    whole("closes-on-null", THERE, |review, answer, _| {
        when(review, "null", answer, |answer| HookAnswer { ending: Ending::Closed, ..answer })
    }),
    whole("fails-on-objects-being-deleted", THERE, |review, answer, _| {
        when(review, "deletionTimestamp", answer, |_| plain(500, b"panic".to_vec()))
    }),
    whole("refuses-unknown-fields", PROTOCOL, |review, answer, _| {
        if review.get("response").is_some() { plain(400, b"unknown field response".to_vec()) } else { answer }
    }),
    object("sets-a-uid", ("conv-033-identity", "identity"), |object, _| {
        if object["metadata"].get("uid").is_none() {
            object["metadata"]["uid"] = json!("new");
        }
    }),
    whole("reads-no-times-in-small-letters", ("conv-045-odd-times", "odd-times"), |review, answer, _| {
        let objects = review["request"]["objects"].as_array().into_iter().flatten();
        let is_odd = |object: &Value| object["spec"]["at"].as_str().is_some_and(|time| time.contains('t'));
        if objects.into_iter().any(is_odd) { plain(500, b"no time".to_vec()) } else { answer }
    }),
    whole("fails-without-spec", THERE, |review, answer, _| {
        let lacks = |object: &Value| object.get("spec").is_none();
        let is_hit = review["request"]["objects"].as_array().into_iter().flatten().any(lacks);
        if is_hit { plain(500, b"panic: nil pointer".to_vec()) } else { answer }
    }),
    whole("hangs-on-large-numbers", THERE, |review, answer, _| {
        when(review, "9223372036854775807", answer, |answer| HookAnswer { ending: Ending::Silent, ..answer })
    }),
    whole("fails-on-incomplete-objects", ("conv-046-incomplete-objects", "incomplete"), |review, right, _| {
        let is_bad = |object: &Value| object["spec"].as_object().is_none_or(Map::is_empty);
        let is_hit = review["request"]["objects"].as_array().into_iter().flatten().any(is_bad);
        if is_hit { answer(review, &json!({ "status": "Failed", "message": "no spec" }), &[]) } else { right }
    }),
    whole("refuses-large-bodies", ("conv-047-large", "large"), |review, answer, _| {
        if review.to_string().len() > 1_000_000 { plain(413, Vec::new()) } else { answer }
    }),
    whole("refuses-large-batches", ("conv-047-large", "large"), |review, right, _| {
        let count = review["request"]["objects"].as_array().map_or(0, Vec::len);
        if count > 400 { answer(review, &json!({ "status": "Failed", "message": "too many" }), &[]) } else { right }
    }),
    whole("hangs-on-batches", ("conv-048-in-time", "in-time"), |review, answer, _| {
        let count = review["request"]["objects"].as_array().map_or(0, Vec::len);
        if count > 4 { HookAnswer { ending: Ending::Silent, ..answer } } else { answer }
    }),
    // What cannot be converted.
    whole("renames-only", ("conv-049-refusals", "desired-version"), |review, right, _| {
        let desired = review["request"]["desiredAPIVersion"].clone();
        if desired != "example.com/v999" {
            return right;
        }
        let mut objects = review["request"]["objects"].as_array().cloned().unwrap_or_default();
        objects.iter_mut().for_each(|object| object["apiVersion"] = desired.clone());
        answer(review, &json!({ "status": "Success" }), &objects)
    }),
    whole("crashes-on-other-kinds", ("conv-049-refusals", "kind"), |review, answer, _| {
        when(review, "NoSuchKind", answer, |_| plain(500, Vec::new()))
    }),
    whole("no-message", ("conv-049-refusals", "source-version"), |review, answer, _| {
        edited(review, answer, |body| drop(remove(body, "/response/result/message")))
    }),
    whole("200-for-what-is-no-review", ("conv-049-refusals", "body"), |review, answer, _| {
        if review["request"].is_object() { answer } else { plain(200, b"{}".to_vec()) }
    }),
    object("rewrites-the-same-version", ("conv-050-same-version", "unchanged"), |object, given| {
        if given.before["apiVersion"] == object["apiVersion"] {
            object["metadata"]["annotations"]["example.com/seen"] = json!("1");
        }
    }),
];

/// The answer with a changed body, if it is JSON.
fn edited(_: &Value, answer: HookAnswer, edit: impl FnOnce(&mut Value)) -> HookAnswer {
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else { return answer };
    edit(&mut body);
    HookAnswer { body: body.to_string().into_bytes(), ..answer }
}

/// The answer with a changed list of objects.
fn list(review: &Value, answer: HookAnswer, edit: impl FnOnce(&mut Vec<Value>)) -> HookAnswer {
    edited(review, answer, |body| {
        if let Some(objects) = body["response"]["convertedObjects"].as_array_mut() {
            edit(objects);
        }
    })
}

/// Another answer to reviews that hold this text.
fn when(review: &Value, text: &str, answer: HookAnswer, change: impl FnOnce(HookAnswer) -> HookAnswer) -> HookAnswer {
    if review["request"]["objects"].to_string().contains(text) { change(answer) } else { answer }
}

fn set(document: &mut Value, pointer: &str, value: Value) {
    if let Some((parent, key)) = pointer.rsplit_once('/')
        && let Some(parent) = document.pointer_mut(parent)
        && parent.is_object()
    {
        parent[key] = value;
    }
}

fn remove(document: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, key) = pointer.rsplit_once('/')?;
    document.pointer_mut(parent)?.as_object_mut()?.remove(key)
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

fn text(object: &mut Value, property: &str, change: impl FnOnce(&str) -> String) {
    if let Some(text) = object["spec"].get(property).and_then(Value::as_str) {
        object["spec"][property] = json!(change(text));
    }
}
