//! Faults that a batch, an earlier call or an odd review shows.

use crdible_webhooks::{Ending, HookAnswer};
use serde_json::{Map, Value, json};

use super::{Fault, PROTOCOL, edited, object, remembering, sent, when, whole, with_objects};
use crate::{
    converters::subject::{answer, plain},
    json::remove,
};

const THERE: (&str, &str) = ("conv-045-every-object", "there");

pub(crate) const FAULTS: &[Fault] = &[
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
    whole("v1beta1-converts-otherwise", ("conv-044-no-state", "other-review-version"), |review, answer| {
        let is_beta = review["apiVersion"] == "apiextensions.k8s.io/v1beta1";
        with_objects(answer, |objects| {
            if is_beta {
                objects.iter_mut().for_each(|object| drop(remove(object, "/spec/mode")));
            }
        })
    }),
    // Every object.
    whole("closes-on-null", THERE, |review, answer| {
        when(review, "null", answer, |answer| HookAnswer { ending: Ending::Closed, ..answer })
    }),
    whole("fails-on-objects-being-deleted", THERE, |review, answer| {
        when(review, "deletionTimestamp", answer, |_| plain(500, b"panic".to_vec()))
    }),
    whole("refuses-unknown-fields", PROTOCOL, |review, answer| {
        if review.get("response").is_some() { plain(400, b"unknown field response".to_vec()) } else { answer }
    }),
    object("sets-a-uid", ("conv-033-identity", "identity"), |object, _| {
        if object["metadata"].get("uid").is_none() {
            object["metadata"]["uid"] = json!("new");
        }
    }),
    whole("reads-no-times-in-small-letters", ("conv-045-odd-times", "odd-times"), |review, answer| {
        let is_odd = |object: &Value| object["spec"]["at"].as_str().is_some_and(|time| time.contains('t'));
        if sent(review).iter().any(is_odd) { plain(500, b"no time".to_vec()) } else { answer }
    }),
    whole("fails-without-spec", THERE, |review, answer| {
        let lacks = |object: &Value| object.get("spec").is_none();
        let is_hit = sent(review).iter().any(lacks);
        if is_hit { plain(500, b"panic: nil pointer".to_vec()) } else { answer }
    }),
    whole("needs-a-resource-version", ("conv-045-as-in-a-create", "there"), |review, answer| {
        let is_new = |object: &Value| object["metadata"].get("resourceVersion").is_none();
        if sent(review).iter().any(is_new) { plain(500, b"no version".to_vec()) } else { answer }
    }),
    whole("needs-a-uid", ("conv-045-as-in-a-create", "there"), |review, answer| {
        let is_new = |object: &Value| object["metadata"].get("uid").is_none();
        if sent(review).iter().any(is_new) { plain(500, b"no uid".to_vec()) } else { answer }
    }),
    whole("fails-on-own-annotations-of-others", ("conv-034-own-annotations", "converted"), |review, answer| {
        let kept = |object: &Value| object["metadata"]["annotations"]["example.com/port"].as_str().map(str::to_owned);
        let is_unreadable = |kept: String| kept.parse::<i64>().is_err();
        let is_hit = sent(review).iter().filter_map(kept).any(is_unreadable);
        if is_hit { plain(500, b"strconv: invalid syntax".to_vec()) } else { answer }
    }),
    whole("hangs-on-large-numbers", THERE, |review, answer| {
        when(review, "9223372036854775807", answer, |answer| HookAnswer { ending: Ending::Silent, ..answer })
    }),
    whole("fails-on-incomplete-objects", ("conv-046-incomplete-objects", "incomplete"), |review, right| {
        let is_bad = |object: &Value| object["spec"].as_object().is_none_or(Map::is_empty);
        let is_hit = sent(review).iter().any(is_bad);
        if is_hit { answer(review, &json!({ "status": "Failed", "message": "no spec" }), &[]) } else { right }
    }),
    whole("refuses-large-bodies", ("conv-047-large", "large"), |review, answer| {
        if review.to_string().len() > 1_000_000 { plain(413, Vec::new()) } else { answer }
    }),
    whole("refuses-large-batches", ("conv-047-large", "large"), |review, right| {
        if sent(review).len() > 400 {
            answer(review, &json!({ "status": "Failed", "message": "too many" }), &[])
        } else {
            right
        }
    }),
    whole("hangs-on-batches", ("conv-048-in-time", "in-time"), |review, answer| {
        if sent(review).len() > 4 { HookAnswer { ending: Ending::Silent, ..answer } } else { answer }
    }),
    // What cannot be converted.
    whole("renames-only", ("conv-049-refusals", "desired-version"), |review, right| {
        let desired = review["request"]["desiredAPIVersion"].clone();
        if desired != "example.com/v999" {
            return right;
        }
        let mut objects = sent(review).to_vec();
        objects.iter_mut().for_each(|object| object["apiVersion"] = desired.clone());
        answer(review, &json!({ "status": "Success" }), &objects)
    }),
    whole("crashes-on-other-kinds", ("conv-049-refusals", "kind"), |review, answer| {
        when(review, "NoSuchKind", answer, |_| plain(500, Vec::new()))
    }),
    whole("no-message", ("conv-049-refusals", "source-version"), |_, answer| {
        edited(answer, |body| drop(remove(body, "/response/result/message")))
    }),
    whole("200-for-what-is-no-review", ("conv-049-refusals", "body"), |review, answer| {
        if review["request"].is_object() { answer } else { plain(200, b"{}".to_vec()) }
    }),
    object("rewrites-the-same-version", ("conv-050-same-version", "unchanged"), |object, given| {
        if given.before["apiVersion"] == object["apiVersion"] {
            object["metadata"]["annotations"]["example.com/seen"] = json!("1");
        }
    }),
];
