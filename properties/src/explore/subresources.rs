//! Chapter 10: `/status` and `/scale`.

use crdible_scenario::Exploration;

use super::{definitions, objects, options, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-subresources",
    title: "reads and writes of /status and /scale, mixed with those of whole objects",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 12;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let further = json!({ "subresources": definitions::subresources(choices) });
    let mut sequence = Sequence::of(plan, definitions::of(choices, further));
    requests::populate(choices, &mut sequence);
    let mut numbers = 20..;
    choices.many("request", 4, REQUESTS, |choices, _| match choices.weighted(&[20, 20, 20, 1]) {
        0 => requests::step(choices, &mut sequence),
        1 => status(choices, &mut sequence, "status"),
        2 => scale(choices, &mut sequence, numbers.next().unwrap_or_default()),
        _ => status(choices, &mut sequence, "bogus"),
    });
}

/// Reads or writes the status of an object.
fn status(choices: &mut Choices, sequence: &mut Sequence<'_>, part: &str) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let target = sequence.subresource(&version, object, part);
    let request = match choices.weighted(&[4, 4, 3, 3, 1]) {
        0 => {
            let read = sequence.send(Request { query: options::of_get(choices), ..Request::get(target) });
            return sequence.remember(read, object, &version);
        }
        1 => {
            let body = match sequence.earlier(choices) {
                Some((step, ..)) => Sequence::edited_answer(step, objects::edits(choices)),
                None => sequence.body(&version, object, objects::fields(choices)),
            };
            Request::put(target, body)
        }
        2 => Request::merge_patch(target, objects::merge_patch(choices)),
        3 => Request::json_patch(target, objects::json_patch(choices)),
        _ => no_method(choices, target),
    };
    sequence.send(Request { query: options::of_write(choices), ..request });
}

/// Reads or writes the scale of an object. No object has had `number` so far. A write that leaves the number unchanged
/// has a different effect on kube-apiserver's managed fields (defect of SUB-026), so it is a dry run.
fn scale(choices: &mut Choices, sequence: &mut Sequence<'_>, number: u64) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let target = sequence.subresource(&version, object, "scale");
    let (request, leaves_number) = match choices.weighted(&[4, 4, 3, 3, 1, 2]) {
        0 => {
            let read = sequence.send(Request { query: options::of_get(choices), ..Request::get(target.clone()) });
            // It is sent back to the same place or, by mistake, as a whole object.
            if choices.chance(1, 8) {
                sequence.remember(read, object, &version);
            }
            if choices.chance(1, 3) {
                return;
            }
            let (edits, leaves_number) = scale_edits(choices, number);
            (Request::put(target, Sequence::edited_answer(read, edits)), leaves_number)
        }
        1 => {
            let spec = json!({ "replicas": number, "unknown": 1 });
            let body = match sequence.earlier(choices) {
                Some((step, ..)) => {
                    let mut edits = objects::edits(choices);
                    edits.push(Edit::Set("/spec".into(), spec));
                    Sequence::edited_answer(step, edits)
                }
                None => {
                    let mut fields = objects::fields(choices);
                    fields["spec"] = spec;
                    sequence.body(&version, object, fields)
                }
            };
            (Request::put(target, body), false)
        }
        2 => {
            let (patch, leaves_number) = scale_patch(choices, number);
            (Request::merge_patch(target, patch), leaves_number)
        }
        3 => {
            let operation = |op: &str| json!({ "op": op, "path": "/spec/replicas", "value": number });
            let operations = choices.pick::<&[&str]>(&[&["replace"], &["add"], &["test"], &["add", "test"]]);
            let patch: Vec<Value> = operations.iter().map(|op| operation(op)).collect();
            (Request::json_patch(target, json!(patch)), false)
        }
        4 => (no_method(choices, target), false),
        _ => {
            // To zero, from another number.
            let patch = json!({ "spec": { "replicas": number } });
            sequence.send(Request::merge_patch(target.clone(), patch));
            let zero = choices.pick(&[json!({ "replicas": 0 }), json!({ "replicas": null }), Value::Null]).clone();
            (Request::merge_patch(target, json!({ "spec": zero })), false)
        }
    };
    sequence.send(Request { query: options::of_write(choices), dry_run: leaves_number, ..request });
}

/// A method that subresources do not support.
fn no_method(choices: &mut Choices, target: Resource) -> Request {
    let method = *choices.pick(&[Method::Post, Method::Delete]);
    Request::new(method, target, Body::json(json!({})))
}

/// A merge patch of a scale, and whether the server may accept it without changing the number.
fn scale_patch(choices: &mut Choices, number: u64) -> (Value, bool) {
    if choices.chance(1, 6) {
        return (objects::merge_patch(choices), true);
    }
    choices
        .pick(&[
            (json!({ "spec": { "replicas": number } }), false),
            (json!({ "spec": { "replicas": 0 } }), true),
            (json!({ "spec": { "replicas": null } }), true),
            (json!({ "spec": null }), true),
            (json!({ "spec": { "replicas": -1 } }), false),
            (json!({ "spec": { "replicas": "1" } }), false),
            (json!({ "spec": { "replicas": 2_147_483_648_i64 } }), false),
            (json!({ "spec": { "replicas": number, "unknown": 1 } }), false),
            (json!({ "spec": { "replicas": number }, "status": { "replicas": 9 } }), false),
            (json!({ "spec": { "replicas": number }, "metadata": { "labels": { "a": "b" } } }), false),
            (json!({ "metadata": { "labels": { "a": "b" } } }), true),
            (json!({ "metadata": { "name": "other" } }), false),
            (json!({}), true),
        ])
        .clone()
}

/// Edits of a scale that was read, and whether the server may accept them without changing the number.
fn scale_edits(choices: &mut Choices, number: u64) -> (Vec<Edit>, bool) {
    let set = |pointer: &str, value: Value| Edit::Set(pointer.to_owned(), value);
    let scaled = || set("/spec", json!({ "replicas": number }));
    match choices.draw(9) {
        0 => (vec![scaled()], false),
        1 => (vec![set("/spec", json!({ "replicas": -1 }))], false),
        2 => (vec![set("/spec", json!({}))], true),
        3 => (vec![scaled(), set("/metadata/resourceVersion", json!("1"))], false),
        4 => (vec![scaled(), Edit::Remove("/metadata/resourceVersion".into())], false),
        5 => (vec![scaled(), set("/metadata/name", json!("other"))], false),
        6 => (vec![scaled(), set("/kind", json!("Other"))], false),
        7 => (vec![scaled(), set("/status", json!({ "replicas": 9 }))], false),
        8 => (vec![set("/spec", json!({ "replicas": number, "unknown": 1 })), set("/unknown", json!(1))], false),
        _ => (vec![], true),
    }
}
