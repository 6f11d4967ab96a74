//! Many objects in a call, and many calls.

use crdible_scenario::{
    ContractVersion, Demand, Review, Reviewed,
    reviews::{ReviewProperty, Subject},
};

use super::plan::Plan;
use crate::prelude::*;

/// How many callers ask at once (CONV-044, CONV-048).
const CALLERS: usize = 8;

/// Objects of a large batch (CONV-047).
const MANY: usize = 500;

/// The size of a large object in bytes: what a server stores, with room for what surrounds it (CONV-047, REST-007).
const LARGE_OBJECT: usize = 1_400_000;

/// About the bytes of the largest call: some objects of the largest size. Hundreds of these would be more than any
/// server sends.
const LARGE_CALL: usize = 4_000_000;

pub(super) const ORDER: ReviewProperty = ReviewProperty::of(
    "conv-032-order",
    "converted objects come in the order of the request, whatever versions are mixed",
    &["CONV-032"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (to, objects) = mixed(c, &plan, subject, 5);
        let step = plan.ask(to, objects);
        plan.check("order", &["CONV-032"], step, Demand::Protocol);
        plan.finish()
    },
);

pub(super) const ONE_BY_ONE: ReviewProperty = ReviewProperty::of(
    "conv-043-one-by-one",
    "the result for an object does not depend on the other objects of the call or their order",
    &["CONV-043"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (to, mut objects) = mixed(c, &plan, subject, 5);
        // One object in the midst of more than a hundred.
        if c.chance(1, 16) {
            let filled: Vec<Reviewed> = objects.iter().cloned().cycle().take(120).collect();
            objects = filled;
        }
        let batch = plan.ask(to, objects.clone());
        let desired = subject.contract.api_version(&to.name);
        let singly = plan.send(Review { singly: true, ..Review::of(desired, objects.clone()) });
        plan.check("singly", &["CONV-043"], singly, Demand::Same { r#as: batch, reversed: false, content: false });
        objects.reverse();
        let reversed = plan.ask(to, objects);
        plan.check("reversed", &["CONV-043"], reversed, Demand::Same { r#as: batch, reversed: true, content: false });
        plan.finish()
    },
);

pub(super) const NO_STATE: ReviewProperty = ReviewProperty::of(
    "conv-044-no-state",
    "the same object gives the same result later, after other objects, and in concurrent calls",
    &["CONV-044", "CONV-031"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let first = plan.ask_one(to, &object);
        // Another object under the same name.
        let mut other = plan.object(c, from, 1);
        other["metadata"]["name"] = object["metadata"]["name"].clone();
        plan.ask_one(to, &other);
        let same = Demand::Same { r#as: first, reversed: false, content: false };
        let again = plan.ask_one(to, &object);
        plan.check("again", &["CONV-044"], again, same.clone());
        if subject.contract.reviews.len() > 1 {
            let review = Review::of(subject.contract.api_version(&to.name), vec![Reviewed::Object(object.clone())]);
            let beta = plan.send(Review { version: subject.contract.reviews[1].clone(), ..review });
            plan.check("other-review-version", &["CONV-031"], beta, same.clone());
        }
        if c.chance(1, 4) {
            for caller in 0..CALLERS {
                let step = plan.ask_one(to, if caller % 2 == 0 { &object } else { &other });
                if caller > 0 {
                    plan.together(step);
                }
                if caller % 2 == 0 {
                    plan.check("at-once", &["CONV-044"], step, same.clone());
                }
            }
        }
        plan.finish()
    },
);

pub(super) const LARGE: ReviewProperty = ReviewProperty::of(
    "conv-047-large",
    "large objects and reviews with hundreds of objects are converted",
    &["CONV-047"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let mut object = plan.object(c, from, 0);
        // Large ones take long to send, and one shows as much as two hundred.
        let step = match c.weighted(&[12, 3, 1]) {
            0 => {
                let count = usize::try_from(20 + c.draw(80)).unwrap_or(20);
                plan.ask(to, copies(&object, count))
            }
            1 => plan.ask(to, copies(&object, MANY.min(LARGE_CALL / object.to_string().len().max(1)).max(1))),
            _ => {
                object["metadata"]["managedFields"] = managers(&object, LARGE_OBJECT);
                plan.ask_one(to, &object)
            }
        };
        plan.check("large", &["CONV-047"], step, Demand::Converted);
        plan.finish()
    },
);

pub(super) const AT_ONCE: ReviewProperty = ReviewProperty::of(
    "conv-048-in-time",
    "eight concurrent callers get their answers within 30 s",
    &["CONV-048"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        for caller in 0..CALLERS {
            let step = plan.ask(to, copies(&object, 1 + caller));
            if caller > 0 {
                plan.together(step);
            }
            plan.check("in-time", &["CONV-048"], step, Demand::Converted);
        }
        plan.finish()
    },
);

/// A version, and some objects of other versions; sometimes one of them twice.
fn mixed<'a>(
    c: &mut Choices,
    plan: &Plan<'_>,
    subject: &'a Subject,
    most: usize,
) -> (&'a ContractVersion, Vec<Reviewed>) {
    let versions = &subject.contract.versions;
    let to = c.keyed("@to", |c| c.pick(versions));
    let others: Vec<&ContractVersion> = versions.iter().filter(|version| version.name != to.name).collect();
    let mut objects: Vec<Value> = c.many_parts("mixed", 2, most, |c, number| {
        let from = *c.keyed("@from", |c| c.pick(&others));
        plan.object(c, from, number)
    });
    if c.chance(1, 6) {
        objects.extend(objects.first().cloned());
    }
    if subject.contract.namespaced && c.chance(1, 4) {
        // The same name in another namespace is another object.
        if let [first, second, ..] = objects.as_mut_slice() {
            second["metadata"]["name"] = first["metadata"]["name"].clone();
            second["metadata"]["namespace"] = json!("other");
        }
    }
    (to, objects.into_iter().map(Reviewed::Object).collect())
}

/// An object many times, under different names.
fn copies(object: &Value, count: usize) -> Vec<Reviewed> {
    let copy = |number: usize| {
        let mut copy = object.clone();
        copy["metadata"]["name"] = json!(format!("copy-{number}"));
        copy["metadata"]["uid"] = json!(format!("00000000-0000-4000-9000-{number:012}"));
        Reviewed::Object(copy)
    };
    (0..count).map(copy).collect()
}

/// Managers of fields of about this many bytes: they grow with each client that applies, and are sent too.
fn managers(object: &Value, bytes: usize) -> Value {
    let fields: Map<String, Value> =
        (0..200).map(|number| (format!("f:field-number-{number:06}"), json!({}))).collect();
    let entry = json!({
        "manager": "large", "operation": "Apply", "apiVersion": object["apiVersion"], "time": "2026-01-01T00:00:00Z",
        "fieldsType": "FieldsV1", "fieldsV1": { "f:spec": fields },
    });
    let count = bytes / entry.to_string().len();
    let named = |number: usize| {
        let mut entry = entry.clone();
        entry["manager"] = json!(format!("manager-{number}"));
        entry
    };
    Value::Array((0..count).map(named).collect())
}
