//! How a converter answers, and that it answers at all.

use crdible_scenario::{
    ContractVersion, Demand, Review, ReviewScenario, Reviewed,
    reviews::{ReviewProperty, Subject, with_content},
};

use super::plan::Plan;
use crate::prelude::*;
use crate::reviews::objects::{has_times, object_with_odd_times};

pub(super) const PROTOCOL: ReviewProperty = ReviewProperty::of(
    "conv-030-protocol",
    "a response has the version and uid of the review, and one converted object for each object",
    &["CONV-030", "CONV-030/e1", "CONV-031"],
    |c, subject| {
        let contract = &subject.contract;
        let mut plan = Plan::of(contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        for version in &contract.reviews {
            let review = Review::of(contract.api_version(&to.name), vec![Reviewed::Object(object.clone())]);
            let step = plan.send(Review { version: version.clone(), ..review });
            plan.check(version, &["CONV-030", "CONV-030/e1", "CONV-031"], step, Demand::Protocol);
        }
        plan.finish()
    },
);

pub(super) const BETA: ReviewProperty = ReviewProperty {
    applies: |contract| contract.reviews.iter().any(|version| version == "v1beta1"),
    ..ReviewProperty::of(
        "conv-031-beta-reviews",
        "an answer to a v1beta1 review repeats its version, kind and uid",
        &["CONV-031/e2"],
        |c, subject| {
            let contract = &subject.contract;
            let mut plan = Plan::of(contract);
            let (from, to) = plan.pair(c);
            let object = plan.object(c, from, 0);
            let review = Review::of(contract.api_version(&to.name), vec![Reviewed::Object(object)]);
            let step = plan.send(Review { version: "v1beta1".to_owned(), ..review });
            plan.check("envelope", &["CONV-031/e2"], step, Demand::Envelope);
            plan.finish()
        },
    )
};

pub(super) const EMPTY_LIST: ReviewProperty = ReviewProperty::of(
    "conv-030-empty-list",
    "a review without objects is answered without objects",
    &["CONV-030/e5"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (_, to) = plan.pair(c);
        let step = plan.ask(to, Vec::new());
        plan.check("empty", &["CONV-030/e5"], step, Demand::Protocol);
        plan.finish()
    },
);

pub(super) const EVERY_OBJECT: ReviewProperty = ReviewProperty {
    sample: |subject, position| {
        let (sample, from, to) = subject.sample_trip(position)?;
        Some(there_and_back(subject, sample, (from, to), "CONV-045"))
    },
    ..ReviewProperty::of(
        "conv-045-every-object",
        "every valid object is converted, and the result can be converted back",
        &["CONV-045"],
        |c, subject| {
            let plan = Plan::of(&subject.contract);
            let (from, to) = plan.pair(c);
            let object = plan.object(c, from, 0);
            there_and_back(subject, &object, (from, to), "CONV-045")
        },
    )
};

fn there_and_back(
    subject: &Subject,
    object: &Value,
    (from, to): (&ContractVersion, &ContractVersion),
    asserted: &str,
) -> ReviewScenario {
    let mut plan = Plan::of(&subject.contract);
    let there = plan.ask_one(to, object);
    plan.check("there", &[asserted], there, Demand::Converted);
    let back = plan.ask_on(from, there, 1);
    plan.check("back", &[asserted], back, Demand::Converted);
    plan.finish()
}

pub(super) const AS_IN_A_CREATE: ReviewProperty = ReviewProperty::of(
    "conv-045-as-in-a-create",
    "objects without a resourceVersion, and new ones without a uid, are converted",
    &["CONV-045/e4"],
    |c, subject| {
        let plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let mut object = plan.object(c, from, 0);
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.remove("resourceVersion");
            // On its way to an admission webhook.
            if c.chance(1, 2) {
                ["uid", "creationTimestamp", "generation", "deletionTimestamp"]
                    .iter()
                    .for_each(|field| drop(metadata.remove(*field)));
            }
        }
        there_and_back(subject, &object, (from, to), "CONV-045/e4")
    },
);

pub(super) const ODD_TIMES: ReviewProperty = ReviewProperty {
    applies: |contract| contract.versions.iter().any(|version| has_times(&version.schema)),
    ..ReviewProperty::of(
        "conv-045-odd-times",
        "objects with times in an unusual form are converted",
        &["CONV-045/e3"],
        |c, subject| {
            let mut plan = Plan::of(&subject.contract);
            let (from, to) = plan.pair(c);
            let object = object_with_odd_times(c, &subject.contract, from);
            let step = plan.ask_one(to, &object);
            plan.check("odd-times", &["CONV-045/e3"], step, Demand::Converted);
            plan.finish()
        },
    )
};

pub(super) const INCOMPLETE: ReviewProperty = ReviewProperty::of(
    "conv-046-incomplete-objects",
    "objects without fields that their schema requires are converted",
    &["CONV-046"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let whole = plan.object(c, from, 0);
        let missing = match c.draw(3) {
            0 => with_content(&whole, &json!({})),
            1 => with_content(&whole, &json!({ "spec": null })),
            2 => with_content(&whole, &json!({ "spec": {} })),
            _ => {
                let mut without_uid = whole;
                if let Some(metadata) = without_uid["metadata"].as_object_mut() {
                    ["uid", "resourceVersion", "creationTimestamp", "generation"]
                        .iter()
                        .for_each(|field| drop::<Option<Value>>(metadata.remove(*field)));
                }
                without_uid
            }
        };
        let step = plan.ask_one(to, &missing);
        plan.check("incomplete", &["CONV-046"], step, Demand::Converted);
        plan.finish()
    },
);
