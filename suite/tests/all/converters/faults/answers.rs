//! Faults in how a converter answers.

use crdible_webhooks::HookAnswer;
use serde_json::{Value, json};

use super::{Fault, PROTOCOL, edited, object, sent, set, whole, with_objects};
use crate::{converters::subject::plain, json::remove};

pub(crate) const FAULTS: &[Fault] = &[
    whole("no-uid", PROTOCOL, |_, answer| edited(answer, |body| drop(remove(body, "/response/uid")))),
    whole("another-uid", PROTOCOL, |_, answer| edited(answer, |body| set(body, "/response/uid", json!("7")))),
    whole("another-kind-of-review", PROTOCOL, |_, answer| {
        edited(answer, |body| set(body, "/kind", json!("AdmissionReview")))
    }),
    whole("always-v1", ("conv-030-protocol", "v1beta1"), |_, answer| {
        edited(answer, |body| set(body, "/apiVersion", json!("apiextensions.k8s.io/v1")))
    }),
    whole("a-bare-answer-to-v1beta1", ("conv-031-beta-reviews", "envelope"), |review, answer| {
        if review["apiVersion"] == "apiextensions.k8s.io/v1" {
            return answer;
        }
        edited(answer, |body| {
            drop(remove(body, "/apiVersion"));
            set(body, "/kind", json!(""));
            set(body, "/response/uid", json!("7"));
        })
    }),
    whole("refuses-v1beta1", ("conv-030-protocol", "v1beta1"), |review, right| {
        if review["apiVersion"] == "apiextensions.k8s.io/v1" { right } else { plain(400, b"unknown".to_vec()) }
    }),
    whole("no-result", PROTOCOL, |_, answer| edited(answer, |body| drop(remove(body, "/response/result")))),
    whole("text-behind-the-json", PROTOCOL, |_, answer| HookAnswer {
        body: [&answer.body[..], b" ok"].concat(),
        ..answer
    }),
    whole("status-203", PROTOCOL, |_, answer| HookAnswer { status: 203, ..answer }),
    whole("status-201-and-no-body", PROTOCOL, |_, _| plain(201, Vec::new())),
    whole("drops-the-last", ("conv-032-order", "order"), |_, answer| {
        with_objects(answer, |objects| drop(objects.pop()))
    }),
    whole("reverses", ("conv-032-order", "order"), |_, answer| with_objects(answer, |objects| objects.reverse())),
    whole("sorts-by-version", ("conv-032-order", "order"), |review, answer| {
        let sent = sent(review).to_vec();
        with_objects(answer, move |objects| {
            let mut pairs: Vec<(String, Value)> =
                sent.iter().map(|object| object["apiVersion"].to_string()).zip(objects.drain(..)).collect();
            pairs.sort_by(|a, b| b.0.cmp(&a.0));
            objects.extend(pairs.into_iter().map(|(_, object)| object));
        })
    }),
    whole("removes-doubles", ("conv-032-order", "order"), |_, answer| {
        with_objects(answer, |objects| {
            let mut seen = Vec::new();
            objects.retain(|object| {
                let is_new = !seen.contains(object);
                seen.push(object.clone());
                is_new
            });
        })
    }),
    whole("null-for-an-empty-list", ("conv-030-empty-list", "empty"), |review, answer| {
        let is_empty = review["request"]["objects"].as_array().is_some_and(Vec::is_empty);
        edited(answer, |body| {
            if is_empty {
                set(body, "/response/convertedObjects", Value::Null);
            }
        })
    }),
    object("keeps-the-kind-of-a-list", PROTOCOL, |object, _| object["kind"] = json!("ThingList")),
];
